import { parseRecording } from '../scenario/recording.ts';
import { replay } from '../scenario/replay.ts';
import { sentenceOf } from '../tui/model/sentence.ts';
import type { CliCommand } from './command.ts';
import { readText } from './files.ts';
import { stringOption } from './option-values.ts';
import { runViewOf } from './run-view.ts';
import { UsageError } from './usage-error.ts';

export const why: CliCommand = {
  summary: 'tells what led to an event of a recorded run, back to its first cause',
  usage: 'EVENT --run RUN.json',
  example: 'bottleship why 140 --run run.json',
  options: { run: { type: 'string' } },
  optionHelp: { run: 'the recording that has the event' },
  async run(args, options) {
    const [event, ...more] = args;
    const seq = Number(event?.replace(/^#/, ''));
    if (more.length || !Number.isInteger(seq) || seq < 1) throw new UsageError('give the number of an event, e.g. 140');
    const file = stringOption(options, 'run');
    if (!file) throw new UsageError('--run RUN.json says which run is meant');
    const { cluster } = await replay(parseRecording(readText(file), file));
    const chain = cluster.simulation.trace.why(seq);
    if (!chain.length) throw new UsageError(`the run has no event #${seq}; its last is #${cluster.simulation.trace.last}`);
    const view = runViewOf(cluster);
    chain.forEach((entry, index) => {
      const { who, what } = sentenceOf(view, entry);
      process.stdout.write(`${index ? 'because ' : ''}#${entry.seq} ${(entry.time / 1000).toFixed(3)}s ${who} ${what}\n`);
    });
    return 0;
  },
};

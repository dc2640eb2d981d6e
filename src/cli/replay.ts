import { KUBECTL_COMMANDS } from '../kubectl/kubectl.ts';
import { formatRecording, parseRecording } from '../scenario/recording.ts';
import { replay as replayRecording } from '../scenario/replay.ts';
import { ScenarioError } from '../scenario/run-scenario.ts';
import { splitWords } from '../scenario/words.ts';
import { BoundExceeded } from '../sim/bound-exceeded.ts';
import { LiveRun } from '../tui/live/live-run.ts';
import type { CliCommand, OptionValues } from './command.ts';
import { readText, writeText } from './files.ts';
import { openInTui } from './live-tui.ts';
import { LANG_HELP, LANG_OPTION, LOOK_HELP, LOOK_OPTIONS, tuiOptions } from './look-options.ts';
import { durationOption, listOption, stringOption } from './option-values.ts';
import { printCommand, tell, wantsTui } from './play.ts';
import { UsageError } from './usage-error.ts';

const BRANCH_MS = 600_000;

export const replay: CliCommand = {
  summary: 'runs a recording again; fails when it does not come out the same',
  usage: 'RUN.json [--at TIME|#EVENT] [--branch COMMAND]... [options]',
  example: `bottleship replay run.json --at 12s --branch 'scale deployment/web --replicas=5'`,
  options: {
    at: { type: 'string' },
    branch: { type: 'string', multiple: true },
    record: { type: 'string' },
    quiet: { type: 'boolean', short: 'q' },
    all: { type: 'boolean' },
    tui: { type: 'boolean' },
    ...LOOK_OPTIONS,
    ...LANG_OPTION,
  },
  optionHelp: {
    at: 'stop at this virtual time, or right after an event: #140',
    branch: 'a kubectl command to run there instead of what was recorded; the run then goes on until settled',
    record: 'write the branch to this file, as a recording of its own',
    quiet: 'tell only the result',
    all: 'tell everything: heartbeats and event recording too',
    tui: 'watch it in the terminal UI',
    ...LOOK_HELP,
    ...LANG_HELP,
  },
  async run(args, options) {
    const [file, ...more] = args;
    if (!file || more.length) throw new UsageError('give one recording: RUN.json');
    const recording = parseRecording(readText(file), file);
    const branch = listOption(options, 'branch').map(readBranch);
    const at = readAt(options);
    if (branch.length && at === undefined)
      throw new UsageError('--branch needs --at TIME, or --at #EVENT: where it leaves the recorded run');
    const print = (line: string): void => void process.stdout.write(`${line}\n`);
    print(`${recording.title} (recorded)\n`);
    const stories: { end(): string[] }[] = [];
    const tui = wantsTui(options);
    const quiet = options['quiet'] === true || tui;
    const { cluster, complete, same } = await replayRecording(recording, {
      ...(at === undefined ? {} : { at }),
      onCluster: (made) =>
        void (quiet || stories.push(tell(made, { all: options['all'] === true, lang: () => tuiOptions(options).lang ?? 'en', print }))),
    });
    const tellRest = (): void => stories.flatMap((story) => story.end()).forEach(print);
    for (const command of branch) {
      print(`    (branch at ${cluster.simulation.now / 1000}s: kubectl ${command.join(' ')})`);
      const result = await cluster.kubectl(command);
      tellRest();
      printCommand(result, print);
      if (result.code !== 0) throw new ScenarioError(`--branch: kubectl ${command.join(' ')}\n${result.stderr.join('\n')}`);
    }
    if (branch.length) await settle(cluster, print);
    tellRest();
    if (tui) await openInTui(new LiveRun(cluster, recording.title), tuiOptions(options));
    const { simulation } = cluster;
    const digest = simulation.trace.digest();
    const record = stringOption(options, 'record');
    if (record) {
      const end = { events: simulation.executed, time: simulation.now };
      writeText(
        record,
        formatRecording({ title: `${recording.title} (branch)`, config: recording.config, inputs: simulation.inputs, end, digest }),
      );
    }
    print(`\ndigest: ${digest}${complete ? ` (${same ? 'as recorded' : `recorded: ${recording.digest}`})` : ''}`);
    return complete && !branch.length && !same ? 1 : 0;
  },
};

/** A time, or an event by its number. @throws UsageError */
function readAt(options: OptionValues): number | { entry: number } | undefined {
  const entry = /^#(\d+)$/.exec(stringOption(options, 'at') ?? '')?.[1];
  return entry === undefined ? durationOption(options, 'at') : { entry: Number(entry) };
}

function readBranch(text: string): string[] {
  const words = splitWords(text);
  if (words?.[0] === 'kubectl') words.shift();
  if (!words?.length) throw new UsageError(`--branch takes a kubectl command, not "${text}"`);
  if (!Object.hasOwn(KUBECTL_COMMANDS, words[0] as string))
    throw new UsageError(`--branch: kubectl ${words[0]} is not offered; offered: ${Object.keys(KUBECTL_COMMANDS).join(', ')}`);
  return words;
}

async function settle(cluster: { settle(bounds: { maxTime: number }): Promise<void> }, print: (line: string) => void): Promise<void> {
  try {
    await cluster.settle({ maxTime: BRANCH_MS });
  } catch (error) {
    if (!(error instanceof BoundExceeded)) throw error;
    print(`\nIt goes on: ${error.message}`);
  }
}

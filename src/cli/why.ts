import type { Cluster } from '../cluster/cluster.ts';
import { parseRecording } from '../scenario/recording.ts';
import { replay } from '../scenario/replay.ts';
import { sentenceOf } from '../tui/model/sentence.ts';
import type { Words } from '../tui/words/en.ts';
import { wordsOf } from '../tui/words/words.ts';
import type { CliCommand } from './command.ts';
import { readText } from './files.ts';
import { LANG_HELP, LANG_OPTION, tuiOptions } from './look-options.ts';
import { stringOption } from './option-values.ts';
import { runViewOf } from './run-view.ts';
import { UsageError } from './usage-error.ts';
import { whyPodLines } from './why-pod.ts';

export const why: CliCommand = {
  summary: 'tells what led to an event of a recorded run, or why a pod is where it is',
  usage: 'EVENT|pod/NAME --run RUN.json',
  example: 'bottleship why pod/web-1 --run run.json   # or: bottleship why 140 --run run.json',
  options: { run: { type: 'string' }, namespace: { type: 'string', short: 'n' }, ...LANG_OPTION },
  optionHelp: { run: 'the recording that has the event', namespace: 'the namespace of the pod (default: default)', ...LANG_HELP },
  async run(args, options) {
    const [event, ...more] = args;
    const pod = /^(?:pods?|po)\/(.+)$/.exec(event ?? '')?.[1];
    const seq = Number(event?.replace(/^#/, ''));
    if (more.length || (pod === undefined && (!Number.isInteger(seq) || seq < 1)))
      throw new UsageError('give the number of an event, e.g. 140, or a pod, e.g. pod/web-1');
    const file = stringOption(options, 'run');
    if (!file) throw new UsageError('--run RUN.json says which run is meant');
    const words = wordsOf(tuiOptions(options).lang ?? 'en');
    const { cluster } = await replay(parseRecording(readText(file), file));
    if (pod !== undefined) return whyPod(cluster, { namespace: stringOption(options, 'namespace') ?? 'default', name: pod }, words);
    const chain = cluster.simulation.trace.why(seq);
    if (!chain.length) throw new UsageError(`the run has no event #${seq}; its last is #${cluster.simulation.trace.last}`);
    const view = runViewOf(cluster);
    chain.forEach((entry, index) => {
      const { who, what } = sentenceOf(view, entry, words.telling);
      process.stdout.write(`${index ? `${words.views.because} ` : ''}#${entry.seq} ${(entry.time / 1000).toFixed(3)}s ${who} ${what}\n`);
    });
    return 0;
  },
};

/** @throws UsageError when kube-scheduler never decided about it */
function whyPod(cluster: Cluster, pod: { readonly namespace: string; readonly name: string }, { telling }: Words): number {
  const lines = whyPodLines(runViewOf(cluster), pod, telling);
  if (!lines) throw new UsageError(`no scheduler decided about pod ${pod.namespace}/${pod.name} in this run`);
  process.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}

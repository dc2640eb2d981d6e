import { createInterface } from 'node:readline';
import { Cluster } from '../cluster/cluster.ts';
import { simplificationLines } from '../simplifications.ts';
import { canRunTui } from '../tui/can-run-tui.ts';
import { LiveRun } from '../tui/live/live-run.ts';
import { languageOf } from '../tui/words/words.ts';
import type { CliCommand, OptionValues } from './command.ts';
import { openInTui } from './live-tui.ts';
import { LANG_HELP, LANG_OPTION, LOOK_HELP, LOOK_OPTIONS, tuiOptions } from './look-options.ts';
import { NODE_FILES } from './node-files.ts';
import { numberOption, stringOption } from './option-values.ts';
import { schedulerConfigOption } from './scheduler-config-option.ts';
import { manifestFiles, snapshotOption } from './snapshot.ts';
import { UsageError } from './usage-error.ts';

export const sandbox: CliCommand = {
  summary: 'an empty cluster to try things in, with a kubectl line',
  usage: '[-f FILE...] [options]',
  example: 'bottleship sandbox -f web.yaml --nodes 5',
  options: {
    filename: { type: 'string', short: 'f', multiple: true },
    snapshot: { type: 'string' },
    nodes: { type: 'string' },
    seed: { type: 'string' },
    'scheduler-config': { type: 'string' },
    line: { type: 'boolean' },
    all: { type: 'boolean' },
    ...LOOK_OPTIONS,
    ...LANG_OPTION,
  },
  optionHelp: {
    filename: 'manifests to apply first',
    snapshot: 'nodes, pods and more of a real cluster (kubectl get nodes,pods,... -A -o yaml): try where Pods would go there',
    nodes: 'how many nodes (default: 3)',
    seed: 'the source of all chance (default: 1)',
    'scheduler-config': 'a KubeSchedulerConfiguration for kube-scheduler, as its --config takes it',
    line: 'line by line: for screen readers and pipes',
    all: 'tell everything: heartbeats and event recording too (line by line)',
    ...LOOK_HELP,
    ...LANG_HELP,
  },
  async run(_args, options) {
    const look = tuiOptions(options);
    const seed = stringOption(options, 'seed');
    const nodes = numberOption(options, 'nodes') ?? 3;
    const manifests = manifestFiles(options);
    const given = { ...(seed === undefined ? {} : { seed }), ...snapshotOption(options), ...schedulerConfigOption(options) };
    const cluster = new Cluster({ nodes, ...given, digest: true });
    await cluster.settle();
    for (const { file, text } of manifests) await apply(cluster, file, text);
    await cluster.settle();
    const live = new LiveRun(cluster, 'Sandbox');
    if (options['line'] === true || !canRunTui(process.stdin, process.stdout, process.env)) return lineByLine(live, options);
    await openInTui(live, { at: 'end', kubectl: true, ...look });
    return 0;
  },
};

/** @throws UsageError with what kubectl says when it is refused */
async function apply(cluster: Cluster, file: string, text: string): Promise<void> {
  const { code, stderr } = await cluster.kubectl(['apply', '-f', file], { [file]: text });
  if (code !== 0) throw new UsageError(`${file}: ${stderr.join('\n')}`);
}

/** Reads lines until the input ends; tells what happens. */
async function lineByLine(live: LiveRun, options: OptionValues): Promise<number> {
  const { LineShell } = await import('../tui/line/line-shell.ts');
  const { Workbench } = await import('../tui/app/workbench.ts');
  const bench = new Workbench({ run: live.view, live, title: live.title, truth: simplificationLines(), files: NODE_FILES });
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  const { lang = languageOf(process.env) } = tuiOptions(options);
  const shell = new LineShell(bench, { print, all: options['all'] === true, lang });
  const input = createInterface({ input: process.stdin, output: process.stdin.isTTY ? process.stdout : undefined, prompt: 'bottleship> ' });
  if (process.stdin.isTTY) input.prompt();
  for await (const line of input) {
    if (!process.stdin.isTTY) print(`bottleship> ${line}`);
    if (!(await shell.enter(line))) break;
    if (process.stdin.isTTY) input.prompt();
  }
  input.close();
  return 0;
}

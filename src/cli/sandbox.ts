import { createInterface } from 'node:readline';
import { Cluster } from '../cluster/cluster.ts';
import { simplificationLines } from '../simplifications.ts';
import { canRunTui } from '../tui/can-run-tui.ts';
import { LiveRun } from '../tui/live/live-run.ts';
import { languageOf } from '../tui/words/words.ts';
import type { CliCommand, OptionValues } from './command.ts';
import { openInTui } from './live-tui.ts';
import { NODE_FILES } from './node-files.ts';
import { numberOption, stringOption } from './option-values.ts';
import { tuiOptions } from './play.ts';
import { schedulerConfigOption } from './scheduler-config-option.ts';

export const sandbox: CliCommand = {
  summary: 'an empty cluster to try things in, with a kubectl line',
  usage: '[options]',
  example: 'bottleship sandbox --nodes 5',
  options: {
    nodes: { type: 'string' },
    seed: { type: 'string' },
    'scheduler-config': { type: 'string' },
    line: { type: 'boolean' },
    all: { type: 'boolean' },
    theme: { type: 'string' },
    glyphs: { type: 'string' },
    lang: { type: 'string' },
  },
  optionHelp: {
    nodes: 'how many nodes (default: 3)',
    seed: 'the source of all chance (default: 1)',
    'scheduler-config': 'a KubeSchedulerConfiguration for kube-scheduler, as its --config takes it',
    line: 'line by line: for screen readers and pipes',
    all: 'tell everything: heartbeats and event recording too (line by line)',
    theme: 'colours of the terminal UI',
    glyphs: 'ascii or unicode (terminal UI)',
    lang: 'en or ja',
  },
  async run(_args, options) {
    const look = tuiOptions(options);
    const seed = stringOption(options, 'seed');
    const nodes = numberOption(options, 'nodes') ?? 3;
    const cluster = new Cluster({ nodes, ...(seed === undefined ? {} : { seed }), ...schedulerConfigOption(options), digest: true });
    await cluster.settle();
    const live = new LiveRun(cluster, 'Sandbox');
    if (options['line'] === true || !canRunTui(process.stdin, process.stdout, process.env)) return lineByLine(live, options);
    await openInTui(live, { at: 'end', kubectl: true, ...look });
    return 0;
  },
};

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

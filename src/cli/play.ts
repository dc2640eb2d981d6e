import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Cluster } from '../cluster/cluster.ts';
import type { KubectlResult } from '../kubectl/kubectl.ts';
import type { ExpectationResult } from '../scenario/expectation.ts';
import { formatRecording } from '../scenario/recording.ts';
import { runScenario, type ScenarioRun } from '../scenario/run-scenario.ts';
import { parseScenario, type Scenario } from '../scenario/scenario.ts';
import { canRunTui } from '../tui/can-run-tui.ts';
import { createStory } from '../tui/line/story.ts';
import { LiveRun } from '../tui/live/live-run.ts';
import { type Language, wordsOf } from '../tui/words/words.ts';
import type { CliCommand, OptionValues } from './command.ts';
import { dumpYaml } from './dump.ts';
import { besides, packageFolder, readText, willWrite, writeText } from './files.ts';
import { openInTui } from './live-tui.ts';
import { LANG_HELP, LANG_OPTION, LOOK_HELP, LOOK_OPTIONS, tuiOptions } from './look-options.ts';
import { durationOption, listOption, numberOption, stringOption } from './option-values.ts';
import { runViewOf } from './run-view.ts';
import { schedulerConfigOption } from './scheduler-config-option.ts';
import { manifestFiles, snapshotAnswers, snapshotOption } from './snapshot.ts';
import { UsageError } from './usage-error.ts';

/** What `bottleship` plays when it is told nothing. */
export const DEFAULT_SCENARIO = 'delete-a-pod';

export const play: CliCommand = {
  summary: 'plays a scenario, or applies manifests, and tells what happens',
  usage: '[SCENARIO] [-f MANIFEST]... [options]',
  example: 'bottleship play -f web.yaml --nodes 3 --until settled',
  options: {
    filename: { type: 'string', short: 'f', multiple: true },
    nodes: { type: 'string' },
    seed: { type: 'string' },
    snapshot: { type: 'string' },
    'scheduler-config': { type: 'string' },
    until: { type: 'string' },
    record: { type: 'string' },
    dump: { type: 'string' },
    tui: { type: 'boolean' },
    all: { type: 'boolean' },
    ...LOOK_OPTIONS,
    ...LANG_OPTION,
  },
  optionHelp: {
    filename: 'a manifest to apply (after the scenario, if there is one)',
    nodes: 'how many nodes (default: what the scenario says, else 3)',
    seed: 'the source of all chance (default: what the scenario says, else 1)',
    snapshot: 'nodes, pods and more of a real cluster (kubectl get nodes,pods,... -A -o yaml): tells where Pods given with -f would go',
    'scheduler-config': 'a KubeSchedulerConfiguration for kube-scheduler, as its --config takes it',
    until: 'settled (default), or a time such as 30s after the last step',
    record: 'write a recording to this file, for replay',
    dump: 'write all objects at the end to this file, as YAML',
    tui: 'watch it in the terminal UI',
    all: 'tell everything: heartbeats and event recording too',
    ...LOOK_HELP,
    ...LANG_HELP,
  },
  async run(args, options) {
    if (args.length > 1) throw new UsageError(`one scenario at a time, not ${args.length}: ${args.join(' ')}`);
    const scenario = readScenario(args[0], options);
    untilOption(options);
    for (const name of ['record', 'dump']) willWrite(stringOption(options, name));
    return wantsTui(options) ? playInTui(scenario, options) : playInLines(scenario, options);
  },
};

/** Whether the terminal UI is asked for and there is a terminal for it; line mode tells the same. @throws UsageError */
export function wantsTui(options: OptionValues): boolean {
  tuiOptions(options);
  return options['tui'] === true && canRunTui(process.stdin, process.stdout, process.env);
}

/** A file, or the name of a scenario that comes with the package. */
function readScenario(name: string | undefined, options: OptionValues): Scenario {
  const manifests = listOption(options, 'filename');
  const snapshot = listOf(stringOption(options, 'snapshot'));
  const alone = name === undefined && manifests.length + snapshot.length > 0;
  const base = alone ? emptyScenario([...snapshot, ...manifests]) : loadScenario(name ?? DEFAULT_SCENARIO);
  const nodes = numberOption(options, 'nodes');
  const seed = stringOption(options, 'seed');
  const steps = manifestFiles(options).map(({ file, text }, index) => {
    return { line: `-f ${index + 1}`, step: 'kubectl', args: ['apply', '-f', file], files: { [file]: text } } as const;
  });
  return {
    ...base,
    config: {
      ...base.config,
      ...(nodes === undefined ? {} : { nodes }),
      ...(seed === undefined ? {} : { seed }),
      ...snapshotOption(options),
      ...schedulerConfigOption(options),
    },
    steps: [...base.steps, ...steps],
  };
}

function listOf(text: string | undefined): string[] {
  return text === undefined ? [] : [text];
}

function emptyScenario(manifests: readonly string[]): Scenario {
  return { title: manifests.map((path) => basename(path)).join(', '), description: '', config: { nodes: 3 }, steps: [], expect: [] };
}

/** @throws UsageError, DocumentError */
export function loadScenario(name: string): Scenario {
  const shipped = shippedScenarios();
  const path = shipped.includes(name) ? join(packageFolder('scenarios'), `${name}.yaml`) : name;
  if (!/[./\\]/.test(path)) throw new UsageError(`there is no scenario "${name}"; there are ${shipped.join(', ')}, or give a file`);
  return parseScenario(readText(path), path, besides(path));
}

/** Names of the scenarios that come with the package. */
export function shippedScenarios(): string[] {
  return readdirSync(packageFolder('scenarios'))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.replace(/\.yaml$/, ''))
    .sort();
}

function untilOption(options: OptionValues): { until?: 'settled' | number } {
  const text = stringOption(options, 'until');
  if (text === undefined || text === 'settled') return { until: 'settled' };
  return { until: durationOption(options, 'until') ?? 'settled' };
}

async function playInLines(scenario: Scenario, options: OptionValues): Promise<number> {
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  print(`${scenario.title}\n${scenario.description ? `${scenario.description.trim()}\n` : ''}`);
  const stories: { end(): string[] }[] = [];
  /** Lines that a story still holds back come before what is printed next. */
  const tellRest = (): void => stories.flatMap((story) => story.end()).forEach(print);
  const run = await runScenario(scenario, {
    ...untilOption(options),
    digest: true,
    onCluster: (cluster) =>
      stories.push(tell(cluster, { all: options['all'] === true, lang: () => tuiOptions(options).lang ?? 'en', print })),
    onCommand: (_, result) => {
      tellRest();
      printCommand(result, print);
    },
  });
  tellRest();
  if (scenario.config.snapshot) snapshotAnswers(run.cluster).forEach(print);
  return finish(scenario, run, options);
}

/** Prints the story of a cluster while it happens. */
export function tell(
  cluster: Cluster,
  options: { readonly all: boolean; readonly lang?: () => Language; readonly print: (line: string) => void },
): { end(): string[] } {
  const story = createStory(runViewOf(cluster), { all: options.all, telling: () => wordsOf(options.lang?.() ?? 'en').telling });
  cluster.simulation.trace.listen((entry) => {
    for (const line of story.next(entry)) options.print(line);
  });
  return story;
}

/** What a command printed, indented. What a failed one says on stderr is part of the error that ends the run. */
export function printCommand(result: KubectlResult, print: (line: string) => void): void {
  for (const line of [...result.stdout, ...(result.code === 0 ? result.stderr : [])]) print(line.replace(/^/gm, '    '));
}

async function playInTui(scenario: Scenario, options: OptionValues): Promise<number> {
  const run = await runScenario(scenario, { ...untilOption(options), digest: true });
  await openInTui(new LiveRun(run.cluster, scenario.title), tuiOptions(options));
  return finish(scenario, run, options);
}

function finish(scenario: Scenario, run: ScenarioRun, options: OptionValues): number {
  const { cluster, results, unsettled } = run;
  const { simulation } = cluster;
  if (unsettled) process.stdout.write(`\nIt goes on: ${unsettled}\n`);
  if (results.length) process.stdout.write(`\nExpected:\n${results.map(resultLine).join('\n')}\n`);
  const dump = stringOption(options, 'dump');
  if (dump) writeText(dump, dumpYaml(cluster));
  const record = stringOption(options, 'record');
  const digest = simulation.trace.digest();
  if (record) {
    const end = { events: simulation.executed, time: simulation.now };
    writeText(
      record,
      formatRecording({
        title: scenario.title,
        config: { ...cluster.config, seed: simulation.seed },
        inputs: simulation.inputs,
        end,
        digest,
      }),
    );
  }
  process.stdout.write(`\ndigest: ${digest}\n`);
  return results.every(({ ok }) => ok) ? 0 : 1;
}

function resultLine({ expectation, ok, found }: ExpectationResult): string {
  return `  [${ok ? 'x' : ' '}] ${expectation.text}${ok ? '' : `\n      but ${found}`}`;
}

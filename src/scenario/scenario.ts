import { KUBELET_CONFIGURATION_FIELDS, type KubeletConfiguration } from '../../components/kubelet/apis/config/kubelet-configuration.ts';
import type { ClusterConfig, ComponentName, NodeConfig } from '../cluster/config.ts';
import { ALL_COMPONENTS } from '../cluster/config.ts';
import type { Fault } from '../cluster/faults.ts';
import { problemWithControllers } from '../cluster/flags.ts';
import type { Load } from '../cluster/load.ts';
import type { Visit } from '../cluster/service-network.ts';
import type { DocumentReader } from './document-reader.ts';
import { readDocument } from './document-reader.ts';
import { type Expectation, readExpectation, readState, type StateMatcher } from './expectation.ts';
import { readAddons } from './read-addons.ts';
import { readCloud } from './read-cloud.ts';
import { readFault } from './read-fault.ts';
import { readFlags } from './read-flags.ts';
import { readImages } from './read-images.ts';
import { readLoad } from './read-load.ts';
import { readRequest } from './read-request.ts';
import { readSchedulerConfig, readSchedulers } from './read-scheduler-config.ts';
import { splitWords } from './words.ts';

/** One step of a scenario. `line` is where it stands in the file. */
export type Step = { readonly line: string } & (
  | { readonly step: 'kubectl'; readonly args: readonly string[]; readonly files: Readonly<Record<string, string>> }
  | { readonly step: 'fault'; readonly fault: Fault }
  | { readonly step: 'load'; readonly load: Load }
  | { readonly step: 'request'; readonly visit: Visit }
  /** Virtual milliseconds. */
  | { readonly step: 'wait'; readonly ms: number }
  | { readonly step: 'settle'; readonly withinMs: number }
  | { readonly step: 'until'; readonly state: StateMatcher; readonly withinMs: number }
  /** Names the first object (by name) that fits, for `{name}` in later commands. */
  | { readonly step: 'pick'; readonly variable: string; readonly state: StateMatcher }
);

export interface Scenario {
  readonly title: string;
  readonly description: string;
  readonly config: ClusterConfig;
  readonly steps: readonly Step[];
  readonly expect: readonly Expectation[];
}

/** Reads a file that a scenario names, relative to the scenario; undefined when it is not there. */
export type ReadFile = (name: string) => string | undefined;

/** The fields of a file that say what its cluster is made of. */
export const CLUSTER_FIELDS = [
  'seed',
  'nodes',
  'components',
  'controllers',
  'schedulerConfig',
  'schedulers',
  'images',
  'addons',
  'cloud',
  'flags',
] as const;
const FIELDS = ['title', 'description', ...CLUSTER_FIELDS, 'steps', 'expect'];
const STEPS = ['apply', 'kubectl', 'fault', 'load', 'request', 'wait', 'pick'] as const;
const DEFAULT_WAIT_MS = 600_000;

/** Parses a scenario file. @throws DocumentError naming file, line, column, field and what was expected */
export function parseScenario(text: string, file: string, readFile: ReadFile): Scenario {
  const root = readDocument(text, file);
  root.onlyFields(FIELDS);
  const steps = root.field('steps');
  if (!steps.exists) root.fail('a scenario needs steps');
  return {
    title: root.field('title').string(),
    description: root.field('description').exists ? root.field('description').string() : '',
    config: readClusterConfig(root, readFile),
    steps: steps.items().map((item) => readStep(item, readFile)),
    expect: root.field('expect').items().map(readExpectation),
  };
}

function readController(item: DocumentReader): string {
  const name = item.string();
  const problem = problemWithControllers([name]);
  return problem ? item.fail(problem) : name;
}

/** Reads the `CLUSTER_FIELDS` of a map. @throws DocumentError */
export function readClusterConfig(root: DocumentReader, readFile: ReadFile): ClusterConfig {
  const seed = root.field('seed');
  const components = root.field('components');
  const controllers = root.field('controllers');
  const schedulerConfig = root.field('schedulerConfig');
  const schedulers = root.field('schedulers');
  const images = root.field('images');
  const addons = root.field('addons');
  const cloud = root.field('cloud');
  const flags = root.field('flags');
  return {
    ...(seed.exists ? { seed: seed.text() } : {}),
    nodes: readNodes(root.field('nodes'), readFile),
    ...(components.exists ? { components: components.items().map((item) => item.oneOf<ComponentName>(ALL_COMPONENTS)) } : {}),
    ...(controllers.exists ? { controllers: controllers.items().map(readController) } : {}),
    ...(schedulerConfig.exists ? { schedulerConfig: readSchedulerConfig(schedulerConfig, readFile) } : {}),
    ...(schedulers.exists ? { schedulers: readSchedulers(schedulers, readFile) } : {}),
    ...(images.exists ? { images: readImages(images) } : {}),
    ...(addons.exists ? { addons: readAddons(addons) } : {}),
    ...(cloud.exists ? { cloud: readCloud(cloud) } : {}),
    ...(flags.exists ? { flags: readFlags(flags) } : {}),
  };
}

function readNodes(reader: DocumentReader, readFile: ReadFile): number | NodeConfig[] {
  if (!reader.exists) return 3;
  if (reader.isNumber) {
    const count = reader.number();
    if (!Number.isInteger(count) || count < 0) reader.fail('expected how many nodes: a whole number, 0 or more');
    return count;
  }
  return reader.items().map((node) => {
    node.onlyFields(['name', 'cpu', 'memory', 'pods', 'podCIDR', 'labels', 'taints', 'gpus', 'staticPods', 'kubeletConfiguration']);
    const labels = node.field('labels');
    const taints = node.field('taints');
    return {
      name: node.field('name').string(),
      ...(node.field('cpu').exists ? { cpu: node.field('cpu').text() } : {}),
      ...(node.field('memory').exists ? { memory: node.field('memory').text() } : {}),
      ...(node.field('pods').exists ? { pods: node.field('pods').number() } : {}),
      ...(node.field('podCIDR').exists ? { podCIDR: readRange(node.field('podCIDR')) } : {}),
      ...(node.field('staticPods').exists
        ? {
            staticPods: node
              .field('staticPods')
              .items()
              .map((item) => readManifest(item, readFile)),
          }
        : {}),
      ...(node.field('kubeletConfiguration').exists
        ? { kubeletConfiguration: readKubeletConfiguration(node.field('kubeletConfiguration')) }
        : {}),
      ...(node.field('gpus').exists ? { gpus: node.field('gpus').number() } : {}),
      ...(labels.exists ? { labels: Object.fromEntries(labels.fieldNames().map((name) => [name, labels.field(name).text()])) } : {}),
      ...(taints.exists ? { taints: taints.items().map(readTaint) } : {}),
    };
  });
}

function readRange(reader: DocumentReader): string {
  const range = reader.string();
  if (!/^\d{1,3}(\.\d{1,3}){3}\/\d{1,2}$/.test(range)) reader.fail('expected a range of addresses, e.g. 10.128.4.0/24');
  return range;
}

function readKubeletConfiguration(reader: DocumentReader): KubeletConfiguration {
  reader.onlyFields(KUBELET_CONFIGURATION_FIELDS);
  return (reader.value() ?? {}) as KubeletConfiguration;
}

function readManifest(reader: DocumentReader, readFile: ReadFile): string {
  const text = reader.string();
  return text.includes('\n') ? text : fileOf(reader, text, readFile);
}

function readTaint(reader: DocumentReader): { key: string; value?: string; effect: string } {
  reader.onlyFields(['key', 'value', 'effect']);
  const value = reader.field('value');
  return {
    key: reader.field('key').string(),
    ...(value.exists ? { value: value.text() } : {}),
    effect: reader.field('effect').oneOf(['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
  };
}

/** Reads one step. @throws DocumentError */
export function readStep(reader: DocumentReader, readFile: ReadFile): Step {
  reader.onlyFields(STEPS);
  const kind = STEPS.find((name) => reader.field(name).exists);
  if (!kind) reader.fail(`expected one of ${STEPS.join(', ')}`);
  const body = reader.field(kind);
  const line = body.path;
  switch (kind) {
    case 'apply':
      return { line, step: 'kubectl', ...readApply(body, readFile) };
    case 'kubectl':
      return { line, step: 'kubectl', ...readKubectl(body, readFile) };
    case 'fault':
      return { line, step: 'fault', fault: readFault(body) };
    case 'load':
      return { line, step: 'load', load: readLoad(body) };
    case 'request':
      return { line, step: 'request', visit: readRequest(body) };
    case 'wait':
      return { line, ...readWait(body) };
    case 'pick': {
      const [variable, ...more] = body.fieldNames();
      if (!variable || more.length) return body.fail('expected one name, and what it stands for: { pod: { kind: Pod, … } }');
      return { line, step: 'pick', variable, state: readState(body.field(variable)) };
    }
  }
}

/** A file name, or the manifest itself as a text of several lines. */
function readApply(reader: DocumentReader, readFile: ReadFile): { args: string[]; files: Record<string, string> } {
  const text = reader.string();
  if (text.includes('\n')) return { args: ['apply', '-f', reader.path], files: { [reader.path]: text } };
  return { args: ['apply', '-f', text], files: { [text]: fileOf(reader, text, readFile) } };
}

function readKubectl(reader: DocumentReader, readFile: ReadFile): { args: string[]; files: Record<string, string> } {
  const args = splitWords(reader.string());
  if (!args) reader.fail('a quote is not closed');
  if (!args.length) reader.fail('expected a command such as: delete pod web-1');
  if (args[0] === 'kubectl') args.shift();
  const files: Record<string, string> = {};
  args.forEach((word, index) => {
    const name = word === '-f' || word === '--filename' ? args[index + 1] : /^(?:-f|--filename)=(.+)$/.exec(word)?.[1];
    if (name !== undefined) files[name] = fileOf(reader, name, readFile);
  });
  return { args, files };
}

function fileOf(reader: DocumentReader, name: string, readFile: ReadFile): string {
  return readFile(name) ?? reader.fail(`there is no file "${name}" beside the scenario`);
}

type WaitStep =
  | { step: 'settle'; withinMs: number }
  | { step: 'wait'; ms: number }
  | { step: 'until'; state: StateMatcher; withinMs: number };

function readWait(reader: DocumentReader): WaitStep {
  if (reader.isText)
    return reader.string() === 'settled' ? { step: 'settle', withinMs: DEFAULT_WAIT_MS } : { step: 'wait', ms: reader.duration() };
  reader.onlyFields(['until', 'within']);
  const within = reader.field('within');
  const withinMs = within.exists ? within.duration() : DEFAULT_WAIT_MS;
  const until = reader.field('until');
  if (until.isText && until.string() === 'settled') return { step: 'settle', withinMs };
  return { step: 'until', state: readState(until), withinMs };
}

import type { Node, Pod } from '../../api/kinds/core-v1.ts';
import type { KubernetesObject } from '../../api/object.ts';
import { parseQuantity } from '../../api/quantity.ts';
import type { Resource } from '../../api/resource.ts';
import { nodes, pods } from '../../api/resources.ts';
import { isNotFound } from '../../api/status-error.ts';
import { customResource } from '../../client/custom-resource.ts';
import type { Command, CommandContext } from '../command.ts';
import { discoverResources } from '../discovery.ts';
import { KubectlError } from '../kubectl-error.ts';
import { printTable, type Table } from '../table.ts';

type Usage = Readonly<Record<string, string>>;
interface NodeMetrics extends KubernetesObject {
  readonly usage: Usage;
}
interface PodMetrics extends KubernetesObject {
  readonly containers: readonly { readonly name: string; readonly usage: Usage }[];
}

const GROUP = { group: 'metrics.k8s.io', version: 'v1beta1' };
const NODE_METRICS = customResource<NodeMetrics>({ ...GROUP, resource: 'nodes', kind: 'NodeMetrics', namespaced: false });
const POD_METRICS = customResource<PodMetrics>({ ...GROUP, resource: 'pods', kind: 'PodMetrics', namespaced: true });
const MEBIBYTE = 2 ** 20;

/** CPU in thousandths, memory in bytes. */
interface Amounts {
  readonly cpu: number;
  readonly memory: number;
}

interface Row extends Amounts {
  readonly namespace?: string | undefined;
  readonly cells: readonly string[];
}

/** kubectl top: what nodes and pods use. kubectl pkg/cmd/top, pkg/metricsutil */
export const top: Command = {
  flags: {
    selector: { type: 'string', short: 'l' },
    'sort-by': { type: 'string' },
    'all-namespaces': { type: 'boolean', short: 'A' },
    containers: { type: 'boolean' },
    'no-headers': { type: 'boolean' },
  },
  async run(context) {
    const [what = '', name, ...more] = context.args;
    if (more.length > 0) throw new KubectlError('error: one name at most, or a selector');
    const sortBy = context.flags.string('sort-by') ?? '';
    if (!['', 'cpu', 'memory'].includes(sortBy)) throw new KubectlError('error: --sort-by accepts only cpu or memory');
    if (name !== undefined && context.flags.string('selector'))
      throw new KubectlError('error: only one of NAME or --selector can be provided');
    const isNodes = ['node', 'nodes', 'no'].includes(what);
    if (!isNodes && !['pod', 'pods', 'po'].includes(what))
      throw new KubectlError(`error: unknown command "${what}" for "kubectl top"; there are: node, pod`);
    const served = await discoverResources(context.client);
    if (!served.some(({ group }) => group === GROUP.group)) throw new KubectlError('error: Metrics API not available');
    return isNodes ? topNodes(context, name) : topPods(context, name);
  },
};

async function topNodes(context: CommandContext, name: string | undefined): Promise<void> {
  const metrics = await read(context, NODE_METRICS, name);
  const all: readonly Node[] = await read(context, nodes, name);
  if (metrics.length === 0) throw new KubectlError('error: metrics not available yet');
  const usages = new Map(metrics.map(({ metadata, usage }) => [metadata.name, amountsOf(usage)]));
  const rows = all.map(({ metadata, status }): Row => {
    const used = usages.get(metadata.name);
    const { cpu, memory } = amountsOf(status?.allocatable ?? {});
    if (!used) return { cpu: 0, memory: 0, cells: [metadata.name ?? '', '<unknown>', '<unknown>', '<unknown>', '<unknown>'] };
    const cells = [metadata.name ?? '', cpuText(used), percent(used.cpu, cpu), memoryText(used), percent(used.memory, memory)];
    return { ...used, cells };
  });
  print(context, { columns: ['NAME', 'CPU(cores)', 'CPU(%)', 'MEMORY(bytes)', 'MEMORY(%)'], rows, namespaces: false });
}

async function topPods(context: CommandContext, name: string | undefined): Promise<void> {
  const namespaces = context.flags.boolean('all-namespaces');
  const metrics = await read(context, POD_METRICS, name);
  if (metrics.length === 0) return explainNone(context, name);
  const each = context.flags.boolean('containers');
  const rows = metrics.flatMap(({ metadata, containers }): Row[] => {
    const { namespace, name: pod = '' } = metadata;
    const used = containers.map((container) => ({ container: container.name, amounts: amountsOf(container.usage) }));
    if (each)
      return used.map(({ container, amounts }) => ({
        ...amounts,
        namespace,
        cells: [pod, container, cpuText(amounts), memoryText(amounts)],
      }));
    const total = used.reduce((sum, { amounts }) => ({ cpu: sum.cpu + amounts.cpu, memory: sum.memory + amounts.memory }), {
      cpu: 0,
      memory: 0,
    });
    return [{ ...total, namespace, cells: [pod, cpuText(total), memoryText(total)] }];
  });
  print(context, { columns: [...(each ? ['POD', 'NAME'] : ['NAME']), 'CPU(cores)', 'MEMORY(bytes)'], rows, namespaces });
}

/** pkg/cmd/top/top_pod.go verifyEmptyMetrics */
async function explainNone(context: CommandContext, name: string | undefined): Promise<void> {
  const found: readonly Pod[] = await read(context, pods, name);
  if (found.length > 0) throw new KubectlError('error: metrics not available yet');
  context.warn(context.flags.boolean('all-namespaces') ? 'No resources found' : `No resources found in ${context.namespace} namespace.`);
}

async function read<T extends KubernetesObject>(
  context: CommandContext,
  resource: Resource<T>,
  name: string | undefined,
): Promise<readonly T[]> {
  const everywhere = context.flags.boolean('all-namespaces');
  const place = resource.namespaced && !everywhere ? { namespace: context.namespace } : {};
  const client = context.client.resource(resource);
  if (name !== undefined) return [await client.get({ ...place, name })];
  const labelSelector = context.flags.string('selector');
  try {
    return (await client.list({ ...place, ...(labelSelector ? { labelSelector } : {}) })).items;
  } catch (error) {
    if (isNotFound(error)) throw new KubectlError('error: Metrics API not available');
    throw error;
  }
}

function print(
  context: CommandContext,
  { columns, rows, namespaces }: { readonly columns: readonly string[]; readonly rows: readonly Row[]; readonly namespaces: boolean },
): void {
  const sortBy = context.flags.string('sort-by');
  const sorted = sortBy === 'cpu' || sortBy === 'memory' ? [...rows].sort((a, b) => b[sortBy] - a[sortBy]) : rows;
  const table: Table = {
    columnDefinitions: columns.map((name) => ({ name, priority: 0 })),
    rows: sorted.map(({ cells, namespace }) => ({ cells, object: { metadata: { ...(namespace ? { namespace } : {}) } } })),
  };
  const lines = printTable(table, { wide: false, namespaces, prefix: '', asWritten: true });
  for (const line of context.flags.boolean('no-headers') ? lines.slice(1) : lines) context.out(line);
}

function amountsOf({ cpu, memory }: Usage): Amounts {
  return { cpu: parseQuantity(cpu).milliValue(), memory: parseQuantity(memory).value() };
}

function cpuText({ cpu }: Amounts): string {
  return `${cpu}m`;
}

function memoryText({ memory }: Amounts): string {
  return `${Math.floor(memory / MEBIBYTE)}Mi`;
}

function percent(used: number, of: number): string {
  return `${Math.trunc((used / of) * 100)}%`;
}

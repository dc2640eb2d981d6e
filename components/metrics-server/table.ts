import { parseQuantity, Quantity } from '../../src/api/quantity.ts';

type Usage = Readonly<Record<string, string>>;

/** NodeMetrics, or PodMetrics with a usage for each container. */
export interface Metrics {
  readonly metadata: { readonly name?: string };
  readonly window: string;
  readonly usage?: Usage;
  readonly containers?: readonly { readonly usage: Usage }[];
}

const COLUMN = { priority: 0, type: 'string', format: '', description: '' };

/** What `kubectl get` shows: name, cpu, memory, window. metrics-server pkg/api/table.go addPodMetricsToTable, addNodeMetricsToTable */
export function tableOf(items: readonly Metrics[]): object {
  const rows = items.map((object) => {
    const usage = sumOf(object);
    const partial = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata };
    return { cells: [object.metadata.name ?? '', ...Object.values(usage), object.window], object: partial };
  });
  const [first] = items;
  const resources = first ? Object.keys(sumOf(first)) : [];
  const columnDefinitions = first
    ? [
        { ...COLUMN, name: 'Name', format: 'name', description: 'Name of the resource' },
        ...resources.map((name) => ({ ...COLUMN, name, format: 'quantity' })),
        { ...COLUMN, name: 'Window', format: 'duration' },
      ]
    : [];
  return { kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: {}, columnDefinitions, rows };
}

/** By resource, in order of their names. */
function sumOf({ usage, containers = [] }: Metrics): Usage {
  const parts = usage ? [usage] : containers.map((container) => container.usage);
  const names = [...new Set(parts.flatMap((part) => Object.keys(part)))].sort();
  const zero = new Quantity(0n);
  return Object.fromEntries(names.map((name) => [name, parts.reduce((sum, part) => sum.add(parseQuantity(part[name])), zero).toString()]));
}

import type { CreateVolumeRequest, Topology } from '../../src/api/csi.ts';
import type { Node, VolumeNodeAffinity } from '../../src/api/kinds/core-v1.ts';
import type { StorageClass } from '../../src/api/kinds/storage-v1.ts';
import { csinodes, nodes } from '../../src/api/resources.ts';
import type { ProvisionerParts } from './server.ts';

/**
 * From where a volume must be reachable: the segment of the selected node first, then all that the class allows.
 * @returns nothing for drivers that know no topology. external-provisioner pkg/controller GenerateAccessibilityRequirements
 */
export function accessibilityRequirements(
  { config, informers }: ProvisionerParts,
  storageClass: StorageClass,
  selectedNode: string | undefined,
): CreateVolumeRequest['accessibilityRequirements'] {
  const keysOn = (node: Node): readonly string[] => {
    const { drivers } = informers.forResource(csinodes).store.get(node.metadata.name ?? '')?.spec ?? {};
    return drivers?.find(({ name }) => name === config.driver)?.topologyKeys ?? [];
  };
  const all = informers
    .forResource(nodes)
    .store.list()
    .flatMap((node) => segmentsOf(node, keysOn(node)));
  const allowed = distinct(all.filter((topology) => isAllowed(topology, storageClass)));
  if (allowed.length === 0) return undefined;
  const node = selectedNode ? informers.forResource(nodes).store.get(selectedNode) : undefined;
  const own = node ? segmentsOf(node, keysOn(node)) : [];
  const preferred = distinct([...own, ...allowed]);
  return { requisite: allowed, preferred };
}

function segmentsOf({ metadata }: Node, keys: readonly string[]): Topology[] {
  if (keys.length === 0) return [];
  const entries = keys.map((key): [string, string] => [key, metadata.labels?.[key] ?? '']);
  return entries.every(([, value]) => value) ? [{ segments: Object.fromEntries(entries) }] : [];
}

function isAllowed({ segments }: Topology, { allowedTopologies }: StorageClass): boolean {
  const terms = allowedTopologies ?? [];
  return (
    terms.length === 0 ||
    terms.some((term) => (term.matchLabelExpressions ?? []).every(({ key, values }) => values.includes(segments[key] ?? '')))
  );
}

function distinct(all: readonly Topology[]): Topology[] {
  return [...new Map(all.map((topology) => [JSON.stringify(Object.entries(topology.segments).sort()), topology])).values()];
}

/** external-provisioner pkg/controller GenerateVolumeNodeAffinity */
export function nodeAffinityOf(topologies: readonly Topology[] | undefined): VolumeNodeAffinity | undefined {
  if (!topologies?.length) return undefined;
  const nodeSelectorTerms = topologies.map(({ segments }) => ({
    matchExpressions: Object.entries(segments).map(([key, value]) => ({ key, operator: 'In', values: [value] })),
  }));
  return { required: { nodeSelectorTerms } };
}

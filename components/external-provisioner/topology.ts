import type { CreateVolumeRequest, CsiController, Topology } from '../../src/api/csi.ts';
import { fnv32 } from '../../src/api/hash.ts';
import type { Node, VolumeNodeAffinity } from '../../src/api/kinds/core-v1.ts';
import type { CSINode, StorageClass } from '../../src/api/kinds/storage-v1.ts';
import { csinodes, nodes } from '../../src/api/resources.ts';
import type { ProvisionerParts } from './server.ts';

class TopologyProblem extends Error {
  override name = 'TopologyProblem';
}

/** What a volume is made for. */
export interface Placement {
  readonly storageClass: StorageClass;
  /** The claim's name: volumes of a StatefulSet are spread by it. */
  readonly claim: string;
  /** Where the pod goes, once the scheduler has said so. */
  readonly selectedNode: Node | undefined;
}

/** Whether volumes of the driver can be reached from some places only. external-provisioner pkg/controller SupportsTopology */
export function knowsTopology(driver: CsiController | undefined): boolean {
  return driver?.pluginCapabilities?.includes('VOLUME_ACCESSIBILITY_CONSTRAINTS') ?? false;
}

/**
 * From where a volume must be reachable: all places that the class or the nodes have, and which of them is best. That is where the pod goes; without one, places take turns.
 * @returns nothing for drivers that know no topology. external-provisioner pkg/controller GenerateAccessibilityRequirements
 * @throws TopologyProblem when the selected node does not say where it is
 */
export function accessibilityRequirements(
  parts: ProvisionerParts,
  { storageClass, claim, selectedNode }: Placement,
): CreateVolumeRequest['accessibilityRequirements'] {
  if (!knowsTopology(parts.config.socket()?.service)) return undefined;
  const selected = selectedNode && topologyOfSelected(parts, selectedNode);
  const { allowedTopologies = [] } = storageClass;
  const requisite = distinct(allowedTopologies.length > 0 ? flatten(allowedTopologies) : aggregateTopologies(parts));
  if (requisite.length === 0) return undefined;
  const sorted = requisite.toSorted((one, other) => (textOf(one) < textOf(other) ? -1 : 1));
  const first = selected ? sorted.findIndex((topology) => isWithin(topology, selected)) : turnOf(claim) % sorted.length;
  if (first < 0) {
    const text = (topologies: readonly Topology[]): string => topologies.map(textOf).join(' ');
    throw problem(
      `topology ${text([selected as Topology])} from selected node "${selectedNode?.metadata.name}" is not in requisite: ${text(requisite)}`,
    );
  }
  return { requisite, preferred: [...sorted.slice(first), ...sorted.slice(0, first)] };
}

function problem(why: string): TopologyProblem {
  return new TopologyProblem(`error generating accessibility requirements: ${why}`);
}

function topologyOfSelected({ config, informers }: ProvisionerParts, { metadata }: Node): Topology {
  const { name = '', labels = {} } = metadata;
  const csiNode = informers.forResource(csinodes).store.get(name);
  if (!csiNode) throw problem(`error getting CSINode for selected node "${name}": csinode.storage.k8s.io "${name}" not found`);
  const keys = topologyKeys(csiNode, config.driver);
  if (keys.length === 0) throw problem(`no topology key found on CSINode ${name}`);
  const topology = topologyFrom(labels, keys);
  if (!topology)
    throw problem(`topology labels from selected node ${goMap(labels)} does not match topology keys from CSINode [${keys.join(' ')}]`);
  return topology;
}

/** As Go prints a map. */
function goMap(map: Readonly<Record<string, string>>): string {
  const entries = Object.entries(map).sort(([one], [other]) => (one < other ? -1 : 1));
  return `map[${entries.map(([key, value]) => `${key}:${value}`).join(' ')}]`;
}

function topologyKeys({ spec }: CSINode, driver: string): readonly string[] {
  return spec.drivers?.find(({ name }) => name === driver)?.topologyKeys ?? [];
}

function topologyFrom(labels: Readonly<Record<string, string>>, keys: readonly string[]): Topology | undefined {
  const entries = keys.map((key): [string, string] => [key, labels[key] ?? '']);
  return entries.every(([, value]) => value) ? { segments: Object.fromEntries(entries) } : undefined;
}

/** external-provisioner pkg/controller aggregateTopologies: where the nodes are. */
function aggregateTopologies({ config, informers }: ProvisionerParts): Topology[] {
  const { store } = informers.forResource(csinodes);
  return informers
    .forResource(nodes)
    .store.list()
    .flatMap(({ metadata }) => {
      const csiNode = store.get(metadata.name ?? '');
      const keys = csiNode ? topologyKeys(csiNode, config.driver) : [];
      return keys.length > 0 ? (topologyFrom(metadata.labels ?? {}, keys) ?? []) : [];
    });
}

/** external-provisioner pkg/controller flatten: each choice of a value for every key is a place. */
function flatten(terms: NonNullable<StorageClass['allowedTopologies']>): Topology[] {
  return terms.flatMap(({ matchLabelExpressions = [] }) =>
    matchLabelExpressions.reduce<Topology[]>(
      (places, { key, values }) => places.flatMap(({ segments }) => values.map((value) => ({ segments: { ...segments, [key]: value } }))),
      matchLabelExpressions.length > 0 ? [{ segments: {} }] : [],
    ),
  );
}

/** A place of the class may name fewer keys than a node has. */
function isWithin({ segments }: Topology, { segments: place }: Topology): boolean {
  return Object.entries(segments).every(([key, value]) => place[key] === value);
}

/** A claim of a StatefulSet (`data-web-1`) goes by the set and its number, so that all claims of a pod come to one place, and its pods to others. getPVCNameHashAndIndexOffset */
function turnOf(claim: string): number {
  const [, base = claim, number] = /^(.*)-(\d+)$/.exec(claim) ?? [];
  if (number === undefined || Number(number) > 0xffffffff) return fnv32(claim);
  return (fnv32(base.slice(base.lastIndexOf('-') + 1)) + Number(number)) >>> 0;
}

function textOf({ segments }: Topology): string {
  return JSON.stringify(Object.entries(segments).sort(([one], [other]) => (one < other ? -1 : 1)));
}

function distinct(all: readonly Topology[]): Topology[] {
  return [...new Map(all.map((topology) => [textOf(topology), topology])).values()];
}

/** external-provisioner pkg/controller GenerateVolumeNodeAffinity */
export function nodeAffinityOf(topologies: readonly Topology[] | undefined): VolumeNodeAffinity | undefined {
  if (!topologies?.length) return undefined;
  const nodeSelectorTerms = topologies.map(({ segments }) => ({
    matchExpressions: Object.entries(segments).map(([key, value]) => ({ key, operator: 'In', values: [value] })),
  }));
  return { required: { nodeSelectorTerms } };
}

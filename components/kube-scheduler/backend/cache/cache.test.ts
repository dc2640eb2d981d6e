import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Node, Pod } from '../../../../src/api/kinds/core-v1.ts';
import type { NodeInfo } from '../../framework/node-info.ts';
import { Cache } from './cache.ts';
import { newSnapshot, Snapshot } from './snapshot.ts';

// Goal: a snapshot that follows the cache costs only what changed, and yet is the one that nodes and pods alone would give.
// Method: random sequences of events on a model that only keeps nodes and pods; after each snapshot both are compared.

interface Model {
  readonly nodes: Map<string, Node>;
  readonly pods: Map<string, Pod>;
}

type Command = (model: Model, cache: Cache) => void;

function node(name: string, variant: number): Node {
  const labels: Record<string, string> = { 'kubernetes.io/hostname': name };
  if (variant % 3) labels['topology.kubernetes.io/zone'] = `z${variant % 3}`;
  const images = variant % 2 ? [{ names: ['app:1'], sizeBytes: 1000 }] : [];
  return {
    metadata: { name, labels },
    status: { allocatable: { cpu: String(variant), memory: '8Gi', pods: '110', 'example.com/gpu': '2' }, images },
  };
}

function pod(uid: string, nodeName: string, variant: number): Pod {
  const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'a' } } };
  return {
    metadata: { name: uid, namespace: 'default', uid, labels: { app: variant % 2 ? 'a' : 'b' } },
    spec: {
      nodeName,
      containers: [
        {
          name: 'c',
          resources: { requests: { cpu: `${variant}00m`, ...(variant % 3 ? { 'example.com/gpu': '1' } : {}) } },
          ports: variant % 4 === 0 ? [{ containerPort: 80, hostPort: 8000 + Number(uid.slice(1)) }] : [],
        },
      ],
      ...(variant % 5 === 0 ? { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } } } : {}),
      ...(variant % 7 === 0 ? { volumes: [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }] } : {}),
    },
  };
}

const nodeNames = fc.constantFrom('n1', 'n2', 'n3', 'n4', 'n5');
const podNames = fc.constantFrom('p1', 'p2', 'p3', 'p4', 'p5', 'p6', 'p7', 'p8');
const variants = fc.integer({ min: 1, max: 12 });

const commands: fc.Arbitrary<Command> = fc.oneof(
  fc.tuple(nodeNames, variants).map(
    ([name, variant]): Command =>
      (model, cache) => {
        const made = node(name, variant);
        model.nodes.set(name, made);
        cache.addNode(made);
      },
  ),
  nodeNames.map(
    (name): Command =>
      (model, cache) => {
        const gone = model.nodes.get(name);
        model.nodes.delete(name);
        if (gone) cache.removeNode(gone);
      },
  ),
  fc.tuple(podNames, nodeNames, variants, fc.boolean()).map(
    ([uid, nodeName, variant, assume]): Command =>
      (model, cache) => {
        const before = model.pods.get(uid);
        const made = pod(uid, before?.spec?.nodeName ?? nodeName, variant);
        model.pods.set(uid, made);
        if (before) cache.updatePod(made);
        else if (assume) cache.assumePod(made);
        else cache.addPod(made);
      },
  ),
  podNames.map(
    (uid): Command =>
      (model, cache) => {
        const gone = model.pods.get(uid);
        model.pods.delete(uid);
        if (gone && cache.isAssumedPod(gone)) cache.forgetPod(gone);
        else if (gone) cache.removePod(gone);
      },
  ),
);

/** What can be seen of a node, without the order of its pods. */
function seen(info: NodeInfo) {
  const names = (pods: readonly { readonly pod: Pod }[]): string[] => pods.map((one) => one.pod.metadata.uid ?? '').sort();
  const nonZero = ([, amount]: [string, number]): boolean => amount !== 0;
  return {
    name: info.name,
    node: info.node,
    pods: names(info.pods),
    affinity: names(info.podsWithAffinity),
    antiAffinity: names(info.podsWithRequiredAntiAffinity),
    requested: { ...info.requested, scalarResources: [...info.requested.scalarResources].filter(nonZero).sort() },
    nonZero: [info.nonZeroMilliCPU, info.nonZeroMemory],
    allocatable: info.allocatable,
    claims: [...info.pvcRefCounts].sort(),
    ports: [8001, 8002, 8003, 8004, 8005, 8006, 8007, 8008].map((port) =>
      info.usedPorts.conflicts({ ip: '0.0.0.0', protocol: 'TCP', port }),
    ),
    images: [...info.imageStates].map(([image, state]) => [image, state.size, [...state.nodes].sort()]),
  };
}

function expectSame(actual: Snapshot, model: Model): void {
  const fresh = newSnapshot([...model.pods.values()], [...model.nodes.values()]);
  const byName = (infos: readonly NodeInfo[]) => infos.map(seen).sort((a, b) => (a.name < b.name ? -1 : 1));
  expect(byName(actual.list)).toEqual(byName(fresh.list));
  expect([...actual.byName.keys()].sort()).toEqual([...fresh.byName.keys()].sort());
  expect(actual.list.map((info) => actual.get(info.name) === info)).not.toContain(false);
  const names = (infos: readonly NodeInfo[]): string[] => infos.map((info) => info.name).sort();
  expect(names(actual.havePodsWithAffinity)).toEqual(names(fresh.havePodsWithAffinity));
  expect(names(actual.havePodsWithRequiredAntiAffinity)).toEqual(names(fresh.havePodsWithRequiredAntiAffinity));
  expect([...actual.usedPVCs].sort()).toEqual([...fresh.usedPVCs].sort());
}

describe('Cache', () => {
  it('keeps a snapshot that equals one from scratch, whatever happened', () => {
    fc.assert(
      fc.property(fc.array(fc.array(commands, { maxLength: 6 }), { maxLength: 8 }), (batches) => {
        const model: Model = { nodes: new Map(), pods: new Map() };
        const cache = new Cache();
        const snapshot = new Snapshot();
        for (const batch of batches) {
          for (const command of batch) command(model, cache);
          cache.updateSnapshot(snapshot);
          expectSame(snapshot, model);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('does not change a snapshot that was taken', () => {
    const cache = new Cache();
    const snapshot = new Snapshot();
    cache.addNode(node('n1', 4));
    cache.updateSnapshot(snapshot);
    const before = snapshot.get('n1');
    cache.assumePod(pod('p1', 'n1', 1));
    expect(before?.pods).toEqual([]);
    cache.updateSnapshot(snapshot);
    expect(snapshot.get('n1')?.requested.milliCPU).toBe(100);
  });
});

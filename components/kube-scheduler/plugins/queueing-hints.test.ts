import { describe, expect, it } from 'vitest';
import type { Node, Pod } from '../../../src/api/kinds/core-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { QueuedPodInfo } from '../backend/queue/queued-pod-info.ts';
import { isPodWorthRequeuing } from '../backend/queue/queueing-hints.ts';
import { ActionType, type ClusterEvent, EventAssignedPodAdd, EventAssignedPodDelete } from '../framework/events.ts';
import type { Handle } from '../framework/interface.ts';
import { EventNodeAdd, nodeSchedulingPropertiesChange } from '../framework/node-scheduling-properties-change.ts';
import { podSchedulingPropertiesChange } from '../framework/pod-scheduling-properties-change.ts';
import { newInTreeRegistry } from './registry.ts';

// Goal: a pod that a plugin refused is tried again when something happens that may help it, and only then.
// Method: for each plugin, pods that it refused and things that happen, each with whether the pod is worth another try.

const ZONE = 'topology.kubernetes.io/zone';
const nothing = { get: () => undefined, list: () => [], listNamespace: () => [] };
const handle = { listers: new Proxy({}, { get: () => nothing }), snapshot: { list: [] } } as unknown as Handle;

interface Happening {
  readonly event: ClusterEvent;
  readonly before?: KubernetesObject;
  readonly after?: KubernetesObject;
}

const node = (labels: Record<string, string> = {}, more: { spec?: Node['spec']; allocatable?: Record<string, string> } = {}): Node => ({
  metadata: { name: 'n', labels },
  spec: more.spec ?? {},
  status: { allocatable: { cpu: '4', memory: '8Gi', pods: '10', ...more.allocatable } },
});
const pod = (name: string, spec: Partial<Pod['spec']> = {}, labels: Record<string, string> = {}): Pod => ({
  metadata: { name, uid: name, namespace: 'default', labels },
  spec: { schedulerName: 'default-scheduler', containers: [], ...spec },
});
const cpu = (amount: string) => ({ containers: [{ name: 'c', resources: { requests: { cpu: amount } } }] });
const ports = (hostPort: number) => ({ containers: [{ name: 'c', ports: [{ containerPort: 80, hostPort }] }] });
const claim = (claimName: string) => ({ volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }] });
const term = (app: string) => [{ topologyKey: ZONE, labelSelector: { matchLabels: { app } } }];
const affinity = (app: string) => ({ affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: term(app) } } });
const antiAffinity = (app: string) => ({ affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: term(app) } } });
const spread = (app: string) => ({
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { app } } },
  ],
});
const onNode = (one: Pod): Pod => ({ ...one, spec: { containers: [], ...one.spec, nodeName: 'n' } });

const nodeAdded = (after: Node): Happening => ({ event: EventNodeAdd, after });
const nodeChanged = (before: Node, after: Node): Happening[] =>
  nodeSchedulingPropertiesChange(after, before).map((event) => ({ event, before, after }));
const podAdded = (after: Pod): Happening => ({ event: EventAssignedPodAdd, after: onNode(after) });
const podDeleted = (before: Pod): Happening => ({ event: EventAssignedPodDelete, before: onNode(before) });
const podChanged = (before: Pod, after: Pod): Happening[] =>
  podSchedulingPropertiesChange(after, before).map((event) => ({ event, before, after }));
const added = (resource: ClusterEvent['resource'], after: object): Happening => ({
  event: { resource, actionType: ActionType.Add, label: '' },
  after: after as KubernetesObject,
});
const changed = (resource: ClusterEvent['resource'], before: object, after: object): Happening => ({
  event: { resource, actionType: ActionType.Update, label: '' },
  before: before as KubernetesObject,
  after: after as KubernetesObject,
});
const deleted = (resource: ClusterEvent['resource'], before: object): Happening => ({
  event: { resource, actionType: ActionType.Delete, label: '' },
  before: before as KubernetesObject,
});

const taints = [{ key: 'gpu', effect: 'NoSchedule' }];
const tolerations = [{ key: 'gpu', operator: 'Exists' }];
const named = (name: string, more: object = {}) => ({ metadata: { name, namespace: 'default' }, ...more });
const limit = (count: number) => named('n', { spec: { drivers: [{ name: 'd', nodeID: 'n', allocatable: { count } }] } });
const gates = [{ name: 'g' }];

/** What happened, the pod that waits, and whether it is worth a try. */
type Row = readonly [what: string, waiting: Pod, happened: Happening | Happening[], worth: boolean];

const TABLE: Readonly<Record<string, readonly Row[]>> = {
  NodeUnschedulable: [
    ['an open node comes', pod('p'), nodeAdded(node()), true],
    ['a cordoned node comes', pod('p'), nodeAdded(node({}, { spec: { unschedulable: true } })), false],
    ['a node is uncordoned', pod('p'), nodeChanged(node({}, { spec: { unschedulable: true } }), node()), true],
    ['a node is cordoned', pod('p'), nodeChanged(node(), node({}, { spec: { unschedulable: true } })), false],
  ],
  NodeName: [['a node comes', pod('p'), nodeAdded(node()), true]],
  TaintToleration: [
    ['a node without taints comes', pod('p'), nodeAdded(node()), true],
    ['a tainted node comes', pod('p'), nodeAdded(node({}, { spec: { taints } })), false],
    ['a taint goes', pod('p'), nodeChanged(node({}, { spec: { taints } }), node()), true],
    ['a label changes', pod('p'), nodeChanged(node(), node({ a: 'b' })), false],
    ['it tolerates more', pod('p'), podChanged(pod('p'), pod('p', { tolerations })), true],
  ],
  NodeAffinity: [
    ['a node comes that it selects', pod('p', { nodeSelector: { a: 'b' } }), nodeAdded(node({ a: 'b' })), true],
    ['another node comes', pod('p', { nodeSelector: { a: 'b' } }), nodeAdded(node()), false],
    ['a node gets the label', pod('p', { nodeSelector: { a: 'b' } }), nodeChanged(node(), node({ a: 'b' })), true],
    [
      'a node that it selects gets another label',
      pod('p', { nodeSelector: { a: 'b' } }),
      nodeChanged(node({ a: 'b' }), node({ a: 'b', c: 'd' })),
      false,
    ],
  ],
  NodePorts: [
    ['the port becomes free', pod('p', ports(80)), podDeleted(pod('q', ports(80))), true],
    ['another port becomes free', pod('p', ports(80)), podDeleted(pod('q', ports(81))), false],
    ['a node comes', pod('p', ports(80)), nodeAdded(node()), true],
  ],
  NodeResourcesFit: [
    ['any pod goes', pod('p', cpu('1')), podDeleted(pod('q')), true],
    ['a pod comes', pod('p', cpu('1')), podAdded(pod('q')), false],
    ['a node comes that is large enough', pod('p', cpu('4')), nodeAdded(node()), true],
    ['a node comes that is too small', pod('p', cpu('5')), nodeAdded(node()), false],
    ['a node grows', pod('p', cpu('5')), nodeChanged(node(), node({}, { allocatable: { cpu: '8' } })), true],
    [
      'a node grows in what it does not ask for',
      pod('p', cpu('4')),
      nodeChanged(node(), node({}, { allocatable: { memory: '9Gi' } })),
      false,
    ],
    ['a pod there shrinks', pod('p', cpu('1')), podChanged(onNode(pod('q', cpu('2'))), onNode(pod('q', cpu('1')))), true],
    ['it shrinks itself', pod('p', cpu('2')), podChanged(pod('p', cpu('2')), pod('p', cpu('1'))), true],
    ['a label of a node changes', pod('p', cpu('1')), nodeChanged(node(), node({ a: 'b' })), false],
  ],
  VolumeRestrictions: [
    ['a pod with the claim goes', pod('p', claim('a')), podDeleted(pod('q', claim('a'))), true],
    ['a pod with another claim goes', pod('p', claim('a')), podDeleted(pod('q', claim('b'))), false],
    ['its claim comes', pod('p', claim('a')), added('PersistentVolumeClaim', named('a')), true],
    ['another claim comes', pod('p', claim('a')), added('PersistentVolumeClaim', named('b')), false],
  ],
  NodeVolumeLimits: [
    ['a CSINode comes', pod('p', claim('a')), added('CSINode', limit(1)), true],
    ['a limit grows', pod('p', claim('a')), changed('CSINode', limit(1), limit(2)), true],
    ['a limit shrinks', pod('p', claim('a')), changed('CSINode', limit(2), limit(1)), false],
    ['a pod with claims goes', pod('p', claim('a')), podDeleted(pod('q', claim('b'))), true],
    ['a pod without claims goes', pod('p', claim('a')), podDeleted(pod('q')), false],
    ['a volume is detached', pod('p', claim('a')), deleted('VolumeAttachment', named('v')), true],
  ],
  VolumeBinding: [
    ['a class comes', pod('p', claim('a')), added('StorageClass', named('s')), true],
    ['something about a class changes', pod('p', claim('a')), changed('StorageClass', named('s'), named('s')), false],
    ['its claim changes', pod('p', claim('a')), changed('PersistentVolumeClaim', named('a'), named('a')), true],
    ['another claim changes', pod('p', claim('a')), changed('PersistentVolumeClaim', named('b'), named('b')), false],
    ['a volume comes', pod('p', claim('a')), added('PersistentVolume', named('v')), true],
    ['there is storage', pod('p', claim('a')), added('CSIStorageCapacity', named('c')), true],
    [
      'there is less storage',
      pod('p', claim('a')),
      changed('CSIStorageCapacity', named('c', { capacity: '2Gi' }), named('c', { capacity: '1Gi' })),
      false,
    ],
  ],
  VolumeZone: [
    [
      'a class that waits comes',
      pod('p', claim('a')),
      added('StorageClass', named('s', { volumeBindingMode: 'WaitForFirstConsumer' })),
      true,
    ],
    ['a class that does not wait comes', pod('p', claim('a')), added('StorageClass', named('s')), false],
    ['a node gets a label', pod('p', claim('a')), nodeChanged(node(), node({ a: 'b' })), true],
    ['a volume stays in its zone', pod('p', claim('a')), changed('PersistentVolume', named('v'), named('v')), false],
  ],
  PodTopologySpread: [
    ['a pod of its group comes', pod('p', spread('a')), podAdded(pod('q', {}, { app: 'a' })), true],
    ['a pod of another group comes', pod('p', spread('a')), podAdded(pod('q', {}, { app: 'b' })), false],
    [
      'a pod leaves its group',
      pod('p', spread('a')),
      podChanged(onNode(pod('q', {}, { app: 'a' })), onNode(pod('q', {}, { app: 'b' }))),
      true,
    ],
    ['a node with the key comes', pod('p', spread('a')), nodeAdded(node({ [ZONE]: 'z' })), true],
    ['a node without the key comes', pod('p', spread('a')), nodeAdded(node()), false],
    ['a node changes its zone', pod('p', spread('a')), nodeChanged(node({ [ZONE]: 'z' }), node({ [ZONE]: 'y' })), true],
    [
      'a node gets a label that is nothing to it',
      pod('p', spread('a')),
      nodeChanged(node({ [ZONE]: 'z' }), node({ [ZONE]: 'z', a: 'b' })),
      false,
    ],
  ],
  InterPodAffinity: [
    ['a friend comes', pod('p', affinity('a')), podAdded(pod('q', {}, { app: 'a' })), true],
    ['a stranger comes', pod('p', affinity('a')), podAdded(pod('q', {}, { app: 'b' })), false],
    [
      'a stranger becomes a friend',
      pod('p', affinity('a')),
      podChanged(onNode(pod('q', {}, { app: 'b' })), onNode(pod('q', {}, { app: 'a' }))),
      true,
    ],
    ['an enemy goes', pod('p', antiAffinity('a')), podDeleted(pod('q', {}, { app: 'a' })), true],
    ['a stranger goes', pod('p', antiAffinity('a')), podDeleted(pod('q', {}, { app: 'b' })), false],
    ['a node with the key comes', pod('p', affinity('a')), nodeAdded(node({ [ZONE]: 'z' })), true],
    ['a node without the key comes', pod('p', affinity('a')), nodeAdded(node()), false],
    ['a node without the key comes, far from enemies', pod('p', antiAffinity('a')), nodeAdded(node()), true],
  ],
  DynamicResources: [
    ['a slice comes', pod('p'), added('ResourceSlice', named('s')), true],
    ['a class comes', pod('p'), added('DeviceClass', named('s')), true],
    ['a node comes', pod('p'), nodeAdded(node()), true],
    ['a claim gives its devices back', pod('p'), changed('ResourceClaim', named('c', { status: { allocation: {} } }), named('c')), true],
    ['a claim of others changes', pod('p'), changed('ResourceClaim', named('c'), named('c', { status: { reservedFor: [] } })), false],
    ['a slice goes', pod('p'), deleted('ResourceSlice', named('s')), false],
  ],
  SchedulingGates: [
    ['its gates go', pod('p', { schedulingGates: gates }), podChanged(pod('p', { schedulingGates: gates }), pod('p')), true],
    [
      'its labels change',
      pod('p', { schedulingGates: gates }),
      podChanged(pod('p', { schedulingGates: gates }), pod('p', { schedulingGates: gates }, { a: 'b' })),
      false,
    ],
  ],
  DefaultPreemption: [['a pod goes', pod('p'), podDeleted(pod('q')), false]],
};

describe.each(Object.entries(TABLE))('a pod that %s refused', (name, rows) => {
  const plugin = newInTreeRegistry().get(name)?.(undefined, handle);
  const hints = new Map([[name, plugin?.eventsToRegister?.() ?? []]]);
  it.each(rows)('%s', (_what, waiting, happened, worth) => {
    const queued = new QueuedPodInfo(waiting, 0);
    queued.unschedulablePlugins = new Set([name]);
    const tries = [happened]
      .flat()
      .map(({ event, before, after }) => isPodWorthRequeuing(hints, queued, { event, oldObject: before, newObject: after }));
    expect(tries.some((strategy) => strategy !== 'skip')).toBe(worth);
  });
});

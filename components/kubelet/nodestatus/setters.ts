import type { Image } from '../../../src/api/cri.ts';
import type { ContainerImage, Node, NodeAddress, NodeCondition, NodeStatus } from '../../../src/api/kinds/core-v1.ts';
import { newQuantity, parseQuantity } from '../../../src/api/quantity.ts';
import type { DeviceCapacity } from '../cm/devicemanager/device-manager.ts';
import type { KubeletConfig } from '../config.ts';

/** What the kubelet knows when it makes up its node's status. */
export interface NodeFacts {
  readonly config: KubeletConfig;
  readonly nodeIp: string;
  readonly machineId: string;
  readonly bootId: string;
  readonly runtimeVersion: string;
  readonly images: readonly Image[];
  /** Why the node is not ready. */
  readonly notReady: readonly string[];
  /** Resources that run short, by condition. */
  readonly pressure: ReadonlySet<string>;
  /** By their unique names. */
  readonly volumesInUse: readonly string[];
  /** What device plugins have registered. */
  readonly devices: DeviceCapacity | undefined;
  /** RFC 3339. */
  readonly now: string;
}

const KUBELET_VERSION = 'v1.34.3';
/** pkg/kubelet/apis/config nodeStatusMaxImages */
const MAX_IMAGES = 50;
/** Hard eviction thresholds: what pods cannot have. */
const EVICTION_MEMORY = 100 * 1024 * 1024;
const EVICTION_STORAGE_SHARE = 0.1;
const DEFAULT_STORAGE = '100Gi';

/** pkg/kubelet/nodestatus/setters.go, all setters in their order. */
export function makeNodeStatus(facts: NodeFacts, old: NodeStatus | undefined): NodeStatus {
  const { volumesInUse } = facts;
  const { volumesInUse: _, ...others } = old ?? {};
  return {
    ...others,
    addresses: addresses(facts, old),
    ...machineInfo(facts, old),
    nodeInfo: nodeInfo(facts),
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    images: images(facts.images),
    ...(volumesInUse.length > 0 ? { volumesInUse: [...volumesInUse] } : {}),
    conditions: conditions(facts, old?.conditions ?? []),
  };
}

/** pkg/kubelet/nodestatus NodeAddress: what the cloud has set stays. */
function addresses({ config, nodeIp }: NodeFacts, old: NodeStatus | undefined): NodeAddress[] {
  if (config.cloudProvider && old?.addresses?.length) return old.addresses;
  return [
    { type: 'InternalIP', address: nodeIp },
    { type: 'Hostname', address: config.nodeName },
  ];
}

/** pkg/kubelet/nodestatus MachineInfo. Resources that somebody else wrote into the capacity stay, and are offered to pods. */
function machineInfo({ config, devices }: NodeFacts, old: NodeStatus | undefined): Pick<NodeStatus, 'capacity' | 'allocatable'> {
  const storage = parseQuantity(config.ephemeralStorage ?? DEFAULT_STORAGE).value();
  const memory = parseQuantity(config.memory).value();
  const fixed = { cpu: config.cpu, 'hugepages-1Gi': '0', 'hugepages-2Mi': '0', pods: String(config.pods), ...config.extendedResources };
  const capacity = {
    ...old?.capacity,
    ...fixed,
    'ephemeral-storage': config.ephemeralStorage ?? DEFAULT_STORAGE,
    memory: config.memory,
    ...devices?.capacity,
  };
  return {
    capacity,
    allocatable: {
      ...capacity,
      'ephemeral-storage': String(Math.floor(storage * (1 - EVICTION_STORAGE_SHARE))),
      memory: newQuantity(Math.max(0, memory - EVICTION_MEMORY), 'BinarySI').toString(),
      ...devices?.allocatable,
    },
  };
}

function nodeInfo({ machineId, bootId, runtimeVersion }: NodeFacts): NonNullable<NodeStatus['nodeInfo']> {
  return {
    architecture: 'amd64',
    bootID: bootId,
    containerRuntimeVersion: `containerd://${runtimeVersion}`,
    kernelVersion: '6.8.0',
    kubeProxyVersion: '',
    kubeletVersion: KUBELET_VERSION,
    machineID: machineId,
    operatingSystem: 'linux',
    osImage: 'Debian GNU/Linux 12 (bookworm)',
    systemUUID: machineId,
  };
}

/** pkg/kubelet/nodestatus Images: the largest ones. */
function images(all: readonly Image[]): ContainerImage[] {
  const sorted = [...all].sort((a, b) => b.size - a.size || ((a.repoTags[0] ?? '') < (b.repoTags[0] ?? '') ? -1 : 1));
  return sorted.slice(0, MAX_IMAGES).map(({ repoDigests, repoTags, size }) => ({ names: [...repoDigests, ...repoTags], sizeBytes: size }));
}

interface Wording {
  readonly type: string;
  readonly good: { readonly status: 'True' | 'False'; readonly reason: string; readonly message: string };
  readonly bad: { readonly status: 'True' | 'False'; readonly reason: string; readonly message: string };
}

const PRESSURES: readonly Wording[] = [
  {
    type: 'MemoryPressure',
    good: { status: 'False', reason: 'KubeletHasSufficientMemory', message: 'kubelet has sufficient memory available' },
    bad: { status: 'True', reason: 'KubeletHasInsufficientMemory', message: 'kubelet has insufficient memory available' },
  },
  {
    type: 'DiskPressure',
    good: { status: 'False', reason: 'KubeletHasNoDiskPressure', message: 'kubelet has no disk pressure' },
    bad: { status: 'True', reason: 'KubeletHasDiskPressure', message: 'kubelet has disk pressure' },
  },
  {
    type: 'PIDPressure',
    good: { status: 'False', reason: 'KubeletHasSufficientPID', message: 'kubelet has sufficient PID available' },
    bad: { status: 'True', reason: 'KubeletHasInsufficientPID', message: 'kubelet has insufficient PID available' },
  },
];

/** pkg/kubelet/nodestatus MemoryPressureCondition, DiskPressureCondition, PIDPressureCondition, ReadyCondition */
function conditions(facts: NodeFacts, old: readonly NodeCondition[]): NodeCondition[] {
  const { notReady, pressure, now } = facts;
  const ready: Wording = {
    type: 'Ready',
    good: { status: 'True', reason: 'KubeletReady', message: 'kubelet is posting ready status' },
    bad: { status: 'False', reason: 'KubeletNotReady', message: notReady.length > 1 ? `[${notReady.join(', ')}]` : (notReady[0] ?? '') },
  };
  const own = [...PRESSURES, ready].map((wording) => {
    const isBad = wording.type === 'Ready' ? notReady.length > 0 : pressure.has(wording.type);
    const wanted = isBad ? wording.bad : wording.good;
    const before = old.find(({ type }) => type === wording.type);
    const lastTransitionTime = before?.status === wanted.status ? (before.lastTransitionTime ?? now) : now;
    return { type: wording.type, ...wanted, lastHeartbeatTime: now, lastTransitionTime };
  });
  const others = old.filter(({ type }) => !own.some((condition) => condition.type === type));
  return [...others, ...own];
}

/** What the conditions say, without the heartbeat. */
export function conditionOf(node: Node | undefined, type: string): NodeCondition | undefined {
  return node?.status?.conditions?.find((condition) => condition.type === type);
}

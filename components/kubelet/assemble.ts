import type { ContainerRuntimeInterface, PodRuntimeState } from '../../src/api/cri.ts';
import type { Pod } from '../../src/api/kinds/core-v1.ts';
import type { Client } from '../../src/client/client.ts';
import type { EventRecorder } from '../../src/client/event-recorder.ts';
import type { Actor } from '../../src/sim/actor.ts';
import type { Random } from '../../src/sim/random.ts';
import { AllocationManager } from './allocation/allocation-manager.ts';
import { DeviceManager } from './cm/devicemanager/device-manager.ts';
import { PodConfig } from './config/pod-config.ts';
import type { KubeletConfig } from './config.ts';
import { PLEG_RELIST_MS } from './constants.ts';
import { findContainerStatusByName, isTerminalPhase } from './container/runtime.ts';
import { makeEnvironment } from './environment.ts';
import { EvictionManager } from './eviction/eviction-manager.ts';
import { ImageGcManager } from './images/image-gc-manager.ts';
import { ImageManager } from './images/image-manager.ts';
import { getPullSecretsForPod } from './images/pull-secrets.ts';
import type { Kubelet } from './kubelet.ts';
import type { NodeStatusManager } from './kubelet-node-status.ts';
import { ContainerGc } from './kuberuntime/kuberuntime-gc.ts';
import { KubeGenericRuntimeManager } from './kuberuntime/kuberuntime-manager.ts';
import { ReasonCache } from './kuberuntime/reason-cache.ts';
import type { RuntimeParts } from './kuberuntime/runtime-parts.ts';
import { addTerminationMessages } from './kuberuntime/termination-message.ts';
import { PodAdmission } from './lifecycle/admission.ts';
import { HandlerRunner } from './lifecycle/handlers.ts';
import { NodeShutdownManager, shutdownGroups } from './nodeshutdown/nodeshutdown-manager.ts';
import { ObjectReader } from './object-reader.ts';
import { Pleg } from './pleg.ts';
import { MirrorClient } from './pod/mirror-client.ts';
import { PodWorkers } from './pod-workers.ts';
import { CriticalPodAdmissionHandler } from './preemption/preemption.ts';
import { ProberManager, type ProbeUpdate } from './prober/prober-manager.ts';
import type { ServiceEnvironment } from './service-environment.ts';
import { StatusManager } from './status/status-manager.ts';
import { sysctlAllowlist } from './sysctl/allowlist.ts';
import { CsiVolumes } from './volumemanager/csi/csi-volumes.ts';
import { NodeExpansion } from './volumemanager/csi/node-expansion.ts';
import { NodeInfoManager } from './volumemanager/csi/node-info-manager.ts';
import { PluginManager } from './volumemanager/csi/plugin-manager.ts';
import { VolumeContents } from './volumemanager/volume-contents.ts';
import { VolumeManager } from './volumemanager/volume-manager.ts';
import { within } from './within.ts';

/** What a kubelet is made from. */
export interface Wiring {
  readonly actor: Actor;
  readonly client: Client;
  readonly config: KubeletConfig;
  readonly runtime: ContainerRuntimeInterface;
  readonly nodeIp: string;
  readonly random: Random;
  readonly recorder: EventRecorder;
  readonly nodeStatus: NodeStatusManager;
  readonly kubelet: Kubelet;
  readonly services: ServiceEnvironment;
}

/** The parts that the caller starts. */
export interface Assembled {
  readonly podConfig: PodConfig;
  readonly pleg: Pleg;
  readonly prober: ProberManager;
  readonly status: StatusManager;
  readonly workers: PodWorkers;
  readonly eviction: EvictionManager;
  readonly devices: DeviceManager;
  readonly csi: CsiVolumes;
  readonly plugins: PluginManager;
  readonly shutdown: NodeShutdownManager;
  readonly imageGc: ImageGcManager;
}

/** Makes the parts of the kubelet and connects them: pkg/kubelet/kubelet.go NewMainKubelet. */
export function assemble(wiring: Wiring): Assembled {
  const { actor, client, config, runtime, nodeIp, random, recorder, nodeStatus, kubelet } = wiring;
  const podConfig = new PodConfig(client, config.nodeName);
  const enrich = (state: PodRuntimeState): Promise<PodRuntimeState> => addTerminationMessages(runtime, state);
  const phaseMs = random.fork('pleg').integer(PLEG_RELIST_MS);
  const pleg = new Pleg({ actor, runtime, enrich, phaseMs, onEvent: (event, cause) => kubelet.handlePlegEvent(event, cause) });
  const workers = new PodWorkers({
    actor,
    random: random.fork('pod workers'),
    syncer: kubelet,
    getNewerThan: (uid, time) => pleg.getNewerThan(uid, time),
    onFinished: (uid) => kubelet.handleWorkerFinished(uid),
    onError: (pod, message) => traceError(actor, pod, message),
  });
  const podByUid = (uid: string): Pod | undefined => podConfig.get(uid);
  const status = new StatusManager({
    actor,
    client,
    podCouldHaveRunningContainers: (pod) => workers.couldHaveRunningContainers(pod.metadata.uid ?? ''),
  });
  const onResult = (update: ProbeUpdate): void => takeProbe({ status, kubelet }, update);
  const prober = new ProberManager({ actor, runtime, recorder, podByUid, podStatus: (uid) => status.getPodStatus(uid), onResult });
  const reasons = new ReasonCache();
  const devices = deviceManager(wiring, { podConfig, workers, pleg });
  const parts = runtimeParts(wiring, pleg, devices);
  const imageGc = imageGcManager(wiring);
  const eviction = evictionManager(wiring, { podConfig, workers, imageGc });
  const shutdown = shutdownManager(wiring, { podConfig, workers });
  const admission = podAdmission(wiring, { podConfig, eviction, shutdown, devices });
  const allocation = new AllocationManager({ node: () => nodeStatus.node, admission });
  const containerRuntime = new KubeGenericRuntimeManager(parts, { reasons, probes: prober, allocation });
  kubelet.connect({
    ...{ actor, runtime, recorder, podConfig, pleg, workers, status, prober, containerRuntime, enrich },
    volumes: parts.volumes,
    getPullSecrets: (pod) => getPullSecretsForPod({ objects: parts.objects, recorder }, pod),
    mirrors: mirrorClient(wiring, podConfig),
    admission,
    allocation,
    gc: new ContainerGc({
      actor,
      runtime,
      pleg,
      containerRuntime,
      isKnown: (uid) => podConfig.get(uid) !== undefined,
      isFinished: (uid) => workers.isFinished(uid),
    }),
    generate: {
      nodeIp,
      resizeConditions: (pod) => allocation.conditions(pod),
      actuated: (uid, container) => allocation.actuated(uid, container),
      startFailure: (uid, container) => reasons.get(uid, container),
      updatePodStatus: (pod, computed) => prober.updatePodStatus(pod, computed),
    },
    networkProblem: () => nodeStatus.networkProblem,
    forget: (uid) => {
      containerRuntime.forget(uid);
      parts.images.forget(uid);
      prober.forget(uid);
      parts.volumes.forget(uid);
      reasons.forget(uid);
      allocation.forget(uid);
    },
  });
  return { podConfig, pleg, prober, status, workers, eviction, devices, shutdown, imageGc, csi: parts.csi, plugins: parts.plugins };
}

function podAdmission(
  { config, recorder, nodeStatus, kubelet }: Wiring,
  parts: { podConfig: PodConfig; eviction: EvictionManager; shutdown: NodeShutdownManager; devices: DeviceManager },
): PodAdmission {
  const { podConfig, eviction, shutdown, devices } = parts;
  const preemption = new CriticalPodAdmissionHandler({
    recorder,
    pods: () => [...admission.reserved].map(({ pod, request }) => ({ pod: podConfig.get(pod.metadata.uid ?? '') ?? pod, request })),
    killPodNow: (pod, options) => kubelet.killPodNow(pod, options),
  });
  const admission: PodAdmission = new PodAdmission({
    node: () => nodeStatus.node,
    before: [(pod) => eviction.admit(pod), sysctlAllowlist(config.kubeletConfiguration?.allowedUnsafeSysctls ?? [])],
    after: [() => shutdown.admit()],
    devices,
    preempt: (pod, insufficient) => preemption.evictPodsToFreeRequests(pod, insufficient),
  });
  return admission;
}

function mirrorClient({ actor, client, config, nodeStatus }: Wiring, podConfig: PodConfig): MirrorClient {
  return new MirrorClient({
    ...{ actor, client, nodeName: config.nodeName },
    node: () => nodeStatus.node,
    mirrorOf: (pod) => podConfig.mirrorPodOf(pod),
    isKnown: (pod) => podConfig.staticPodOf(pod)?.metadata.uid === pod.metadata.uid,
  });
}

function imageGcManager({ actor, config, runtime, nodeStatus }: Wiring): ImageGcManager {
  return new ImageGcManager({
    ...{ actor, runtime, config: config.kubeletConfiguration ?? {} },
    nodeEvent: (reason, message) => nodeStatus.event(reason, message, 'Warning'),
  });
}

function shutdownManager(
  { actor, config, nodeStatus, kubelet }: Wiring,
  { podConfig, workers }: { podConfig: PodConfig; workers: PodWorkers },
): NodeShutdownManager {
  return new NodeShutdownManager({
    actor,
    groups: shutdownGroups(config.kubeletConfiguration ?? {}),
    activePods: () =>
      [...podConfig.pods].filter(({ metadata }) => workers.has(metadata.uid ?? '') && !workers.isFinished(metadata.uid ?? '')),
    killPodNow: (pod, options) => kubelet.killPodNow(pod, options),
    syncNodeStatus: () => nodeStatus.sync(),
  });
}

function deviceManager(
  { actor, config, runtime, nodeStatus, kubelet }: Wiring,
  { podConfig, workers, pleg }: { podConfig: PodConfig; workers: PodWorkers; pleg: Pleg },
): DeviceManager {
  return new DeviceManager({
    ...{ actor, files: runtime.files, sockets: config.sockets },
    isPodActive: (uid) =>
      workers.has(uid) ? workers.couldHaveRunningContainers(uid) : !isTerminalPhase(podConfig.get(uid)?.status?.phase ?? 'Failed'),
    isContainerRunning: (uid, container) => findContainerStatusByName(pleg.get(uid), container)?.state === 'CONTAINER_RUNNING',
    sourcesReady: () => kubelet.sourcesReady,
    onChange: () => nodeStatus.expectChange(),
  });
}

function evictionManager(
  { actor, config, runtime, recorder, nodeStatus, kubelet }: Wiring,
  { podConfig, workers, imageGc }: { podConfig: PodConfig; workers: PodWorkers; imageGc: ImageGcManager },
): EvictionManager {
  return new EvictionManager({
    ...{ actor, runtime, recorder, config: config.kubeletConfiguration ?? {} },
    reclaimDisk: async () => {
      await kubelet.removeDeadContainers();
      await imageGc.deleteUnusedImages();
    },
    node: () => nodeStatus.node,
    activePods: (matches) => {
      const active: Pod[] = [];
      const isActive = ({ metadata: { uid = '' } }: Pod): boolean => workers.has(uid) && !workers.isTerminating(uid);
      for (const pod of podConfig.pods) if (matches(pod) && isActive(pod)) active.push(pod);
      return active;
    },
    killPodNow: (pod, options) => kubelet.killPodNow(pod, options),
    isCleanedUp: ({ metadata }) => !workers.has(metadata.uid ?? '') || workers.isFinished(metadata.uid ?? ''),
    onPressureChange: () => void actor.schedule(0, () => nodeStatus.sync()),
    nodeEvent: (reason, message) => nodeStatus.event(reason, message, 'Warning'),
  });
}

/** What mounts the volumes of pods, by itself or with drivers. */
function volumeParts(
  { actor, client, config, runtime, recorder, nodeStatus }: Wiring,
  { objects, nodeAllocatable }: { readonly objects: ObjectReader; readonly nodeAllocatable: () => Readonly<Record<string, string>> },
): { readonly volumes: VolumeManager; readonly csi: CsiVolumes; readonly plugins: PluginManager } {
  const { nodeName, sockets } = config;
  const plugins = new PluginManager({ actor, sockets, info: new NodeInfoManager(client, () => nodeStatus.node) });
  const csi = new CsiVolumes({
    ...{ actor, nodeName, objects, plugins },
    onInUse: () => nodeStatus.expectChange(),
    reportedInUse: () => nodeStatus.node?.status?.volumesInUse ?? [],
  });
  const contents = new VolumeContents({ files: runtime.files, objects, csi, nodeAllocatable });
  const expansion = new NodeExpansion({ client, recorder, objects, csi, nodeName });
  return { csi, plugins, volumes: new VolumeManager({ actor, runtime, recorder, contents, csi, expansion }) };
}

/** What starting and stopping containers needs. */
function runtimeParts(
  wiring: Wiring,
  pleg: Pleg,
  devices: DeviceManager,
): RuntimeParts & {
  readonly objects: ObjectReader;
  readonly volumes: VolumeManager;
  readonly csi: CsiVolumes;
  readonly plugins: PluginManager;
} {
  const { actor, client, config, runtime, nodeIp, recorder, nodeStatus, services, kubelet } = wiring;
  const { nodeName } = config;
  const objects = new ObjectReader(client, nodeName);
  const nodeAllocatable = (): Readonly<Record<string, string>> => nodeStatus.node?.status?.allocatable ?? {};
  const { csi, plugins, volumes } = volumeParts(wiring, { objects, nodeAllocatable });
  const environment = { objects, services, nodeAllocatable };
  return {
    ...{ actor, nodeName, nodeIp, runtime, recorder, objects, volumes, csi, plugins },
    images: new ImageManager({ actor, runtime, recorder }),
    hooks: new HandlerRunner(actor, runtime),
    generateRunContainerOptions: async ({ pod, container, podIps }) => {
      const asked = devices.runContainerOptions(pod, container);
      const own = asked && (await asked);
      if (own && 'error' in own) return own;
      const made = await makeEnvironment(environment, { pod, container, runtime: { podIps, hostIp: nodeIp, nodeName } });
      if ('error' in made) return made;
      const mounts = volumes.mountsOf(pod, container, { envs: made.envs, podIps });
      if ('error' in mounts) return mounts;
      return own
        ? { ...made, envs: [...own.envs, ...made.envs], mounts: [...own.mounts, ...mounts], devices: own.devices }
        : { ...made, mounts };
    },
    onResized: (pod) => kubelet.handleProbeSync(pod.metadata.uid ?? ''),
    podState: async (uid) => (await runtime.listPods([uid]))[0] ?? pleg.get(uid),
    within: (promise, ms) => within(actor, promise, ms),
  };
}

/** pkg/kubelet/kubelet.go syncLoopIteration, the prober's three channels. */
function takeProbe(
  { status, kubelet }: { status: StatusManager; kubelet: Kubelet },
  { kind, pod, containerId, result }: ProbeUpdate,
): void {
  if (kind === 'Readiness') status.setContainerReadiness(pod, containerId, result === 'Success');
  else if (kind === 'Startup') status.setContainerStartup(pod, containerId, result === 'Success');
  else if (result !== 'Failure') return;
  kubelet.handleProbeSync(pod.metadata.uid ?? '');
}

function traceError(actor: Actor, pod: Pod, message: string): void {
  const { name = '', namespace = '', uid = '' } = pod.metadata;
  const object = { group: '', resource: 'pods', kind: 'Pod', namespace, name, uid };
  actor.simulation.trace.record({ kind: 'decision', component: 'kubelet', object, message: `Error syncing pod, skipping: ${message}` });
}

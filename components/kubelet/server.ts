import type { PodRuntimeState } from '../../src/api/cri.ts';
import type { Pod } from '../../src/api/kinds/core-v1.ts';
import { nodes, services } from '../../src/api/resources.ts';
import type { Client } from '../../src/client/client.ts';
import { EventRecorder } from '../../src/client/event-recorder.ts';
import { SharedInformer } from '../../src/client/informer.ts';
import type { Actor } from '../../src/sim/actor.ts';
import { PodConfig } from './config/pod-config.ts';
import type { KubeletConfig } from './config.ts';
import { PLEG_RELIST_MS } from './constants.ts';
import { makeEnvironment } from './environment.ts';
import { ImageManager } from './images/image-manager.ts';
import { Kubelet } from './kubelet.ts';
import { NodeStatusManager } from './kubelet-node-status.ts';
import { KubeGenericRuntimeManager } from './kuberuntime/kuberuntime-manager.ts';
import { ReasonCache } from './kuberuntime/reason-cache.ts';
import type { RuntimeParts } from './kuberuntime/runtime-parts.ts';
import { addTerminationMessages } from './kuberuntime/termination-message.ts';
import { PodAdmission } from './lifecycle/admission.ts';
import { HandlerRunner } from './lifecycle/handlers.ts';
import { runNodeLease } from './nodelease.ts';
import { ObjectReader } from './object-reader.ts';
import { Pleg } from './pleg.ts';
import { PodWorkers } from './pod-workers.ts';
import { ProberManager, type ProbeUpdate } from './prober/prober-manager.ts';
import { StatusManager } from './status/status-manager.ts';
import { VolumeContents } from './volumemanager/volume-contents.ts';
import { VolumeManager } from './volumemanager/volume-manager.ts';

const NONE: ReadonlySet<string> = new Set();

/** Runs the kubelet of one node: cmd/kubelet/app Run and pkg/kubelet/kubelet.go Run. */
export async function runKubelet({ actor, client, config }: { actor: Actor; client: Client; config: KubeletConfig }): Promise<void> {
  const runtime = config.runtime.connect(actor);
  const { nodeIp } = config.runtime;
  const random = actor.simulation.random.fork(actor.name);
  const recorder = new EventRecorder({ client, component: 'kubelet', host: config.nodeName });
  const nodeStatus = new NodeStatusManager({ actor, client, recorder, random, runtime, config, nodeIp, pressure: () => NONE });
  const kubelet = new Kubelet();
  const { podConfig, pleg, prober, status, workers, serviceInformer } = assemble({
    actor,
    client,
    config,
    runtime,
    nodeIp,
    random,
    recorder,
    nodeStatus,
    kubelet,
  });
  await nodeStatus.register();
  watchNode({ client, config, nodeStatus });
  serviceInformer.start();
  await serviceInformer.waitForSync();
  const known = await pleg.start();
  await podConfig.start(kubelet);
  killOrphans({ known, podConfig, workers });
  for (const pod of podConfig.pods) if (status.getPodStatus(pod.metadata.uid ?? '')) prober.addPod(pod);
  actor.schedule(0, () => nodeStatus.run(), { priority: 'background' });
  actor.schedule(0, () => runNodeLease({ actor, client, random, nodeName: config.nodeName, node: () => nodeStatus.node }), {
    priority: 'background',
  });
}

interface Wiring {
  readonly actor: Actor;
  readonly client: Client;
  readonly config: KubeletConfig;
  readonly runtime: ReturnType<KubeletConfig['runtime']['connect']>;
  readonly nodeIp: string;
  readonly random: Actor['simulation']['random'];
  readonly recorder: EventRecorder;
  readonly nodeStatus: NodeStatusManager;
  readonly kubelet: Kubelet;
}

/** Makes the parts of the kubelet and connects them. */
function assemble(wiring: Wiring) {
  const { actor, client, config, runtime, nodeIp, random, recorder, nodeStatus, kubelet } = wiring;
  const podConfig = new PodConfig(client, config.nodeName);
  const serviceInformer = new SharedInformer({ client: client.resource(services) });
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
    podByUid,
    podCouldHaveRunningContainers: (pod) => workers.couldHaveRunningContainers(pod.metadata.uid ?? ''),
  });
  const onResult = (update: ProbeUpdate): void => takeProbe({ status, kubelet }, update);
  const prober = new ProberManager({ actor, runtime, recorder, podByUid, podStatus: (uid) => status.getPodStatus(uid), onResult });
  const reasons = new ReasonCache();
  const objects = new ObjectReader(client, config.nodeName);
  const nodeAllocatable = (): Readonly<Record<string, string>> => nodeStatus.node?.status?.allocatable ?? {};
  const volumes = new VolumeManager({ actor, runtime, recorder, contents: new VolumeContents(objects, nodeAllocatable) });
  const images = new ImageManager({ actor, runtime, recorder });
  const environment = { objects, servicesOf: (namespace: string) => serviceInformer.store.listNamespace(namespace), nodeAllocatable };
  const runtimeParts: RuntimeParts = {
    actor,
    nodeName: config.nodeName,
    nodeIp,
    runtime,
    recorder,
    images,
    hooks: new HandlerRunner(actor, runtime),
    generateRunContainerOptions: async ({ pod, container, podIps }) => {
      const made = await makeEnvironment(environment, { pod, container, runtime: { podIps, hostIp: nodeIp, nodeName: config.nodeName } });
      return 'error' in made ? made : { ...made, mounts: volumes.mountsOf(pod, container) };
    },
    podState: async (uid) => (await runtime.listPods([uid]))[0] ?? pleg.get(uid),
    within: (promise, ms) => within(actor, promise, ms),
  };
  const containerRuntime = new KubeGenericRuntimeManager(runtimeParts, reasons, prober);
  kubelet.connect({
    actor,
    runtime,
    recorder,
    podConfig,
    pleg,
    workers,
    status,
    prober,
    volumes,
    containerRuntime,
    admission: new PodAdmission({ node: () => nodeStatus.node }),
    enrich,
    generate: {
      nodeIp,
      startFailure: (uid, container) => reasons.get(uid, container),
      updatePodStatus: (pod, computed) => prober.updatePodStatus(pod, computed),
    },
    networkProblem: () => nodeStatus.networkProblem,
    forget: (uid) => {
      containerRuntime.forget(uid);
      images.forget(uid);
      prober.forget(uid);
      volumes.forget(uid);
    },
  });
  return { podConfig, pleg, prober, status, workers, serviceInformer };
}

/** Follows the node's object, for its taints, labels and pod CIDR. */
function watchNode({ client, config, nodeStatus }: { client: Client; config: KubeletConfig; nodeStatus: NodeStatusManager }): void {
  const informer = new SharedInformer({ client: client.resource(nodes), list: { fieldSelector: `metadata.name=${config.nodeName}` } });
  informer.addEventHandler({ onAdd: (node) => nodeStatus.take(node), onUpdate: (_, node) => nodeStatus.take(node) });
  informer.start();
}

/** Pods that run here but that the API does not know any more: pkg/kubelet/kubelet_pods.go HandlePodCleanups. */
function killOrphans({
  known,
  podConfig,
  workers,
}: {
  known: readonly PodRuntimeState[];
  podConfig: PodConfig;
  workers: PodWorkers;
}): void {
  for (const { uid, sandboxes } of known) {
    const [sandbox] = sandboxes;
    if (!sandbox || podConfig.get(uid)) continue;
    const { name, namespace } = sandbox.metadata;
    const pod: Pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace, uid },
      spec: { containers: [], terminationGracePeriodSeconds: 1 },
    };
    workers.updatePod({
      type: 'create',
      pod: { ...pod, metadata: { ...pod.metadata, deletionTimestamp: '1970-01-01T00:00:00Z', deletionGracePeriodSeconds: 1 } },
    });
  }
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

/** Waits for `promise`, but no longer than `ms`. */
function within(actor: Actor, promise: Promise<void>, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = actor.schedule(ms, () => actor.simulation.resolve(resolve, undefined));
    promise.then(
      () => {
        timer.cancel();
        resolve();
      },
      (error: unknown) => {
        timer.cancel();
        reject(error);
      },
    );
  });
}

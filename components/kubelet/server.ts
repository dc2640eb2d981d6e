import type { ContainerRuntimeInterface, PodRuntimeState } from '../../src/api/cri.ts';
import type { Pod } from '../../src/api/kinds/core-v1.ts';
import { nodes, services } from '../../src/api/resources.ts';
import type { Client } from '../../src/client/client.ts';
import { EventRecorder } from '../../src/client/event-recorder.ts';
import { SharedInformer } from '../../src/client/informer.ts';
import type { Actor } from '../../src/sim/actor.ts';
import { assemble } from './assemble.ts';
import { FileSource } from './config/file.ts';
import type { PodConfig } from './config/pod-config.ts';
import type { KubeletConfig } from './config.ts';
import { Kubelet } from './kubelet.ts';
import { NodeStatusManager } from './kubelet-node-status.ts';
import { KubeletServer } from './kubelet-server.ts';
import { runNodeLease } from './nodelease.ts';
import type { PodWorkers } from './pod-workers.ts';
import { ServiceEnvironment } from './service-environment.ts';

/** Runs the kubelet of one node: cmd/kubelet/app Run and pkg/kubelet/kubelet.go Run. */
export async function runKubelet({ actor, client, config }: { actor: Actor; client: Client; config: KubeletConfig }): Promise<void> {
  const runtime = config.runtime.connect(actor);
  const { nodeIp, bootId } = config.runtime;
  const random = actor.simulation.random.fork(actor.name);
  const recorder = new EventRecorder({ client, component: 'kubelet', host: config.nodeName });
  const nodeStatus = new NodeStatusManager({
    actor,
    client,
    recorder,
    random,
    runtime,
    config,
    nodeIp,
    bootId,
    pressure: () => eviction.pressure,
    devices: () => devices.capacity(),
    volumesInUse: () => csi.volumesInUse,
    shutdown: () => shutdown.problem,
  });
  const kubelet = new Kubelet();
  const serviceInformer = new SharedInformer({ client: client.resource(services) });
  const environment = new ServiceEnvironment((namespace) => serviceInformer.store.listNamespace(namespace));
  const changed = (): void => environment.invalidate();
  serviceInformer.addEventHandler({ onAdd: changed, onUpdate: changed, onDelete: changed });
  const { podConfig, pleg, prober, status, workers, eviction, devices, csi, plugins, shutdown, imageGc } = assemble({
    actor,
    client,
    config,
    runtime,
    nodeIp,
    random,
    recorder,
    nodeStatus,
    kubelet,
    services: environment,
  });
  devices.start();
  if (shutdown.enabled)
    config.shutdown?.inhibitShutdown({ process: actor, incarnation: actor.incarnation, onShutdown: () => shutdown.processShutdownEvent() });
  const early = config.staticPodPath ? await pleg.start() : undefined;
  if (config.staticPodPath) startFileSource({ actor, config, runtime, podConfig, kubelet });
  await nodeStatus.register();
  await plugins.info.createCsiNode();
  plugins.start();
  watchNode({ client, config, nodeStatus });
  serviceInformer.start();
  await serviceInformer.waitForSync();
  const known = early ?? (await pleg.start());
  await podConfig.start(kubelet);
  killOrphans({ known, podConfig, workers });
  for (const pod of podConfig.pods) if (status.getPodStatus(pod.metadata.uid ?? '')) prober.addPod(pod);
  config.serve?.(
    new KubeletServer({
      actor,
      runtime,
      bootTime: actor.wallTime - actor.simulation.now,
      podByName: (namespace, name) => podConfig.byName(namespace, name),
      podStatus: (uid) => status.getPodStatus(uid),
    }),
  );
  actor.schedule(0, () => nodeStatus.run(), { priority: 'background' });
  actor.schedule(0, () => eviction.run(), { priority: 'background' });
  actor.schedule(0, () => imageGc.run(), { priority: 'background' });
  actor.schedule(0, () => runNodeLease({ actor, client, random, nodeName: config.nodeName, node: () => nodeStatus.node }), {
    priority: 'background',
  });
}

/** Static pods run before, and without, kube-apiserver. */
function startFileSource(parts: {
  actor: Actor;
  config: KubeletConfig;
  runtime: ContainerRuntimeInterface;
  podConfig: PodConfig;
  kubelet: Kubelet;
}): void {
  const { actor, config, runtime, podConfig, kubelet } = parts;
  new FileSource({
    ...{ actor, files: runtime.files, path: config.staticPodPath ?? '', nodeName: config.nodeName },
    onPods: (pods) => podConfig.setStaticPods(pods, kubelet),
  }).start();
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

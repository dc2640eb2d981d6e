import { Cache } from '../../components/kube-scheduler/backend/cache/cache.ts';
import { Snapshot } from '../../components/kube-scheduler/backend/cache/snapshot.ts';
import { Nominator } from '../../components/kube-scheduler/backend/queue/nominator.ts';
import { completeConfiguration, type KubeSchedulerConfiguration } from '../../components/kube-scheduler/apis/config/kube-scheduler-configuration.ts';
import type { Handle } from '../../components/kube-scheduler/framework/interface.ts';
import type { Lister, Listers } from '../../components/kube-scheduler/framework/listers.ts';
import { podInfoOf } from '../../components/kube-scheduler/framework/pod-info.ts';
import { Framework } from '../../components/kube-scheduler/framework/runtime/framework.ts';
import { WaitingPods } from '../../components/kube-scheduler/framework/runtime/waiting-pods-map.ts';
import { newInTreeRegistry } from '../../components/kube-scheduler/plugins/registry.ts';
import type { Algorithm } from '../../components/kube-scheduler/schedule-pod.ts';
import type { Node, Pod } from '../../src/api/kinds/core-v1.ts';
import { type KubernetesObject, keyOf } from '../../src/api/object.ts';
import { Client } from '../../src/client/client.ts';
import { ObjectIndexer } from '../../src/client/indexer.ts';
import { Simulation } from '../../src/sim/simulation.ts';
import { admitPod, type AdmissionObjects } from './scheduler-admission.ts';

type CaseObject = KubernetesObject & Record<string, unknown>;

/** A recorded case of the scheduler that schedules pods one after the other. */
export interface SchedulerCase {
  readonly id: string;
  readonly title: string;
  readonly config?: KubeSchedulerConfiguration;
  readonly nodes: readonly Node[];
  readonly objects?: readonly CaseObject[];
  readonly pods: readonly Pod[];
  readonly expect: readonly Record<string, unknown>[];
}

const LISTERS_BY_KIND: Record<string, keyof Listers> = {
  Namespace: 'namespaces',
  Service: 'services',
  ReplicationController: 'replicationControllers',
  ReplicaSet: 'replicaSets',
  StatefulSet: 'statefulSets',
  PodDisruptionBudget: 'podDisruptionBudgets',
  PersistentVolume: 'persistentVolumes',
  PersistentVolumeClaim: 'persistentVolumeClaims',
  StorageClass: 'storageClasses',
  CSINode: 'csiNodes',
  CSIDriver: 'csiDrivers',
  CSIStorageCapacity: 'csiStorageCapacities',
  VolumeAttachment: 'volumeAttachments',
  ResourceClaim: 'resourceClaims',
  ResourceSlice: 'resourceSlices',
  DeviceClass: 'deviceClasses',
};

const CLUSTER_SCOPED = new Set(['Namespace', 'PersistentVolume', 'StorageClass', 'CSINode', 'CSIDriver', 'VolumeAttachment', 'ResourceSlice', 'DeviceClass', 'PriorityClass', 'RuntimeClass']);

/** A scheduler's framework on objects that are just there: no API server, no events. */
export class SchedulerWorld {
  readonly stores = new Map<keyof Listers, ObjectIndexer<CaseObject>>();
  readonly cache = new Cache();
  readonly algorithm: Algorithm;
  readonly nominator = new Nominator();
  readonly evictions: string[] = [];
  readonly #frameworks = new Map<string, Framework>();
  readonly #admission: AdmissionObjects = { priorityClasses: new Map(), runtimeClasses: new Map() };
  #uids = 0;

  constructor(testCase: Pick<SchedulerCase, 'id' | 'config' | 'nodes' | 'objects'>) {
    const config = completeConfiguration(testCase.config);
    const simulation = new Simulation({ seed: testCase.id, trace: 'off' });
    const actor = simulation.actor('kube-scheduler', () => {});
    this.algorithm = {
      snapshot: new Snapshot(),
      random: simulation.random.fork('kube-scheduler'),
      percentageOfNodesToScore: config.percentageOfNodesToScore,
      nextStartNodeIndex: 0,
    };
    const names: (keyof Listers)[] = ['pods', ...Object.values(LISTERS_BY_KIND)];
    for (const name of names) this.stores.set(name, new ObjectIndexer());
    // Requests to the API are never answered here: what a plugin decides is all that counts.
    const pending = (): Promise<never> => new Promise(() => {});
    const client = new Client({ actor, user: { username: 'system:kube-scheduler', groups: [] }, transport: { request: pending, watch: pending, onReachable: () => () => {} } });
    const listers = Object.fromEntries([...this.stores].map(([name, store]) => [name, store as Lister<unknown>])) as unknown as Listers;
    const handle: Omit<Handle, 'framework'> = {
      actor,
      client,
      listers,
      random: simulation.random.fork('plugins'),
      snapshot: this.algorithm.snapshot,
      recorder: { event: () => {} },
      nominator: this.nominator,
      waitingPods: new WaitingPods(),
      activate: () => {},
      moveAllToActiveOrBackoffQueue: () => {},
    };
    for (const profile of config.profiles) this.#frameworks.set(profile.schedulerName, new Framework({ profile, registry: newInTreeRegistry(), handle }));
    this.#fill(testCase);
  }

  #fill({ nodes, objects = [] }: Pick<SchedulerCase, 'nodes' | 'objects'>): void {
    this.put({ kind: 'Namespace', metadata: { name: 'default' } });
    for (const object of objects) if (object.kind !== 'Pod') this.put(object);
    for (const node of nodes) this.cache.addNode({ ...node, metadata: { ...node.metadata, uid: this.#uid() } });
    for (const object of objects) if (object.kind === 'Pod') this.addPod(this.admit(object as unknown as Pod));
  }

  frameworkFor(pod: Pod): Framework | undefined {
    return this.#frameworks.get(pod.spec?.schedulerName ?? '');
  }

  put(object: CaseObject): void {
    const kind = object.kind ?? '';
    const metadata = { ...object.metadata, uid: object.metadata.uid ?? this.#uid(), resourceVersion: String(this.#uids) };
    if (!CLUSTER_SCOPED.has(kind)) metadata.namespace ??= 'default';
    if (kind === 'Namespace') metadata.labels = { 'kubernetes.io/metadata.name': metadata.name ?? '', ...metadata.labels };
    const complete = { ...object, metadata };
    if (kind === 'PriorityClass') this.#admission.priorityClasses.set(metadata.name ?? '', complete);
    else if (kind === 'RuntimeClass') this.#admission.runtimeClasses.set(metadata.name ?? '', complete);
    else this.stores.get(LISTERS_BY_KIND[kind] as keyof Listers)?.put(complete);
  }

  /** What the API server makes of a pod. */
  admit(pod: Pod): Pod {
    const { metadata } = pod;
    return admitPod({ ...pod, metadata: { ...metadata, namespace: metadata.namespace ?? 'default', uid: this.#uid() } }, this.#admission);
  }

  /** A pod that is bound. */
  addPod(pod: Pod): void {
    if (pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed') return;
    this.cache.addPod(pod);
    this.stores.get('pods')?.put(pod as unknown as CaseObject);
  }

  removePod(key: string): void {
    const pod = this.stores.get('pods')?.delete(key) as unknown as Pod | undefined;
    if (pod) this.cache.removePod(pod);
  }

  /** A pod that waits, as the API shows it. */
  setPending(pod: Pod): void {
    this.stores.get('pods')?.put(pod as unknown as CaseObject);
    if (pod.status?.nominatedNodeName) this.nominator.addNominatedPod(podInfoOf(pod), pod.status.nominatedNodeName);
  }

  forgetPending(pod: Pod): void {
    this.stores.get('pods')?.delete(keyOf(pod));
    this.nominator.deleteNominatedPodIfExists(pod);
  }

  refresh(): void {
    this.cache.updateSnapshot(this.algorithm.snapshot);
  }

  #uid(): string {
    return `uid-${++this.#uids}`;
  }
}

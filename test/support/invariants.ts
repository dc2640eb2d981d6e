import type { Etcd } from '../../components/etcd/etcd.ts';
import type { Version } from '../../components/etcd/keyspace.ts';
import type { DaemonSet, Deployment } from '../../src/api/kinds/apps-v1.ts';
import type { Job } from '../../src/api/kinds/batch-v1.ts';
import type { Pod, Service } from '../../src/api/kinds/core-v1.ts';
import type { EndpointSlice } from '../../src/api/kinds/discovery-v1.ts';
import type { KubernetesObject } from '../../src/api/object.ts';
import type { Cluster } from '../../src/cluster/cluster.ts';
import { objectsAt } from '../../src/cluster/history.ts';

/**
 * Looks at every write of a run from now on; what it answers is filled as problems come up.
 * @param podsAreDeleted by a person: then pods that have failed may go before their ReplicaSets
 */
export function watchWrites(etcd: Etcd, podsAreDeleted = true): string[] {
  const problems: string[] = [];
  const pods = etcd.keyspace<Pod>('/registry/pods/');
  pods.watch((version) => {
    problems.push(...problemsOfPod(version));
    if (!podsAreDeleted && isGoneTooSoon(etcd, version))
      problems.push(`${version.key} has failed and is gone, though its ReplicaSet is not`);
  });
  let newest = 0;
  for (const keyspace of etcd.keyspaces.values()) {
    keyspace.watch(({ key, value, revision }) => {
      if (revision <= newest) problems.push(`${key}: revision ${revision} after ${newest}`);
      newest = revision;
      const { resourceVersion = String(revision) } = (value as KubernetesObject | undefined)?.metadata ?? {};
      if (resourceVersion !== String(revision)) problems.push(`${key}: resourceVersion ${resourceVersion} at revision ${revision}`);
    });
  }
  return problems;
}

/** A ReplicaSet leaves its pods that have failed to the garbage collectors. */
function isGoneTooSoon(etcd: Etcd, { value, previous }: Version<Pod>): boolean {
  const before = previous?.value;
  if (value || before?.status?.phase !== 'Failed' || before.metadata.deletionTimestamp) return false;
  const owner = before.metadata.ownerReferences?.find(({ kind }) => kind === 'ReplicaSet');
  if (!owner) return false;
  const found = etcd
    .keyspace<KubernetesObject>('/registry/replicasets/')
    .get(`/registry/replicasets/${before.metadata.namespace}/${owner.name}`);
  return found?.value?.metadata.uid === owner.uid;
}

const FINAL = ['Succeeded', 'Failed'];
const ORDER = ['Pending', 'Running', ...FINAL];

/** What one write did to a pod that may not be done: bind it anew, turn its phase back, call it a success before all of it is. */
function problemsOfPod({ key, value: now, previous, revision }: Version<Pod>): string[] {
  const before = previous?.value;
  if (!now || !before || now.metadata.uid !== before.metadata.uid) return [];
  const at = `${key} at ${revision}`;
  const problems: string[] = [];
  if (before.spec?.nodeName && now.spec?.nodeName !== before.spec.nodeName)
    problems.push(`${at}: bound to ${now.spec?.nodeName} after ${before.spec.nodeName}`);
  const [from = 'Pending', to = 'Pending'] = [before.status?.phase, now.status?.phase];
  if (ORDER.indexOf(to) < ORDER.indexOf(from) || (FINAL.includes(from) && to !== from)) problems.push(`${at}: ${to} after ${from}`);
  const failed = now.status?.containerStatuses?.filter(({ state }) => state?.terminated?.exitCode !== 0).map(({ name }) => name) ?? [];
  if (to === 'Succeeded' && from !== to && failed.length > 0) problems.push(`${at}: Succeeded, but not ${failed.join()}`);
  return problems;
}

const nameOf = ({ kind, metadata }: KubernetesObject): string => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;

/** What is left over in a cluster that has come to rest: objects without their owners, objects that never go, containers without their pods. */
export function leftovers(cluster: Cluster): string[] {
  const objects = objectsAt(cluster);
  const uids = new Set(objects.map(({ metadata }) => metadata.uid));
  const problems: string[] = [];
  for (const object of objects) {
    const { ownerReferences = [], deletionTimestamp } = object.metadata;
    if (deletionTimestamp) problems.push(`${nameOf(object)} is Terminating for ever`);
    if (ownerReferences.length && !ownerReferences.some(({ uid }) => uids.has(uid))) problems.push(`${nameOf(object)} has lost its owner`);
  }
  for (let node = 1; cluster.serviceNetwork.hasNode(`n${node}`); node++) {
    for (const { uid } of cluster.serviceNetwork.runtimeOf(`n${node}`)?.runtime.listPods() ?? [])
      if (!uids.has(uid)) problems.push(`n${node} still has something of pod ${uid}`);
  }
  for (const pod of objects.filter(
    (object): object is Pod => object.kind === 'Pod' && FINAL.includes((object as Pod).status?.phase ?? ''),
  )) {
    const [state] = cluster.serviceNetwork.runtimeOf(pod.spec?.nodeName ?? '')?.runtime.listPods([pod.metadata.uid ?? '']) ?? [];
    if (state?.containers.some((container) => container.state === 'CONTAINER_RUNNING'))
      problems.push(`${nameOf(pod)} is ${pod.status?.phase} and still runs`);
  }
  return problems;
}

/** What is not yet as its spec says in a cluster that has come to rest. */
export function unfinished(cluster: Cluster): string[] {
  const objects = objectsAt(cluster);
  const pods = objects.filter((object): object is Pod => object.kind === 'Pod');
  const problems: string[] = [];
  for (const object of objects) {
    const { metadata } = object;
    const of = pods.filter((pod) => pod.metadata.namespace === metadata.namespace && pod.metadata.labels?.['app'] === metadata.name);
    if (object.kind === 'Deployment' || object.kind === 'StatefulSet') {
      const { spec, status } = object as Deployment;
      const found = [of.filter(isAlive).length, of.filter(isReady).length, status?.updatedReplicas ?? 0, status?.readyReplicas ?? 0];
      if (found.some((count) => count !== spec?.replicas))
        problems.push(`${nameOf(object)} wants ${spec?.replicas} and has ${found.join(', ')}`);
      if (status?.observedGeneration !== metadata.generation)
        problems.push(`${nameOf(object)} has not been looked at since it was changed`);
    }
    if (object.kind === 'DaemonSet') {
      const nodes = objects.filter(({ kind }) => kind === 'Node').length;
      const { numberReady, updatedNumberScheduled } = (object as DaemonSet).status ?? {};
      const found = [of.filter(isAlive).length, of.filter(isReady).length, updatedNumberScheduled, numberReady];
      if (found.some((count) => count !== nodes)) problems.push(`${nameOf(object)} wants ${nodes} and has ${found.join(', ')}`);
    }
    if (object.kind !== 'Service' || !(object as Service).spec?.selector) continue;
    const listed = endpointsOf(objects, metadata);
    const ready = of.filter(isReady).flatMap(({ status }) => status?.podIP ?? []);
    if (String(listed.sort()) !== String(ready.sort()))
      problems.push(`${nameOf(object)} leads to ${listed.join()}; there are ${ready.join()}`);
  }
  return problems;
}

/** Services with endpoints that do not answer on some node, by their names as pods use them: CoreDNS and kube-proxy have missed something. */
export async function unreachable(cluster: Cluster): Promise<string[]> {
  const objects = objectsAt(cluster);
  const services = objects.filter((object) => object.kind === 'Service' && endpointsOf(objects, object.metadata).length > 0);
  const problems: string[] = [];
  for (const { metadata } of services) {
    const { name = '', namespace = 'default' } = metadata;
    if (namespace !== 'default' || name === 'kubernetes') continue;
    for (let node = 1; cluster.serviceNetwork.hasNode(`n${node}`); node++) {
      const { outcome } = await cluster.visit({ node: `n${node}`, namespace, host: name, port: 80, path: '/' });
      if (outcome !== 'answered') problems.push(`${name} from n${node}: ${outcome}`);
    }
  }
  return problems;
}

/** The addresses that a Service leads to. */
function endpointsOf(objects: readonly KubernetesObject[], { namespace, name }: KubernetesObject['metadata']): string[] {
  return objects
    .filter((object): object is EndpointSlice => object.kind === 'EndpointSlice' && object.metadata.namespace === namespace)
    .filter(({ metadata }) => metadata.labels?.['kubernetes.io/service-name'] === name)
    .flatMap(({ endpoints }) => endpoints ?? [])
    .filter(({ conditions }) => conditions?.ready)
    .flatMap(({ addresses }) => addresses);
}

/**
 * Jobs with a pod that a real kubelet, too, leaves as it is: the power failed between the creation and the start of its container, and with restartPolicy Never
 * computePodActions makes no sandbox at a later attempt once a container is known.
 */
export function jobsStuckAsUpstream(cluster: Cluster): string[] {
  const pods = objectsAt(cluster).filter((object): object is Pod => object.kind === 'Pod');
  const stuck = pods.filter(({ metadata, spec, status }) => {
    if (spec?.restartPolicy !== 'Never' || status?.phase !== 'Pending') return false;
    const [state] = cluster.serviceNetwork.runtimeOf(spec.nodeName ?? '')?.runtime.listPods([metadata.uid ?? '']) ?? [];
    const containers = state?.containers ?? [];
    return (
      containers.length > 0 &&
      containers.every((container) => container.state === 'CONTAINER_CREATED') &&
      !state?.sandboxes.some((sandbox) => sandbox.state === 'SANDBOX_READY')
    );
  });
  return stuck.map(({ metadata }) => `Job ${metadata.labels?.['app']}`);
}

/** What a cluster is worth to its users, without names that chance has made. */
export function summaryOf(cluster: Cluster): Record<string, unknown> {
  const objects = objectsAt(cluster).filter(({ metadata }) => metadata.namespace === 'default');
  const ofKind = <T extends KubernetesObject>(kind: string): T[] => objects.filter((object): object is T => object.kind === kind);
  const summary: Record<string, unknown> = {};
  for (const workload of objects) {
    if (workload.kind !== 'Deployment' && workload.kind !== 'StatefulSet') continue;
    const { replicas, readyReplicas, updatedReplicas } = (workload as Deployment).status ?? {};
    const pods = ofKind<Pod>('Pod').filter((pod) => pod.metadata.labels?.['app'] === workload.metadata.name);
    summary[nameOf(workload)] = {
      replicas,
      readyReplicas,
      updatedReplicas,
      pods: pods.filter(isAlive).length,
      ready: pods.filter(isReady).length,
    };
  }
  for (const service of ofKind<Service>('Service')) summary[nameOf(service)] = endpointsOf(objects, service.metadata).length;
  for (const { metadata, status } of ofKind<Job>('Job'))
    summary[`Job ${metadata.name}`] = {
      succeeded: status?.succeeded,
      active: status?.active,
      done: status?.conditions?.filter((condition) => condition.status === 'True').map(({ type }) => type),
    };
  return summary;
}

const isAlive = ({ status }: Pod): boolean => !FINAL.includes(status?.phase ?? '');
const isReady = ({ status }: Pod): boolean =>
  status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;

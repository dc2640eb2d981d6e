import type { Etcd } from '../../components/etcd/etcd.ts';
import { keyBelow, keyPrefix } from '../../components/kube-apiserver/storage/key-layout.ts';
import { deepFreeze } from '../api/freeze.ts';
import type { KubernetesObject } from '../api/object.ts';
import { apiVersionOf, type Resource } from '../api/resource.ts';
import { BUILT_IN_RESOURCES } from '../api/resources.ts';
import type { Random } from '../sim/random.ts';

/** What passes: it says nothing about how a cluster is, and a lease of another cluster's scheduler would only hold up ours. */
const PASSING = new Set(['events', 'leases']);

const STORED: ReadonlyMap<string, Resource> = new Map(
  BUILT_IN_RESOURCES.filter(({ resource, verbs }) => verbs.includes('get') && !PASSING.has(resource)).map((resource) => [
    `${apiVersionOf(resource)} ${resource.kind}`,
    resource,
  ]),
);

/** Whether `importObjects` takes the object: its kind is built in, in the version that is offered. */
export function isImportable({ apiVersion, kind }: KubernetesObject): boolean {
  return STORED.has(`${apiVersion} ${kind}`);
}

/**
 * Puts objects of another cluster into the store as they are, status included: no admission, no defaults, nothing in the trace. Namespaces that they are in, and the
 * service account `default` of each, are added when they are not among them. What kube-apiserver has made by itself stays.
 */
export function importObjects(etcd: Etcd, objects: readonly KubernetesObject[], random: Random): void {
  const put = (object: KubernetesObject): void => {
    const resource = STORED.get(`${object.apiVersion} ${object.kind}`);
    if (!resource) return;
    const { managedFields: _, ...metadata } = object.metadata;
    const { name = '', namespace, uid = random.uuid() } = metadata;
    const place = { name, ...(resource.namespaced ? { namespace: namespace ?? 'default' } : {}) };
    const prefix = keyPrefix(resource, false);
    const keyspace = etcd.keyspace<KubernetesObject>(prefix);
    const key = `${prefix}${keyBelow(place)}`;
    if (keyspace.get(key)) return;
    const stored = { ...object, metadata: { ...metadata, ...place, uid, resourceVersion: String(etcd.revision + 1) } };
    keyspace.put(key, deepFreeze(stored));
  };
  objects.forEach(put);
  const namespaces = new Set(['default', ...objects.flatMap(({ metadata }) => metadata.namespace ?? [])]);
  for (const name of namespaces) surroundings(name).forEach(put);
}

/** A namespace, as far as pods need one. */
function surroundings(name: string): KubernetesObject[] {
  const namespace = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  };
  return [namespace, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace: name } }];
}

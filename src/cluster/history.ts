import { keyBelow, keyPrefix } from '../../components/kube-apiserver/storage/key-layout.ts';
import type { KubernetesObject } from '../api/object.ts';
import { BUILT_IN_RESOURCES } from '../api/resources.ts';
import type { ObjectReference, TraceEntry } from '../sim/trace.ts';
import type { Cluster } from './cluster.ts';

const BUILT_IN = new Set(BUILT_IN_RESOURCES.map(({ group, resource }) => `${group}/${resource}`));

/** The object as it was at `revision`, for looking back; undefined when it was not there. Needs `history`. */
export function objectAt(cluster: Cluster, reference: ObjectReference, revision: number): KubernetesObject | undefined {
  const prefix = keyPrefix(reference, !BUILT_IN.has(`${reference.group}/${reference.resource}`));
  const keyspace = cluster.etcd.keyspace<KubernetesObject>(prefix);
  return keyspace.remembered(`${prefix}${keyBelow(reference)}`, revision)?.value;
}

/** All objects as they were at `revision` (the present if absent), by resource, then by key. */
export function objectsAt(cluster: Cluster, revision?: number): KubernetesObject[] {
  const out: KubernetesObject[] = [];
  for (const [prefix, keyspace] of [...cluster.etcd.keyspaces].sort(([a], [b]) => (a < b ? -1 : 1))) {
    for (const { value } of keyspace.range(prefix, { revision, beyondCompaction: true }).versions)
      if (value) out.push(value as KubernetesObject);
  }
  return out;
}

/** Reads what a write of the trace stored; the last state for a deletion. */
export function writtenIn(cluster: Cluster): (entry: TraceEntry & { kind: 'write' }) => KubernetesObject | undefined {
  return (entry) => objectAt(cluster, entry.object, entry.verb === 'delete' ? (entry.previous ?? entry.revision) : entry.revision);
}

/** What expectations are judged by: the trace, what was written, and what is there at the end. */
export function evidenceOf(cluster: Cluster) {
  return {
    entries: cluster.simulation.trace.entries,
    read: writtenIn(cluster),
    objects: objectsAt(cluster),
  };
}

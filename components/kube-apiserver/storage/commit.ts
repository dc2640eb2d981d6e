import { deepFreeze } from '../../../src/api/freeze.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { attachOwners, ownersOf } from '../managedfields/field-owners.ts';
import type { RequestContext, RequestScope } from '../request-context.ts';
import { atRevision } from './watch-cache.ts';

/** Writes an object to etcd under the next revision and tells the watches; returns it as stored. */
export function commitPut<T extends KubernetesObject>(context: RequestContext<T>, object: T): T {
  const { storage, server } = context;
  const { namespace = '', name = '' } = object.metadata;
  const key = storage.key(namespace, name);
  const previous = storage.keyspace.get(key);
  const revision = storage.etcd.revision + 1;
  const metadata = { ...object.metadata, resourceVersion: String(revision) };
  attachOwners(metadata, context.owners.next ?? (previous?.value && ownersOf(previous.value)));
  const stored = deepFreeze({ ...object, metadata });
  const write = recordWrite(context, stored, { verb: previous ? 'update' : 'create', revision, previous: previous?.revision });
  const version = server.simulation.withCause(write, () => storage.keyspace.put(key, stored));
  server.watchCacheLag.note(revision, server.simulation.now);
  if (storage.strategy.ttlMs) storage.etcd.expire(storage.keyspace, version, storage.strategy.ttlMs);
  return stored;
}

/** Removes an object from etcd; returns its last state under the revision of the removal. */
export function commitDelete<T extends KubernetesObject>(context: RequestContext<T>, object: T): T {
  const { storage, server } = context;
  const { namespace = '', name = '' } = object.metadata;
  const key = storage.key(namespace, name);
  const revision = storage.etcd.revision + 1;
  const write = recordWrite(context, object, { verb: 'delete', revision, previous: storage.keyspace.get(key)?.revision });
  server.simulation.withCause(write, () => storage.keyspace.delete(key));
  server.watchCacheLag.note(revision, server.simulation.now);
  return atRevision(object, revision);
}

interface Write {
  readonly verb: 'create' | 'update' | 'delete';
  readonly revision: number;
  readonly previous: number | undefined;
}

function recordWrite(context: RequestScope, object: KubernetesObject, { verb, revision, previous }: Write): number {
  const { resource, subresource, user, server } = context;
  const { trace } = server.simulation;
  if (!trace.recording) return trace.record(undefined);
  const { namespace, name = '', uid } = object.metadata;
  return trace.record({
    kind: 'write',
    verb,
    object: {
      group: resource.group,
      resource: resource.resource,
      kind: object.kind ?? resource.kind,
      ...(namespace ? { namespace } : {}),
      name,
      ...(uid ? { uid } : {}),
    },
    ...(subresource ? { subresource } : {}),
    user: user.username,
    revision,
    ...(previous === undefined ? {} : { previous }),
  });
}

import { type Draft, produce } from 'immer';
import { deepEqual } from '../api/deep-equal.ts';
import type { KubernetesObject, NamespacedName } from '../api/object.ts';
import type { Resource } from '../api/resource.ts';
import { isNotFound } from '../api/status-error.ts';
import type { CachedReader } from './cached-reader.ts';
import type { Client, ResourceClient } from './client.ts';

/** What `createOrUpdate` did. */
export type OperationResult = 'created' | 'updated' | 'unchanged';

/**
 * Reads the object that `wanted` names, changes it by `mutate` (or changes `wanted` itself when there is none), and writes it if that made a difference:
 * controller-runtime controllerutil.CreateOrUpdate. With a `reader` it reads its cache, which costs no request; when that was too old, the write is refused (a
 * conflict, or the object exists already): let the error go on, and the reconcile is tried again.
 * @example await createOrUpdate({ client, resource: configmaps, wanted: { metadata: { namespace, name } } }, (draft) => { draft.data = { greeting: 'hello' }; });
 */
export async function createOrUpdate<T extends KubernetesObject>(
  at: { readonly client: Client; readonly reader?: CachedReader; readonly resource: Resource<T>; readonly wanted: T },
  mutate: (draft: Draft<T>) => void,
): Promise<{ readonly result: OperationResult; readonly object: T }> {
  const { client, reader, resource, wanted } = at;
  const requests = client.resource(resource);
  const { namespace, name = '' } = wanted.metadata;
  const existing = reader ? await reader.get(resource, { namespace, name }) : await getIfThere(requests, { namespace, name });
  if (!existing) return { result: 'created', object: await requests.create(changed(wanted, mutate)) };
  const next = changed(existing, mutate);
  if (deepEqual(existing, next)) return { result: 'unchanged', object: existing };
  return { result: 'updated', object: await requests.update(next) };
}

async function getIfThere<T extends KubernetesObject>(requests: ResourceClient<T>, at: NamespacedName): Promise<T | undefined> {
  try {
    return await requests.get(at);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function changed<T extends KubernetesObject>(object: T, mutate: (draft: Draft<T>) => void): T {
  return produce(object, (draft) => {
    mutate(draft);
  });
}

import { type Draft, produce } from 'immer';
import { deepEqual } from '../api/deep-equal.ts';
import type { KubernetesObject } from '../api/object.ts';
import type { Resource } from '../api/resource.ts';
import { isNotFound } from '../api/status-error.ts';
import type { Client } from './client.ts';

/** What `createOrUpdate` did. */
export type OperationResult = 'created' | 'updated' | 'unchanged';

/**
 * Reads the object that `wanted` names, changes it by `mutate` (or changes `wanted` itself when there is none), and writes it if that made a difference:
 * controller-runtime controllerutil.CreateOrUpdate.
 * @example await createOrUpdate({ client, resource: configmaps, wanted: { metadata: { namespace, name } } }, (draft) => { draft.data = { greeting: 'hello' }; });
 */
export async function createOrUpdate<T extends KubernetesObject>(
  at: { readonly client: Client; readonly resource: Resource<T>; readonly wanted: T },
  mutate: (draft: Draft<T>) => void,
): Promise<{ readonly result: OperationResult; readonly object: T }> {
  const { client, resource, wanted } = at;
  const requests = client.resource(resource);
  const { namespace, name = '' } = wanted.metadata;
  let existing: T;
  try {
    existing = await requests.get({ namespace, name });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return { result: 'created', object: await requests.create(changed(wanted, mutate)) };
  }
  const next = changed(existing, mutate);
  if (deepEqual(existing, next)) return { result: 'unchanged', object: existing };
  return { result: 'updated', object: await requests.update(next) };
}

function changed<T extends KubernetesObject>(object: T, mutate: (draft: Draft<T>) => void): T {
  return produce(object, (draft) => {
    mutate(draft);
  });
}

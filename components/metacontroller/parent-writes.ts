import { produce } from 'immer';
import { deepEqual } from '../../src/api/deep-equal.ts';
import type { KubernetesObject } from '../../src/api/object.ts';
import type { Resource } from '../../src/api/resource.ts';
import { isNotFound } from '../../src/api/status-error.ts';
import type { Client } from '../../src/client/client.ts';
import { addFinalizer, containsFinalizer, removeFinalizer } from '../../src/client/finalizers.ts';
import { retryOnConflict } from '../../src/client/retry.ts';

type WithStatus = KubernetesObject & { readonly status?: unknown };

/** Reads a parent anew, changes it and writes it back, unless it is another one by now. metacontroller pkg/dynamic/clientset ResourceClient.AtomicUpdate */
async function atomicUpdate(
  client: Client,
  { resource, parent, subresource }: { readonly resource: Resource; readonly parent: KubernetesObject; readonly subresource?: string },
  change: (current: KubernetesObject) => KubernetesObject,
): Promise<KubernetesObject> {
  const { namespace, name = '', uid } = parent.metadata;
  const requests = client.resource(resource);
  return retryOnConflict(client, async () => {
    const current = await requests.get({ namespace, name });
    const next = current.metadata.uid === uid ? change(current) : current;
    return deepEqual(next, current) ? current : requests.update(next, subresource ? { subresource } : {});
  });
}

/** The finalizer is there as long as a finalize hook has to be asked. metacontroller pkg/controller/common/finalizer Manager.SyncObject */
export async function ensureFinalizer(
  client: Client,
  { resource, parent, finalizer }: { readonly resource: Resource; readonly parent: KubernetesObject; readonly finalizer: string },
): Promise<KubernetesObject> {
  if (parent.metadata.deletionTimestamp || containsFinalizer(parent, finalizer)) return parent;
  const add = (draft: KubernetesObject): void => void addFinalizer(draft, finalizer);
  return atomicUpdate(client, { resource, parent }, (current) => produce(current, add));
}

/** Afterwards the parent may be gone. */
export async function dropFinalizer(
  client: Client,
  { resource, parent, finalizer }: { readonly resource: Resource; readonly parent: KubernetesObject; readonly finalizer: string },
): Promise<void> {
  const remove = (draft: KubernetesObject): void => void removeFinalizer(draft, finalizer);
  try {
    await atomicUpdate(client, { resource, parent }, (current) => produce(current, remove));
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Puts the status in the place of what was there, through the subresource if there is one. */
export async function replaceStatus(
  client: Client,
  { resource, parent, status }: { readonly resource: Resource; readonly parent: KubernetesObject; readonly status: object },
): Promise<void> {
  if (deepEqual((parent as WithStatus).status, status)) return;
  const hasStatus = resource.subresources.some(({ name }) => name === 'status');
  const place = { resource, parent, ...(hasStatus ? { subresource: 'status' } : {}) };
  await atomicUpdate(client, place, (current) => ({ ...current, status }) as KubernetesObject);
}

/** Sets labels and annotations; null takes one away. */
export async function patchMetadata(
  client: Client,
  { resource, parent, labels = {}, annotations = {} }: MetadataChange,
): Promise<KubernetesObject> {
  const { metadata } = parent;
  if (isSet(metadata.labels, labels) && isSet(metadata.annotations, annotations)) return parent;
  return atomicUpdate(client, { resource, parent }, (current) => ({
    ...current,
    metadata: {
      ...current.metadata,
      ...changedMap('labels', current.metadata.labels, labels),
      ...changedMap('annotations', current.metadata.annotations, annotations),
    },
  }));
}

type Change = Readonly<Record<string, string | null>>;

interface MetadataChange {
  readonly resource: Resource;
  readonly parent: KubernetesObject;
  readonly labels?: Change | undefined;
  readonly annotations?: Change | undefined;
}

function isSet(there: Readonly<Record<string, string>> = {}, wanted: Change): boolean {
  return Object.entries(wanted).every(([key, value]) => (there[key] ?? null) === value);
}

function changedMap(name: string, there: Readonly<Record<string, string>> | undefined, change: Change): object {
  if (Object.keys(change).length === 0) return {};
  const out = Object.entries({ ...there, ...change }).filter(([, value]) => value !== null);
  return { [name]: Object.fromEntries(out) };
}

import type { Namespace } from '../../../../src/api/kinds/core-v1.ts';
import type { KubernetesObject } from '../../../../src/api/object.ts';
import type { Resource } from '../../../../src/api/resource.ts';
import { namespaces, pods } from '../../../../src/api/resources.ts';
import { isConflict, isNotFound } from '../../../../src/api/status-error.ts';
import { formatTime, parseTime } from '../../../../src/api/time.ts';
import type { Client, ResourceClient } from '../../../../src/client/client.ts';
import { withConditions } from './namespace-conditions.ts';
import { serverPreferredNamespacedResources } from './namespaced-resources.ts';
import { DeletionError, ResourcesRemainingError } from './resources-remaining-error.ts';

const FINALIZER = 'kubernetes';
/** How long the garbage collector may take for objects that have finalizers. */
const FINALIZER_ESTIMATE_SECONDS = 15;

/** What is left of one resource after its deletion was asked for. */
interface DeletionMetadata {
  readonly estimateSeconds: number;
  readonly remaining: number;
  readonly finalizers: ReadonlyMap<string, number>;
  readonly error?: string;
}

const NOTHING_LEFT: DeletionMetadata = { estimateSeconds: 0, remaining: 0, finalizers: new Map() };

/**
 * Empties a namespace that is being deleted, pods first, and then lets it go.
 * pkg/controller/namespace/deletion/namespaced_resources_deleter.go namespacedResourcesDeleter
 */
export class NamespacedResourcesDeleter {
  readonly #client: Client;
  readonly #namespaces: ResourceClient<Namespace>;

  constructor(client: Client) {
    this.#client = client;
    this.#namespaces = client.resource(namespaces);
  }

  /** Rejects with `ResourcesRemainingError` when something is left that will take its time. pkg/controller/namespace/deletion Delete */
  async delete(name: string): Promise<void> {
    let namespace: Namespace;
    try {
      namespace = await this.#namespaces.get({ name });
      if (!namespace.metadata.deletionTimestamp) return;
      namespace = await this.#retryOnConflict(namespace, (latest) => this.#updateStatus(latest));
    } catch (error) {
      if (isNotFound(error)) return;
      throw error;
    }
    if (!namespace.metadata.deletionTimestamp || !namespace.spec?.finalizers?.length) return;
    await this.#deleteAllContent(namespace);
    try {
      await this.#retryOnConflict(namespace, (latest) => this.#finalize(latest));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  async #retryOnConflict(namespace: Namespace, write: (latest: Namespace) => Promise<Namespace>): Promise<Namespace> {
    let latest = namespace;
    for (;;) {
      try {
        return await write(latest);
      } catch (error) {
        if (!isConflict(error)) throw error;
        latest = await this.#namespaces.get({ name: namespace.metadata.name ?? '' });
        if (latest.metadata.uid !== namespace.metadata.uid) throw new DeletionError('namespace uid has changed across retries');
      }
    }
  }

  #updateStatus(namespace: Namespace): Promise<Namespace> {
    if (!namespace.metadata.deletionTimestamp || namespace.status?.phase === 'Terminating') return Promise.resolve(namespace);
    return this.#namespaces.updateStatus({ ...namespace, status: { ...namespace.status, phase: 'Terminating' } });
  }

  #finalize(namespace: Namespace): Promise<Namespace> {
    const { apiVersion = 'v1', kind = 'Namespace', metadata, spec } = namespace;
    const { finalizers: before = [], ...rest } = spec ?? {};
    const finalizers = before.filter((finalizer) => finalizer !== FINALIZER).sort();
    const left = finalizers.length > 0 ? { ...rest, finalizers } : rest;
    return this.#namespaces.update({ apiVersion, kind, metadata, spec: left }, { subresource: 'finalize' });
  }

  /** pkg/controller/namespace/deletion deleteAllContent */
  async #deleteAllContent(namespace: Namespace): Promise<void> {
    const { name = '' } = namespace.metadata;
    const { resources, failed } = await serverPreferredNamespacedResources(this.#client);
    const errors = failed.length > 0 ? [`unable to retrieve the complete list of server APIs: ${[...failed].sort().join(', ')}`] : [];
    const content: string[] = [];
    const ofPods = await this.#deleteAllOf(pods as Resource, namespace);
    if (ofPods.error) content.push(ofPods.error);
    if (ofPods.remaining > 0) {
      await this.#writeConditions(namespace, { discovery: failed, content });
      if (ofPods.error) errors.push(`failed to delete pods for namespace: ${name}, err: ${ofPods.error}`);
      this.#report(errors, { estimateSeconds: ofPods.estimateSeconds, remaining: new Map([['pods.', ofPods.remaining]]) });
      return;
    }
    const remaining = new Map<string, number>();
    const finalizers = new Map<string, number>();
    let estimateSeconds = 0;
    for (const resource of resources) {
      if (resource.group === '' && resource.resource === 'pods') continue;
      const left = await this.#deleteAllOf(resource, namespace);
      if (left.error) content.push(left.error);
      estimateSeconds = Math.max(estimateSeconds, left.estimateSeconds);
      if (left.remaining > 0) remaining.set(`${resource.resource}.${resource.group}`, left.remaining);
      for (const [finalizer, count] of left.finalizers) finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + count);
    }
    await this.#writeConditions(namespace, { discovery: failed, content, totals: { remaining, finalizers } });
    this.#report([...errors, ...content], { estimateSeconds, remaining });
  }

  #report(errors: readonly string[], left: { estimateSeconds: number; remaining: ReadonlyMap<string, number> }): void {
    if (errors.length > 0) throw new DeletionError(errors.length === 1 ? (errors[0] ?? '') : `[${errors.join(', ')}]`);
    if (left.estimateSeconds > 0) throw new ResourcesRemainingError(left);
  }

  async #writeConditions(namespace: Namespace, findings: Parameters<typeof withConditions>[1]): Promise<void> {
    const changed = withConditions(namespace, findings, formatTime(this.#client.actor.simulation.wallTime));
    if (!changed) return;
    try {
      await this.#namespaces.updateStatus(changed);
    } catch (error) {
      // The pass itself did what it could; the conditions are written by the next one.
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
  }

  /** pkg/controller/namespace/deletion deleteAllContentForGroupVersionResource */
  async #deleteAllOf(resource: Resource, namespace: Namespace): Promise<DeletionMetadata> {
    const { name = '' } = namespace.metadata;
    const client = this.#client.resource(resource);
    let estimateSeconds = 0;
    try {
      estimateSeconds = await this.#estimateGracefulTermination(resource, namespace);
      if (resource.verbs.includes('deletecollection'))
        await client.deleteCollection({ namespace: name }, { propagationPolicy: 'Background' });
      else await deleteEachItem(client, name);
      const { items } = resource.verbs.includes('list') ? await client.list({ namespace: name }) : { items: [] };
      return whatIsLeft(items, estimateSeconds, { resource, namespace: name });
    } catch (error) {
      return { ...NOTHING_LEFT, estimateSeconds, error: error instanceof Error ? error.message : String(error) };
    }
  }

  /** pkg/controller/namespace/deletion estimateGracefulTermination */
  async #estimateGracefulTermination({ group, resource }: Resource, { metadata }: Namespace): Promise<number> {
    if (group !== '' || resource !== 'pods') return 0;
    const { items } = await this.#client.resource(pods).list({ namespace: metadata.name });
    const running = items.filter(({ status }) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed');
    const seconds = running.reduce((most, { spec }) => Math.max(most, spec?.terminationGracePeriodSeconds ?? 0), 0);
    const sinceDeletion = this.#client.actor.simulation.wallTime - (parseTime(metadata.deletionTimestamp) ?? 0);
    return sinceDeletion >= seconds * 1_000 ? 0 : seconds;
  }
}

/** pkg/controller/namespace/deletion deleteEachItem */
async function deleteEachItem(client: ResourceClient<KubernetesObject>, namespace: string): Promise<void> {
  if (!client.resource.verbs.includes('list')) return;
  const { items } = await client.list({ namespace });
  for (const { metadata } of items) {
    try {
      await client.delete({ namespace, name: metadata.name ?? '' }, { propagationPolicy: 'Background' });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

function whatIsLeft(
  items: readonly KubernetesObject[],
  estimateSeconds: number,
  { resource, namespace }: { resource: Resource; namespace: string },
): DeletionMetadata {
  if (items.length === 0) return NOTHING_LEFT;
  const finalizers = new Map<string, number>();
  for (const { metadata } of items) {
    for (const finalizer of metadata.finalizers ?? []) finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
  }
  const remaining = items.length;
  if (estimateSeconds > 0) return { estimateSeconds, remaining, finalizers };
  if (finalizers.size > 0) return { estimateSeconds: FINALIZER_ESTIMATE_SECONDS, remaining, finalizers };
  const gvr = `${resource.group}/${resource.version}, Resource=${resource.resource}`;
  return { estimateSeconds, remaining, finalizers, error: `unexpected items still remain in namespace: ${namespace} for gvr: ${gvr}` };
}

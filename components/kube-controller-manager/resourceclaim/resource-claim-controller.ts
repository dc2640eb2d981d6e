import type { Pod, PodResourceClaim } from '../../../src/api/kinds/core-v1.ts';
import type { ResourceClaim, ResourceClaimConsumerReference } from '../../../src/api/kinds/resource-v1.ts';
import { isControlledBy, newControllerRef } from '../../../src/api/meta.ts';
import { keyOf } from '../../../src/api/object.ts';
import { pods, resourceclaims, resourceclaimtemplates } from '../../../src/api/resources.ts';
import { isNotFound } from '../../../src/api/status-error.ts';
import type { Client } from '../../../src/client/client.ts';
import { runWorkers } from '../../../src/client/controller.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import type { SharedInformer } from '../../../src/client/informer.ts';
import { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import { messageOf, SyncError } from '../controller/sync-error.ts';
import type { ControllerContext } from '../controller-context.ts';
import { claimGenerateName } from './claim-names.ts';

const NAME = 'resourceclaim-controller';
const ACCOUNT = 'resource-claim-controller';
const FIELD_MANAGER = 'ResourceClaimController';
const WORKERS = 50;
const POD_CLAIM_NAME = 'resource.kubernetes.io/pod-claim-name';
const FINALIZER = 'resource.kubernetes.io/delete-protection';
const BY_CLAIM = 'resourceClaims';
const BY_TEMPLATE = 'resourceClaimTemplates';

/** Makes the claims of devices that pods ask for by templates, and gives claims back when pods are done. pkg/controller/resourceclaim/controller.go Controller */
class ResourceClaimController {
  readonly #context: ControllerContext;
  readonly #client: Client;
  readonly #recorder: EventRecorder;
  readonly #pods: SharedInformer<Pod>;
  readonly #claims: SharedInformer<ResourceClaim>;
  readonly #queue: RateLimitingQueue;

  constructor(context: ControllerContext) {
    const { actor, informers } = context;
    this.#context = context;
    this.#client = context.clientFor(ACCOUNT);
    this.#recorder = context.recorderFor('resource_claim', ACCOUNT);
    this.#queue = new RateLimitingQueue({ actor });
    this.#pods = informers.forResource(pods);
    this.#claims = informers.forResource(resourceclaims);
    this.#pods.addIndexers({ [BY_CLAIM]: claimKeysOf, [BY_TEMPLATE]: templateKeysOf });
    this.#pods.addEventHandler({
      onAdd: (pod) => this.#enqueuePod(pod, false),
      onUpdate: (_, pod) => this.#enqueuePod(pod, false),
      onDelete: (pod) => this.#enqueuePod(pod, true),
    });
    const onClaim = (claim: ResourceClaim): void => {
      this.#queue.add(`claim:${keyOf(claim)}`);
      this.#enqueuePodsOf(BY_CLAIM, keyOf(claim));
    };
    this.#claims.addEventHandler({
      onAdd: onClaim,
      onUpdate: (_, claim) => onClaim(claim),
      onDelete: (claim) => this.#enqueuePodsOf(BY_CLAIM, keyOf(claim)),
    });
    informers.forResource(resourceclaimtemplates).addEventHandler({
      onAdd: (template) => this.#enqueuePodsOf(BY_TEMPLATE, keyOf(template)),
      onUpdate: (_, template) => this.#enqueuePodsOf(BY_TEMPLATE, keyOf(template)),
    });
  }

  run(): void {
    const reconcile = (key: string): Promise<void> => {
      const [kind, rest = ''] = key.split(':');
      return kind === 'pod' ? this.#syncPod(rest) : this.#syncClaim(rest);
    };
    runWorkers({ actor: this.#context.actor, name: NAME, queue: this.#queue, workers: WORKERS, reconcile });
  }

  #enqueuePodsOf(index: string, key: string): void {
    for (const pod of this.#pods.store.byIndex(index, key)) this.#enqueuePod(pod, false);
  }

  /** controller.go enqueuePod */
  #enqueuePod(pod: Pod, deleted: boolean): void {
    if (!pod.spec?.resourceClaims?.length) return;
    if (deleted || isDone(pod)) {
      for (const key of claimKeysOf(pod)) this.#queue.add(`claim:${key}`);
      return;
    }
    if (pod.metadata.deletionTimestamp) return;
    if (pod.spec.nodeName || pod.spec.resourceClaims.some((entry) => this.#lacksClaim(pod, entry))) this.#queue.add(`pod:${keyOf(pod)}`);
  }

  #lacksClaim(pod: Pod, { name, resourceClaimTemplateName }: PodResourceClaim): boolean {
    if (!resourceClaimTemplateName) return false;
    const known = pod.status?.resourceClaimStatuses?.find((status) => status.name === name);
    if (!known) return true;
    if (known.resourceClaimName === undefined) return false;
    const claim = this.#claims.store.get(`${pod.metadata.namespace}/${known.resourceClaimName}`);
    return !claim || !isControlledBy(claim, pod);
  }

  /** controller.go syncPod */
  async #syncPod(key: string): Promise<void> {
    const pod = this.#pods.store.get(key);
    if (!pod || pod.metadata.deletionTimestamp) return;
    const made = new Map<string, string>();
    for (const entry of pod.spec?.resourceClaims ?? []) {
      try {
        if (this.#lacksClaim(pod, entry)) made.set(entry.name, await this.#ensureClaim(pod, entry));
      } catch (error) {
        this.#recorder.event(pod, 'Warning', 'FailedResourceClaimCreation', `PodResourceClaim ${entry.name}: ${messageOf(error)}`);
        throw error;
      }
    }
    if (made.size > 0) await this.#applyNames(pod, made);
    if (pod.spec?.nodeName) await this.#reserve(pod);
  }

  /** controller.go handleClaim */
  async #ensureClaim(pod: Pod, { name, resourceClaimTemplateName = '' }: PodResourceClaim): Promise<string> {
    const { namespace = '' } = pod.metadata;
    const present = this.#claims.store
      .listNamespace(namespace)
      .find((claim) => isControlledBy(claim, pod) && claim.metadata.annotations?.[POD_CLAIM_NAME] === name);
    if (present) return present.metadata.name ?? '';
    const templates = this.#context.informers.forResource(resourceclaimtemplates).store;
    const template = templates.get(`${namespace}/${resourceClaimTemplateName}`);
    if (!template) {
      const missing = `resourceclaimtemplate.resource.k8s.io "${resourceClaimTemplateName}" not found`;
      throw new SyncError(`resource claim template "${resourceClaimTemplateName}": ${missing}`);
    }
    const { labels, annotations } = template.spec.metadata ?? {};
    const created = await this.#client.resource(resourceclaims).create({
      metadata: {
        namespace,
        generateName: claimGenerateName(pod.metadata.name ?? '', name),
        annotations: { ...annotations, [POD_CLAIM_NAME]: name },
        ...(labels ? { labels } : {}),
        ownerReferences: [newControllerRef(pod, { apiVersion: 'v1', kind: 'Pod' })],
      },
      spec: template.spec.spec,
    });
    return created.metadata.name ?? '';
  }

  async #applyNames(pod: Pod, made: ReadonlyMap<string, string>): Promise<void> {
    const { namespace = '', name = '' } = pod.metadata;
    const before = (pod.status?.resourceClaimStatuses ?? []).filter((status) => !made.has(status.name));
    const resourceClaimStatuses = [...before, ...[...made].map(([entry, claim]) => ({ name: entry, resourceClaimName: claim }))];
    const apply = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name }, status: { resourceClaimStatuses } };
    const options = { type: 'apply', subresource: 'status', fieldManager: FIELD_MANAGER, force: true } as const;
    await this.#client.resource(pods).patch({ namespace, name }, apply, options);
  }

  /** A pod that was bound by hand, to a node for which its claim is allocated. controller.go reserveForPod */
  async #reserve(pod: Pod): Promise<void> {
    for (const key of claimKeysOf(pod)) {
      const claim = this.#claims.store.get(key);
      const reservedFor = claim?.status?.reservedFor ?? [];
      if (!claim?.status?.allocation || reservedFor.some(({ uid }) => uid === pod.metadata.uid)) continue;
      const reference = { resource: 'pods', name: pod.metadata.name ?? '', uid: pod.metadata.uid ?? '' };
      const status = { ...claim.status, reservedFor: [...reservedFor, reference] };
      await this.#client.resource(resourceclaims).updateStatus({ ...claim, status });
    }
  }

  /** controller.go syncClaim */
  async #syncClaim(key: string): Promise<void> {
    const claim = this.#claims.store.get(key);
    if (!claim) return;
    const before = claim.status?.reservedFor ?? [];
    const valid: ResourceClaimConsumerReference[] = [];
    for (const reference of before) if (await this.#isStillUsed(claim, reference)) valid.push(reference);
    const isFree = valid.length === 0;
    const mayFree = isFree && (claim.metadata.finalizers ?? []).includes(FINALIZER);
    if (valid.length < before.length || (mayFree && claim.metadata.deletionTimestamp)) await this.#release(claim, valid, mayFree);
    if (!isFree || claim.metadata.deletionTimestamp) return;
    const owner = claim.metadata.ownerReferences?.find(({ controller, kind }) => controller && kind === 'Pod');
    const pod = owner && this.#pods.store.get(`${claim.metadata.namespace}/${owner.name}`);
    if (!owner || !pod || (pod.metadata.uid === owner.uid && !isDone(pod))) return;
    await this.#deleteClaim(claim);
  }

  async #release(claim: ResourceClaim, valid: ResourceClaimConsumerReference[], free: boolean): Promise<void> {
    const client = this.#client.resource(resourceclaims);
    const { reservedFor: _reserved, allocation, devices: _devices, ...rest } = claim.status ?? {};
    const kept = free ? {} : { ...(allocation ? { allocation } : {}), ...(claim.status?.devices ? { devices: claim.status.devices } : {}) };
    const status = { ...rest, ...kept, ...(valid.length > 0 ? { reservedFor: valid } : {}) };
    const updated = await client.updateStatus({ ...claim, status });
    if (!free) return;
    const { finalizers = [], ...metadata } = updated.metadata;
    const others = finalizers.filter((name) => name !== FINALIZER);
    await client.update({ ...updated, metadata: { ...metadata, ...(others.length > 0 ? { finalizers: others } : {}) } });
  }

  async #deleteClaim({ metadata: { namespace, name = '', uid = '' } }: ResourceClaim): Promise<void> {
    try {
      await this.#client.resource(resourceclaims).delete({ namespace, name }, { preconditions: { uid } });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  /** Whoever is no pod keeps its claim. A pod that the cache does not have is asked for. */
  async #isStillUsed(
    { metadata: { namespace } }: ResourceClaim,
    { resource, apiGroup = '', name, uid }: ResourceClaimConsumerReference,
  ): Promise<boolean> {
    if (resource !== 'pods' || apiGroup !== '') return true;
    const cached = this.#pods.store.get(`${namespace}/${name}`);
    const pod = cached?.metadata.uid === uid ? cached : await this.#getPod(namespace, name);
    return pod !== undefined && pod.metadata.uid === uid && !isDone(pod);
  }

  async #getPod(namespace: string | undefined, name: string): Promise<Pod | undefined> {
    try {
      return await this.#client.resource(pods).get({ namespace, name });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}

/** k8s.io/dynamic-resource-allocation/resourceclaim CanBeReserved's counterpart, controller.go isPodDone: needs its claims no more. */
function isDone({ metadata, spec, status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed' || (metadata.deletionTimestamp !== undefined && !spec?.nodeName);
}

/** The claims of a pod, as far as they have names. */
function claimKeysOf({ metadata, spec, status }: Pod): string[] {
  return (spec?.resourceClaims ?? []).flatMap(({ name, resourceClaimName }) => {
    const made = status?.resourceClaimStatuses?.find((known) => known.name === name)?.resourceClaimName;
    const claim = resourceClaimName ?? made;
    return claim === undefined ? [] : [`${metadata.namespace}/${claim}`];
  });
}

function templateKeysOf({ metadata, spec }: Pod): string[] {
  return (spec?.resourceClaims ?? []).flatMap(({ resourceClaimTemplateName: name }) => (name ? [`${metadata.namespace}/${name}`] : []));
}

/** cmd/kube-controller-manager/app/core.go startResourceClaimController */
export function startResourceClaimController(context: ControllerContext): void {
  const controller = new ResourceClaimController(context);
  context.onceSynced(() => controller.run());
}

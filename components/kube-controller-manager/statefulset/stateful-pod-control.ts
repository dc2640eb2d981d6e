import type { StatefulSet } from '../../../src/api/kinds/apps-v1.ts';
import type { PersistentVolumeClaim, Pod } from '../../../src/api/kinds/core-v1.ts';
import { keyOf } from '../../../src/api/object.ts';
import { isAlreadyExists } from '../../../src/api/status-error.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import { DEFAULT_BACKOFF, retryOnConflict } from '../../../src/client/retry.ts';
import { aggregate, isClusterError, messageOf, SyncError } from '../controller/sync-error.ts';
import {
  getRetentionPolicy,
  hasUnexpectedController,
  isClaimOfFormerPod,
  isClaimOwnerUpToDate,
  updateClaimOwnerRefForSetAndPod,
} from './claim-retention.ts';
import {
  getOrdinal,
  getPersistentVolumeClaimName,
  getPersistentVolumeClaims,
  identityMatches,
  storageMatches,
  updateIdentity,
  updateStorage,
} from './stateful-set-utils.ts';

type Verb = 'create' | 'update' | 'delete';

const EVENT_REASONS: Readonly<Record<Verb, string>> = { create: 'Create', update: 'Update', delete: 'Delete' };

const NO_CLAIMS: readonly PersistentVolumeClaim[] = [];

export interface StatefulPodControlOptions {
  readonly pods: ResourceClient<Pod>;
  readonly podLister: Indexer<Pod>;
  readonly claims: ResourceClient<PersistentVolumeClaim>;
  readonly claimLister: Indexer<PersistentVolumeClaim>;
  readonly recorder: EventRecorder;
}

/** Writes the pods and claims of StatefulSets, with events about them: pkg/controller/statefulset/stateful_pod_control.go StatefulPodControl */
export class StatefulPodControl {
  readonly #options: StatefulPodControlOptions;

  constructor(options: StatefulPodControlOptions) {
    this.#options = options;
  }

  /** pkg/controller/statefulset/stateful_pod_control.go CreateStatefulPod */
  async createStatefulPod(set: StatefulSet, pod: Pod): Promise<void> {
    await this.#recordingFailure('create', { set, pod }, () => this.#createPersistentVolumeClaims(set, pod));
    const failure = await this.#options.pods.create(pod).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (failure !== undefined && isAlreadyExists(failure)) throw failure;
    // Also when there is no pod: the claims are there, and may be in the cache by now.
    await this.#recordingFailure('update', { set, pod }, () => this.updatePodClaimForRetentionPolicy(set, pod));
    this.#recordPodEvent('create', { set, pod }, failure);
    if (failure !== undefined) throw failure;
  }

  /** pkg/controller/statefulset/stateful_pod_control.go DeleteStatefulPod */
  async deleteStatefulPod(set: StatefulSet, pod: Pod): Promise<void> {
    const { namespace, name = '' } = pod.metadata;
    await this.#recordingFailure('delete', { set, pod }, () => this.#options.pods.delete({ namespace, name }));
    this.#recordPodEvent('delete', { set, pod });
  }

  /** Gives the pod back its name, its volumes and the owners of its claims: pkg/controller/statefulset/stateful_pod_control.go UpdateStatefulPod */
  async updateStatefulPod(set: StatefulSet, pod: Pod): Promise<void> {
    const { pods, podLister } = this.#options;
    let current = pod;
    let attempted = false;
    const update = async (): Promise<void> => {
      const made = identityMatches(set, current) ? current : updateIdentity(current);
      const isStored = storageMatches(set, made);
      const complete = isStored ? made : updateStorage(set, made);
      if (!isStored) await this.#recordingFailure('update', { set, pod }, () => this.#createPersistentVolumeClaims(set, complete));
      const isRetained = this.claimsMatchRetentionPolicy(set, complete);
      if (!isRetained) await this.#recordingFailure('update', { set, pod }, () => this.updatePodClaimForRetentionPolicy(set, complete));
      if (complete === current && isRetained) return;
      attempted = true;
      try {
        await pods.update(complete);
      } catch (error) {
        current = podLister.get(keyOf(pod)) ?? current;
        throw error;
      }
    };
    try {
      await retryOnConflict({ actor: pods.actor, backoff: DEFAULT_BACKOFF }, update);
    } catch (error) {
      if (attempted) this.#recordPodEvent('update', { set, pod }, error);
      throw error;
    }
    if (attempted) this.#recordPodEvent('update', { set, pod });
  }

  /** pkg/controller/statefulset/stateful_pod_control.go createMissingPersistentVolumeClaims */
  async createMissingPersistentVolumeClaims(set: StatefulSet, pod: Pod): Promise<void> {
    if (!set.spec?.volumeClaimTemplates?.length) return;
    await this.#createPersistentVolumeClaims(set, pod);
    await this.#recordingFailure('update', { set, pod }, () => this.updatePodClaimForRetentionPolicy(set, pod));
  }

  /** Whether a claim is about to go with a former pod of this name: pkg/controller/statefulset/stateful_pod_control.go PodClaimIsStale */
  podClaimIsStale(set: StatefulSet, pod: Pod): boolean {
    if (getRetentionPolicy(set).whenScaled === 'Retain') return false;
    return this.#claimsOf(set, pod).some((claim) => isClaimOfFormerPod(claim, pod));
  }

  /** pkg/controller/statefulset/stateful_pod_control.go ClaimsMatchRetentionPolicy */
  claimsMatchRetentionPolicy(set: StatefulSet, pod: Pod): boolean {
    return this.#claimsOf(set, pod).every((claim) => isClaimOwnerUpToDate(claim, set, pod));
  }

  /** pkg/controller/statefulset/stateful_pod_control.go UpdatePodClaimForRetentionPolicy */
  async updatePodClaimForRetentionPolicy(set: StatefulSet, pod: Pod): Promise<void> {
    for (const claim of this.#claimsOf(set, pod)) {
      const { name } = claim.metadata;
      if (hasUnexpectedController(claim, set, pod)) {
        const message = `PersistentVolumeClaim ${name} has a conflicting OwnerReference that acts as a manging controller, the retention policy is ignored for this claim`;
        this.#options.recorder.event(set, 'Warning', 'ConflictingController', message);
      }
      if (isClaimOwnerUpToDate(claim, set, pod)) continue;
      try {
        await this.#options.claims.update(updateClaimOwnerRefForSetAndPod(claim, set, pod));
      } catch (error) {
        throw new SyncError(`could not update claim ${name} for delete policy ownerRefs: ${messageOf(error)}`, { cause: error });
      }
    }
  }

  /** The pod's claims that the cache shows. */
  #claimsOf(set: StatefulSet, pod: Pod): readonly PersistentVolumeClaim[] {
    const templates = set.spec?.volumeClaimTemplates;
    if (!templates?.length) return NO_CLAIMS;
    const { namespace } = set.metadata;
    const ordinal = getOrdinal(pod);
    return templates.flatMap((template) => {
      const claim = this.#options.claimLister.get(keyOf({ namespace, name: getPersistentVolumeClaimName(set, template, ordinal) }));
      return claim ? [claim] : [];
    });
  }

  /** pkg/controller/statefulset/stateful_pod_control.go createPersistentVolumeClaims */
  async #createPersistentVolumeClaims(set: StatefulSet, pod: Pod): Promise<void> {
    const errors: unknown[] = [];
    for (const claim of getPersistentVolumeClaims(set, pod).values()) {
      const known = this.#options.claimLister.get(keyOf(claim));
      if (known?.metadata.deletionTimestamp !== undefined) errors.push(new SyncError(`pvc ${claim.metadata.name} is being deleted`));
      if (known) continue;
      try {
        await this.#options.claims.create(claim);
        this.#recordClaimEvent(set, { pod, claim });
      } catch (error) {
        if (!isClusterError(error)) throw error;
        errors.push(new SyncError(`failed to create PVC ${claim.metadata.name}: ${messageOf(error)}`, { cause: error }));
        if (!isAlreadyExists(error)) this.#recordClaimEvent(set, { pod, claim, error });
      }
    }
    if (errors.length) throw aggregate(errors);
  }

  async #recordingFailure(verb: Verb, about: { set: StatefulSet; pod: Pod }, run: () => Promise<unknown>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.#recordPodEvent(verb, about, error);
      throw error;
    }
  }

  /** pkg/controller/statefulset/stateful_pod_control.go recordPodEvent */
  #recordPodEvent(verb: Verb, { set, pod }: { set: StatefulSet; pod: Pod }, error?: unknown): void {
    const what = `${verb} Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`;
    this.#record(set, { verb, done: `${what} successful`, failed: `${what} failed error: `, error });
  }

  /** pkg/controller/statefulset/stateful_pod_control.go recordClaimEvent */
  #recordClaimEvent(set: StatefulSet, { pod, claim, error }: { pod: Pod; claim: PersistentVolumeClaim; error?: unknown }): void {
    const where = `Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`;
    const { name } = claim.metadata;
    const done = `create Claim ${name} ${where} success`;
    this.#record(set, { verb: 'create', done, failed: `create Claim ${name} for ${where} failed error: `, error });
  }

  #record(set: StatefulSet, { verb, done, failed, error }: { verb: Verb; done: string; failed: string; error: unknown }): void {
    const { recorder } = this.#options;
    if (error === undefined) recorder.event(set, 'Normal', `Successful${EVENT_REASONS[verb]}`, done);
    else recorder.event(set, 'Warning', `Failed${EVENT_REASONS[verb]}`, failed + messageOf(error));
  }
}

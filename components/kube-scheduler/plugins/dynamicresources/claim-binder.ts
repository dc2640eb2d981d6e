import type { Pod } from '../../../../src/api/kinds/core-v1.ts';
import type { AllocationResult, ResourceClaim } from '../../../../src/api/kinds/resource-v1.ts';
import { resourceclaims } from '../../../../src/api/resources.ts';
import { ApiStatusError } from '../../../../src/api/status-error.ts';
import { retryOnConflict } from '../../../../src/client/retry.ts';
import { ActorUnavailable } from '../../../../src/sim/actor-unavailable.ts';
import { inBackground } from '../../framework/in-background.ts';
import type { Handle } from '../../framework/interface.ts';
import { asStatus, type Status } from '../../framework/status.ts';
import { AllocationError } from './allocation-error.ts';

/** resource.k8s.io Finalizer */
const FINALIZER = 'resource.kubernetes.io/delete-protection';

/** k8s.io/dynamic-resource-allocation/resourceclaim IsReservedForPod */
export function isReservedForPod({ status }: ResourceClaim, pod: Pod): boolean {
  return status?.reservedFor?.some(({ uid }) => uid === pod.metadata.uid) === true;
}

/** Writes to claims what was decided about them. */
export class ClaimBinder {
  readonly #handle: Pick<Handle, 'client' | 'actor'>;

  constructor(handle: Pick<Handle, 'client' | 'actor'>) {
    this.#handle = handle;
  }

  get #claims() {
    return this.#handle.client.resource(resourceclaims);
  }

  /**
   * Writes what the claim gets, if it has nothing yet, and that the pod may use it: DynamicResources.bindClaim.
   * @throws ApiStatusError, AllocationError
   */
  async bindClaim(known: ResourceClaim, pod: Pod, allocation: AllocationResult | undefined): Promise<ResourceClaim> {
    const { namespace = '', name = '' } = known.metadata;
    let claim: ResourceClaim | undefined = known;
    return retryOnConflict({ actor: this.#handle.actor }, async () => {
      let current: ResourceClaim = claim ?? (await this.#claims.get({ namespace, name }));
      // What is known may be old; a second try looks.
      claim = undefined;
      const { deletionTimestamp, finalizers = [] } = current.metadata;
      if (deletionTimestamp) throw new AllocationError(`claim ${name} got deleted in the meantime`);
      if (allocation && current.status?.allocation) throw new AllocationError(`claim ${name} got allocated elsewhere in the meantime`);
      if (allocation && !finalizers.includes(FINALIZER))
        current = await this.#claims.update({ ...current, metadata: { ...current.metadata, finalizers: [...finalizers, FINALIZER] } });
      const consumer = { resource: 'pods', name: pod.metadata.name ?? '', uid: pod.metadata.uid ?? '' };
      const reservedFor = [...(current.status?.reservedFor ?? []), consumer];
      return this.#claims.updateStatus({ ...current, status: { ...current.status, ...(allocation ? { allocation } : {}), reservedFor } });
    });
  }

  /** The pod does not come after all. */
  unreserve({ metadata: { namespace = '', name = '', uid } }: ResourceClaim, pod: Pod): void {
    const patch = { metadata: { uid }, status: { reservedFor: [{ $patch: 'delete', uid: pod.metadata.uid }] } };
    const written = this.#claims.patch({ namespace, name }, patch, { type: 'strategic', subresource: 'status' });
    inBackground(this.#handle.actor, written.then(() => {}).catch(ignoreRefusal));
  }

  /** Takes the claim's devices back; returns how that failed. */
  async deallocate(claim: ResourceClaim): Promise<Status | undefined> {
    const { allocation: _, reservedFor: __, ...status } = claim.status ?? {};
    try {
      await this.#claims.updateStatus({ ...claim, status });
      return undefined;
    } catch (error) {
      ignoreRefusal(error);
      return asStatus(error);
    }
  }
}

/** The next attempt sees what became of it. */
function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ApiStatusError) && !(error instanceof ActorUnavailable)) throw error;
}

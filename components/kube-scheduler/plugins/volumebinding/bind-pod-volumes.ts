import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../../../src/api/kinds/core-v1.ts';
import { keyOf } from '../../../../src/api/object.ts';
import { persistentvolumeclaims, persistentvolumes } from '../../../../src/api/resources.ts';
import { ApiStatusError } from '../../../../src/api/status-error.ts';
import { ActorUnavailable } from '../../../../src/sim/actor-unavailable.ts';
import type { Handle } from '../../framework/interface.ts';
import { messageOf } from '../../framework/status.ts';
import { ANN_SELECTED_NODE, isClaimFullyBound, type VolumeBinder } from './binder.ts';

const POLL_MS = 1000;
/** After that nobody waits for it any more: without a provisioner it never comes. */
const PATIENCE_MS = 60_000;

interface Bindings {
  readonly volumes: readonly PersistentVolume[];
  readonly claims: readonly PersistentVolumeClaim[];
  /** Of static bindings too. */
  readonly allClaims: readonly string[];
}

/**
 * volumeBinder.BindPodVolumes: asks the API to bind, and waits until the volume controllers have done so, or the pod is gone.
 * Returns the error text, or nothing when all is bound.
 */
export async function bindPodVolumes(
  handle: Pick<Handle, 'actor' | 'client' | 'listers'>,
  binder: VolumeBinder,
  bindings: Bindings & { readonly pod: Pod; readonly nodeName: string; readonly timeoutMs: number },
): Promise<string | undefined> {
  const { client, actor, listers } = handle;
  try {
    for (const volume of bindings.volumes) await client.resource(persistentvolumes).update(volume);
    for (const claim of bindings.claims) await client.resource(persistentvolumeclaims).update(claim);
  } catch (error) {
    if (error instanceof ApiStatusError || error instanceof ActorUnavailable) return messageOf(error);
    throw error;
  }
  for (let waited = 0; waited < bindings.timeoutMs; waited += POLL_MS) {
    await actor.sleep(POLL_MS, waited < PATIENCE_MS ? 'work' : 'background');
    if (!listers.pods.get(keyOf(bindings.pod)))
      return `binding volumes: pod does not exist any more: pod "${bindings.pod.metadata.name}" not found`;
    const state = checkBindings(binder, bindings);
    if (state === 'bound') return undefined;
    if (state !== 'waiting') return `binding volumes: ${state.error}`;
  }
  return 'binding volumes: context deadline exceeded';
}

/** volumeBinder.checkBindings */
function checkBindings(
  binder: VolumeBinder,
  bindings: Bindings & { readonly nodeName: string },
): 'bound' | 'waiting' | { readonly error: string } {
  for (const volume of bindings.volumes) {
    const current = binder.volumes.getAPIObject(keyOf(volume));
    if (!current) return { error: `failed to check binding: persistentvolume "${volume.metadata.name}" not found` };
    if (current.metadata.resourceVersion === volume.metadata.resourceVersion) return 'waiting';
    if (!current.spec?.claimRef?.uid) return { error: `ClaimRef got reset for pv "${volume.metadata.name}"` };
  }
  for (const claim of bindings.claims) {
    const current = binder.claims.getAPIObject(keyOf(claim));
    if (!current) return { error: `failed to check provisioning pvc: persistentvolumeclaim "${claim.metadata.name}" not found` };
    if (current.metadata.resourceVersion === claim.metadata.resourceVersion) return 'waiting';
    if (current.metadata.deletionTimestamp) return { error: `claim "${claim.metadata.name}" is being deleted` };
    if (current.metadata.annotations?.[ANN_SELECTED_NODE] !== bindings.nodeName) {
      return { error: `provisioning failed for PVC "${claim.metadata.name}"` };
    }
  }
  for (const key of bindings.allClaims) {
    const current = binder.claims.getAPIObject(key);
    if (!current || !isClaimFullyBound(current)) return 'waiting';
  }
  return 'bound';
}

import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '../../../../src/api/kinds/core-v1.ts';
import type { StorageClass } from '../../../../src/api/kinds/storage-v1.ts';
import { labelSelectorAsSelector } from '../../../../src/api/label-selector.ts';
import { keyOf } from '../../../../src/api/object.ts';
import type { Listers } from '../../framework/listers.ts';
import { amountOf } from '../../framework/resource.ts';
import { AssumeCache } from '../helper/assume-cache.ts';
import { claimOfVolume, classOfClaim, isDelayBindingMode } from '../helper/claims.ts';
import {
  findMatchingVolume,
  isVolumeBoundToClaim,
  matchTopologySelectorTerms,
  requestedStorage,
  volumeFitsNode,
} from './find-matching-volume.ts';

export const ANN_SELECTED_NODE = 'volume.kubernetes.io/selected-node';
const ANN_BIND_COMPLETED = 'pv.kubernetes.io/bind-completed';
const ANN_BOUND_BY_CONTROLLER = 'pv.kubernetes.io/bound-by-controller';
const NOT_SUPPORTED_PROVISIONER = 'kubernetes.io/no-provisioner';

const NODE_CONFLICT = "node(s) didn't match PersistentVolume's node affinity";
const BIND_CONFLICT = "node(s) didn't find available persistent volumes to bind";
const NOT_ENOUGH_SPACE = 'node(s) did not have enough free storage';
const VOLUME_NOT_EXIST = 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)';

/** volumebinding PodVolumeClaims */
export interface PodVolumeClaims {
  readonly bound: PersistentVolumeClaim[];
  readonly unboundImmediate: PersistentVolumeClaim[];
  readonly unboundDelayBinding: PersistentVolumeClaim[];
}

/** What binding a pod to a node means for its claims: volumebinding PodVolumes. */
export interface PodVolumes {
  readonly staticBindings: readonly { readonly claim: PersistentVolumeClaim; readonly volume: PersistentVolume }[];
  readonly dynamicProvisions: readonly PersistentVolumeClaim[];
}

/** component-helpers storage/volume IsPVCFullyBound */
export function isClaimFullyBound(claim: PersistentVolumeClaim): boolean {
  return Boolean(claim.spec?.volumeName) && claim.metadata.annotations?.[ANN_BIND_COMPLETED] !== undefined;
}

/** Finds, keeps and binds volumes: pkg/scheduler/framework/plugins/volumebinding volumeBinder. */
export class VolumeBinder {
  readonly claims: AssumeCache<PersistentVolumeClaim>;
  readonly volumes: AssumeCache<PersistentVolume>;
  readonly #listers: Listers;

  constructor(listers: Listers) {
    this.#listers = listers;
    this.claims = new AssumeCache(listers.persistentVolumeClaims);
    this.volumes = new AssumeCache(listers.persistentVolumes);
  }

  /** volumeBinder.GetPodVolumeClaims; claims that do not exist were refused before. */
  getPodVolumeClaims(pod: Pod): PodVolumeClaims {
    const result: PodVolumeClaims = { bound: [], unboundImmediate: [], unboundDelayBinding: [] };
    for (const volume of pod.spec?.volumes ?? []) {
      const claimed = claimOfVolume(pod, volume);
      const claim = claimed && this.claims.get(`${pod.metadata.namespace}/${claimed.name}`);
      if (!claim) continue;
      if (isClaimFullyBound(claim)) result.bound.push(claim);
      else if (isDelayBindingMode(claim, this.#listers) && !claim.spec?.volumeName) result.unboundDelayBinding.push(claim);
      else result.unboundImmediate.push(claim);
    }
    return result;
  }

  /** volumeBinder.FindPodVolumes: what the node has for the pod, or the reasons against it. */
  findPodVolumes(claims: PodVolumeClaims, node: Node): PodVolumes | readonly string[] {
    const reasons: string[] = [];
    const conflict = this.#checkBoundClaims(claims.bound, node);
    if (conflict === NODE_CONFLICT) reasons.push(conflict);
    const found = this.#findForUnbound(claims.unboundDelayBinding, node);
    if ('reason' in found) reasons.push(found.reason);
    if (conflict === VOLUME_NOT_EXIST) reasons.push(conflict);
    return reasons.length || 'reason' in found ? reasons : found;
  }

  #checkBoundClaims(claims: readonly PersistentVolumeClaim[], node: Node): string | undefined {
    for (const claim of claims) {
      const volume = this.volumes.get(claim.spec?.volumeName ?? '');
      if (!volume) return VOLUME_NOT_EXIST;
      if (!volumeFitsNode(volume, node)) return NODE_CONFLICT;
    }
    return undefined;
  }

  #findForUnbound(claims: readonly PersistentVolumeClaim[], node: Node): PodVolumes | { readonly reason: string } {
    const dynamicProvisions: PersistentVolumeClaim[] = [];
    const toMatch: PersistentVolumeClaim[] = [];
    for (const claim of claims) {
      const selected = claim.metadata.annotations?.[ANN_SELECTED_NODE];
      if (selected === undefined) toMatch.push(claim);
      else if (selected === node.metadata.name) dynamicProvisions.push(claim);
      else return { reason: BIND_CONFLICT };
    }
    const staticBindings: { claim: PersistentVolumeClaim; volume: PersistentVolume }[] = [];
    const chosen = new Set<string>();
    const volumes = toMatch.length ? this.volumes.list() : [];
    for (const claim of toMatch.sort((a, b) => requestedStorage(a) - requestedStorage(b))) {
      const volume = findMatchingVolume(claim, volumes, { node, chosen });
      if (!volume) {
        dynamicProvisions.push(claim);
        continue;
      }
      chosen.add(volume.metadata.name ?? '');
      staticBindings.push({ claim, volume });
    }
    for (const claim of dynamicProvisions) {
      const reason = this.#whyNotProvisioned(claim, node);
      if (reason) return { reason };
    }
    return { staticBindings, dynamicProvisions };
  }

  /** volumeBinder.checkVolumeProvisions for one claim. */
  #whyNotProvisioned(claim: PersistentVolumeClaim, node: Node): string | undefined {
    const storageClass = this.#listers.storageClasses.get(classOfClaim(claim));
    const provisioner = storageClass?.provisioner;
    if (!storageClass || !provisioner || provisioner === NOT_SUPPORTED_PROVISIONER) return BIND_CONFLICT;
    if (!matchTopologySelectorTerms(storageClass.allowedTopologies, node.metadata.labels)) return BIND_CONFLICT;
    return this.#hasEnoughCapacity(claim, storageClass, node) ? undefined : NOT_ENOUGH_SPACE;
  }

  #hasEnoughCapacity(claim: PersistentVolumeClaim, storageClass: StorageClass, node: Node): boolean {
    const wanted = requestedStorage(claim);
    if (wanted === 0 || !this.#listers.csiDrivers.get(storageClass.provisioner)?.spec.storageCapacity) return true;
    return this.#listers.csiStorageCapacities.list().some((one) => {
      if (one.storageClassName !== storageClass.metadata.name || !one.nodeTopology) return false;
      const limit = one.maximumVolumeSize ?? one.capacity;
      if (limit === undefined || amountOf('storage', limit) < wanted) return false;
      return labelSelectorAsSelector(one.nodeTopology).matches(node.metadata.labels);
    });
  }

  /** volumeBinder.AssumePodVolumes: other pods see the volumes as taken from now on. Returns what is to be written. */
  assumePodVolumes(
    volumes: PodVolumes,
    nodeName: string,
  ): { readonly volumes: PersistentVolume[]; readonly claims: PersistentVolumeClaim[] } {
    const assumed = {
      volumes: volumes.staticBindings.map(({ claim, volume }) => bindVolumeToClaim(volume, claim)),
      claims: volumes.dynamicProvisions.map((claim) => withAnnotation(claim, ANN_SELECTED_NODE, nodeName)),
    };
    for (const volume of assumed.volumes) this.volumes.assume(volume);
    for (const claim of assumed.claims) this.claims.assume(claim);
    return assumed;
  }

  revertAssumedPodVolumes(volumes: PodVolumes): void {
    for (const { volume } of volumes.staticBindings) this.volumes.restore(keyOf(volume));
    for (const claim of volumes.dynamicProvisions) this.claims.restore(keyOf(claim));
  }
}

/** component-helpers storage/volume GetBindVolumeToClaim */
function bindVolumeToClaim(volume: PersistentVolume, claim: PersistentVolumeClaim): PersistentVolume {
  const { namespace = '', name = '', uid = '', resourceVersion = '' } = claim.metadata;
  const claimRef = { kind: 'PersistentVolumeClaim', namespace, name, uid, apiVersion: 'v1', resourceVersion };
  const bound = { ...volume, spec: { ...volume.spec, claimRef } };
  return isVolumeBoundToClaim(volume, claim) ? bound : withAnnotation(bound, ANN_BOUND_BY_CONTROLLER, 'yes');
}

function withAnnotation<T extends PersistentVolume | PersistentVolumeClaim>(object: T, key: string, value: string): T {
  return { ...object, metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, [key]: value } } };
}

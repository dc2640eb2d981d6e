import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import type { SharedInformer } from '../../../src/client/informer.ts';

const INDEX = 'pod-pvc-index';

/** The claims that a pod uses, also those made for it, as keys: pkg/controller/volume/common PodPVCIndexFunc */
export function claimsOf({ metadata, spec }: Pod): string[] {
  const keys: string[] = [];
  for (const { name, persistentVolumeClaim, ephemeral } of spec?.volumes ?? []) {
    const claimName = persistentVolumeClaim?.claimName ?? (ephemeral ? `${metadata.name}-${name}` : undefined);
    if (claimName) keys.push(`${metadata.namespace}/${claimName}`);
  }
  return keys;
}

/** pkg/controller/volume/common AddPodPVCIndexerIfNotPresent */
export function addPodByClaimIndexer(informer: SharedInformer<Pod>): void {
  informer.addIndexers({ [INDEX]: claimsOf });
}

export function podsOfClaim(pods: Indexer<Pod>, claimKey: string): readonly Pod[] {
  return pods.byIndex(INDEX, claimKey);
}

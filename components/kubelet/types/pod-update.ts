import type { Pod } from '../../../src/api/kinds/core-v1.ts';

/** Annotations by which a kubelet knows where a pod comes from: pkg/kubelet/types ConfigSourceAnnotationKey and its neighbours. */
export const CONFIG_SOURCE = 'kubernetes.io/config.source';
export const CONFIG_HASH = 'kubernetes.io/config.hash';
export const CONFIG_SEEN = 'kubernetes.io/config.seen';
export const CONFIG_MIRROR = 'kubernetes.io/config.mirror';

/** pkg/kubelet/types IsStaticPod: it comes from a file of the node. */
export function isStaticPod({ metadata }: Pod): boolean {
  return metadata.annotations?.[CONFIG_SOURCE] !== undefined && !isMirrorPod({ metadata });
}

/** pkg/kubelet/types IsMirrorPod: it shows a static pod in the API, and runs nothing. */
export function isMirrorPod({ metadata }: Pick<Pod, 'metadata'>): boolean {
  return metadata.annotations?.[CONFIG_MIRROR] !== undefined;
}

/** pkg/kubelet/container GetPodFullName, by which a mirror pod finds its static pod. */
export function podFullName({ metadata }: Pick<Pod, 'metadata'>): string {
  return `${metadata.name}_${metadata.namespace}`;
}

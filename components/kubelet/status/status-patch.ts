import type { PodStatus } from '../../../src/api/kinds/core-v1.ts';
import { schemaOf } from '../../../src/api/schema.ts';
import { createTwoWayMergePatch } from '../../../src/api/two-way-merge-patch.ts';

/**
 * The strategic merge patch from one status to another, with the pod's uid as a precondition: pkg/util/pod PatchPodStatus.
 * @returns nothing when there is no difference
 */
export function statusPatch(uid: string, old: PodStatus, next: PodStatus): Record<string, unknown> | undefined {
  const patch = createTwoWayMergePatch({ status: old }, { status: next }, schemaOf('core.v1.Pod'));
  return patch && { metadata: { uid }, ...patch };
}

import type { NodeStatus } from '../../../src/api/kinds/core-v1.ts';
import { schemaOf } from '../../../src/api/schema.ts';
import { createTwoWayMergePatch } from '../../../src/api/two-way-merge-patch.ts';

/** The strategic merge patch from one node status to another: pkg/util/node PatchNodeStatus. */
export function statusPatch(old: NodeStatus, next: NodeStatus): Record<string, unknown> | undefined {
  return createTwoWayMergePatch({ status: old }, { status: next }, schemaOf('core.v1.Node'));
}

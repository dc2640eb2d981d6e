import { semanticDeepEqual } from '../../../src/api/deep-equal.ts';
import type { NodeStatus } from '../../../src/api/kinds/core-v1.ts';

/** The strategic merge patch from one node status to another: pkg/util/node PatchNodeStatus. Conditions and addresses are merged by type. */
export function statusPatch(old: NodeStatus, next: NodeStatus): { status: Record<string, unknown> } | undefined {
  const changes: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(next) as [keyof NodeStatus, unknown][]) {
    if (semanticDeepEqual(old[key], value)) continue;
    if (key !== 'conditions' && key !== 'addresses') {
      changes[key] = value;
      continue;
    }
    const before = (old[key] ?? []) as readonly { readonly type: string }[];
    const after = value as readonly { readonly type: string }[];
    changes[`$setElementOrder/${key}`] = after.map(({ type }) => ({ type }));
    changes[key] = after.filter(
      (item) =>
        !semanticDeepEqual(
          item,
          before.find(({ type }) => type === item.type),
        ),
    );
  }
  return Object.keys(changes).length > 0 ? { status: changes } : undefined;
}

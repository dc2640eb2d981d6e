import { semanticDeepEqual } from '../../../src/api/deep-equal.ts';
import type { PodCondition, PodStatus } from '../../../src/api/kinds/core-v1.ts';

/** Lists that the API merges item by item: field to merge key. */
const MERGED_LISTS: Partial<Record<keyof PodStatus, string>> = {
  conditions: 'type',
  podIPs: 'ip',
  hostIPs: 'ip',
  resourceClaimStatuses: 'name',
};

/**
 * The strategic merge patch from one status to another, as pkg/util/pod PatchPodStatus makes it.
 * @returns nothing when there is no difference
 */
export function statusPatch(
  uid: string,
  old: PodStatus,
  next: PodStatus,
): { metadata: { uid: string }; status: Record<string, unknown> } | undefined {
  const changes: Record<string, unknown> = {};
  for (const key in old) addChange(changes, key as keyof PodStatus, { old, next });
  for (const key in next) if (!(key in old)) addChange(changes, key as keyof PodStatus, { old, next });
  return Object.keys(changes).length > 0 ? { metadata: { uid }, status: changes } : undefined;
}

function addChange(changes: Record<string, unknown>, key: keyof PodStatus, { old, next }: { old: PodStatus; next: PodStatus }): void {
  if (semanticDeepEqual(old[key], next[key])) return;
  const mergeKey = MERGED_LISTS[key];
  if (next[key] === undefined) changes[key] = null;
  else if (mergeKey) mergeList(changes, key, { mergeKey, old: old[key], next: next[key] });
  else changes[key] = next[key];
}

type Item = Record<string, unknown>;

function mergeList(changes: Record<string, unknown>, key: string, lists: { mergeKey: string; old: unknown; next: unknown }): void {
  const { mergeKey } = lists;
  const old = (lists.old ?? []) as readonly Item[];
  const next = (lists.next ?? []) as readonly Item[];
  const patches: Item[] = [];
  for (const item of next) {
    const before = old.find((other) => other[mergeKey] === item[mergeKey]);
    if (!before) patches.push(item);
    else if (!semanticDeepEqual(before, item)) patches.push(itemPatch(before, item, mergeKey));
  }
  for (const item of old) {
    if (!next.some((other) => other[mergeKey] === item[mergeKey])) patches.push({ $patch: 'delete', [mergeKey]: item[mergeKey] });
  }
  changes[`$setElementOrder/${key}`] = next.map((item) => ({ [mergeKey]: item[mergeKey] }));
  if (patches.length > 0) changes[key] = patches;
}

function itemPatch(before: Item, item: Item, mergeKey: string): Item {
  const patch: Item = {};
  for (const field in before) if (!(field in item) && before[field] !== null) patch[field] = null;
  for (const field in item) if (field === mergeKey || !semanticDeepEqual(before[field], item[field])) patch[field] = item[field];
  return patch;
}

/** The condition of a type. */
export function findCondition(status: PodStatus | undefined, type: string): PodCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

import type { KubernetesObject } from '../../src/api/object.ts';
import { GROUP } from './api.ts';

type Json = Readonly<Record<string, unknown>>;

const LAST_APPLIED = `${GROUP}/last-applied-configuration`;
/** What tells the items of a list apart, by convention: the first that all items have. metacontroller pkg/dynamic/apply knownMergeKeys */
const MERGE_KEYS = ['containerPort', 'port', 'name', 'uid', 'ip'];

/** The object with a note of what was asked for, so that a later look can tell what is asked for no more. */
export function withLastApplied(desired: KubernetesObject): KubernetesObject {
  const annotations = { ...desired.metadata.annotations, [LAST_APPLIED]: sortedJson(desired) };
  return { ...desired, metadata: { ...desired.metadata, annotations } };
}

/** What an object is to be: what was asked for before and is not now goes, what is asked for now comes, the rest stays. metacontroller pkg/dynamic/apply.Merge */
export function applyUpdate(observed: KubernetesObject, desired: KubernetesObject): KubernetesObject {
  const before = observed.metadata.annotations?.[LAST_APPLIED];
  const lastApplied = before === undefined ? {} : (JSON.parse(before) as Json);
  const { status: _, ...wanted } = withLastApplied(desired) as KubernetesObject & { status?: unknown };
  return mergeObject(observed as unknown as Json, lastApplied, wanted as unknown as Json) as unknown as KubernetesObject;
}

function mergeObject(observed: Json, lastApplied: Json, desired: Json): Json {
  const out: Record<string, unknown> = { ...observed };
  for (const key of Object.keys(lastApplied)) if (!(key in desired)) delete out[key];
  for (const [key, value] of Object.entries(desired)) out[key] = merge(observed[key], lastApplied[key], value);
  return out;
}

function merge(observed: unknown, lastApplied: unknown, desired: unknown): unknown {
  if (isMap(desired)) return isMap(observed) ? mergeObject(observed, isMap(lastApplied) ? lastApplied : {}, desired) : desired;
  if (!Array.isArray(desired) || !Array.isArray(observed)) return desired;
  const last: readonly unknown[] = Array.isArray(lastApplied) ? lastApplied : [];
  const key = mergeKeyOf([...(observed as unknown[]), ...last, ...(desired as unknown[])]);
  return key ? mergeList(key, { observed: observed as Json[], last: last as readonly Json[], desired: desired as Json[] }) : desired;
}

interface Lists {
  readonly observed: readonly Json[];
  readonly last: readonly Json[];
  readonly desired: readonly Json[];
}

/** Items stay where they are; new ones come last. */
function mergeList(key: string, { observed, last, desired }: Lists): Json[] {
  const byKey = (list: readonly Json[]): Map<unknown, Json> => new Map(list.map((item) => [item[key], item]));
  const [before, wanted] = [byKey(last), byKey(desired)];
  const kept = observed.flatMap((item) => {
    const next = wanted.get(item[key]);
    if (next) return [mergeObject(item, before.get(item[key]) ?? {}, next)];
    return before.has(item[key]) ? [] : [item];
  });
  const there = byKey(observed);
  return [...kept, ...desired.filter((item) => !there.has(item[key]))];
}

/** metacontroller pkg/dynamic/apply.detectListMapKey */
function mergeKeyOf(items: readonly unknown[]): string | undefined {
  if (items.length === 0 || !items.every(isMap)) return undefined;
  return MERGE_KEYS.find((key) => items.every((item) => key in item));
}

function isMap(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** As Go writes maps: keys in order. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) =>
    isMap(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  );
}

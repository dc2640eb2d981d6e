import { deepEqual } from '../../api/deep-equal.ts';
import { isJsonObject, type JsonObject } from './field.ts';

/** A line of a structural comparison. `same` lines only show where a change is. */
export interface DiffLine {
  readonly depth: number;
  readonly mark: '+' | '-' | '~' | ' ';
  readonly text: string;
  /** Both sides of a changed line. */
  readonly sides?: readonly [before: string, after: string];
}

/** Bookkeeping that changes with every write and explains nothing. */
const SKIPPED = new Set(['managedFields', 'resourceVersion']);
/** How items of a list of maps are told apart, best first: the list-map keys of the API. */
const ITEM_KEYS = ['type', 'name', 'uid', 'ip', 'containerPort', 'port', 'key', 'topologyKey', 'mountPath', 'devicePath'];

/** What is different between two JSON values, as an indented list. Items of lists are matched by their key (`type`, `name`, …) where they have one. */
export function diffObjects(before: unknown, after: unknown): DiffLine[] {
  const lines: DiffLine[] = [];
  diffMaps(lines, { before: isJsonObject(before) ? before : {}, after: isJsonObject(after) ? after : {}, depth: 0 });
  return lines;
}

/** The places that changed, e.g. `spec.replicas`; at most `depth` names deep. */
export function changedPaths(before: unknown, after: unknown, depth = 2): string[] {
  if (!isJsonObject(before) || !isJsonObject(after)) return [];
  const paths: string[] = [];
  for (const key of keysOf(before, after)) {
    const [old, now] = [before[key], after[key]];
    if (SKIPPED.has(key) || deepEqual(old, now)) continue;
    if (depth > 1 && isJsonObject(old) && isJsonObject(now))
      for (const path of changedPaths(old, now, depth - 1)) paths.push(`${key}.${path}`);
    else paths.push(key);
  }
  return paths;
}

function diffMaps(lines: DiffLine[], { before, after, depth }: { before: JsonObject; after: JsonObject; depth: number }): void {
  for (const key of keysOf(before, after)) {
    if (!SKIPPED.has(key)) diffValues(lines, { label: key, before: before[key], after: after[key], depth });
  }
}

interface ValuePair {
  readonly label: string;
  readonly before: unknown;
  readonly after: unknown;
  readonly depth: number;
}

function diffValues(lines: DiffLine[], pair: ValuePair): void {
  const { label, before, after, depth } = pair;
  if (deepEqual(before, after)) return;
  if (before === undefined) printValue(lines, { mark: '+', label, value: after, depth });
  else if (after === undefined) printValue(lines, { mark: '-', label, value: before, depth });
  else if (isJsonObject(before) && isJsonObject(after)) {
    const start = lines.length;
    lines.push({ depth, mark: ' ', text: `${label}:` });
    diffMaps(lines, { before, after, depth: depth + 1 });
    if (lines.length === start + 1) lines.pop();
  } else if (Array.isArray(before) && Array.isArray(after)) diffLists(lines, { label, before, after, depth });
  else {
    const sides = [`${label}: ${scalar(before)}`, `${label}: ${scalar(after)}`] as const;
    lines.push({ depth, mark: '~', text: `${sides[0]} > ${scalar(after)}`, sides });
  }
}

function diffLists(lines: DiffLine[], pair: { label: string; before: unknown[]; after: unknown[]; depth: number }): void {
  const { label, before, after, depth } = pair;
  const key = itemKey([...before, ...after]);
  if (!key) {
    printValue(lines, { mark: '-', label, value: before, depth });
    printValue(lines, { mark: '+', label, value: after, depth });
    return;
  }
  lines.push({ depth, mark: ' ', text: `${label}:` });
  const old = new Map(before.map((item) => [String((item as JsonObject)[key]), item]));
  const now = new Map(after.map((item) => [String((item as JsonObject)[key]), item]));
  const start = lines.length;
  for (const name of new Set([...old.keys(), ...now.keys()])) {
    diffValues(lines, { label: `[${name}]`, before: old.get(name), after: now.get(name), depth: depth + 1 });
  }
  if (lines.length === start) lines.push({ depth: depth + 1, mark: '~', text: '(order)' });
}

/** The field that tells all these items apart. */
function itemKey(items: readonly unknown[]): string | undefined {
  if (!items.every(isJsonObject)) return undefined;
  return ITEM_KEYS.find((key) => items.every((item) => typeof item[key] === 'string' || typeof item[key] === 'number'));
}

function printValue(
  lines: DiffLine[],
  { mark, label, value, depth }: { mark: '+' | '-'; label: string; value: unknown; depth: number },
): void {
  if (isJsonObject(value) && Object.keys(value).length > 0) {
    lines.push({ depth, mark, text: `${label}:` });
    for (const [key, inner] of Object.entries(value))
      if (!SKIPPED.has(key)) printValue(lines, { mark, label: key, value: inner, depth: depth + 1 });
    return;
  }
  if (Array.isArray(value) && value.some(isJsonObject)) {
    lines.push({ depth, mark, text: `${label}:` });
    const key = itemKey(value);
    for (const [index, item] of value.entries())
      printValue(lines, { mark, label: `[${key ? (item as JsonObject)[key] : index}]`, value: item, depth: depth + 1 });
    return;
  }
  lines.push({ depth, mark, text: `${label}: ${scalar(value)}` });
}

function scalar(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '""' : value;
  return JSON.stringify(value) ?? '';
}

function keysOf(before: JsonObject, after: JsonObject): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])];
}

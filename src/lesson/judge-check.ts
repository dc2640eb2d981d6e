import type { KubernetesObject } from '../api/object.ts';
import { type Evidence, judge } from '../scenario/expectation.ts';
import { matches, readPath } from '../scenario/matcher.ts';
import type { TraceEntry } from '../sim/trace.ts';
import type { Check, Selection } from './check.ts';
import { compares, fitsText, isSelected } from './select.ts';

/** What a check is judged by: the part of a run that counts, and what the learner typed in it. */
export interface LessonEvidence extends Evidence {
  /** All objects before the first of `entries`. */
  readonly before: readonly KubernetesObject[];
  readonly commands: readonly string[];
}

/** What was there instead, for the words that tell the learner. */
export type Found =
  | { readonly what: 'count'; readonly count: number; readonly names: readonly string[] }
  | { readonly what: 'values'; readonly values: readonly { readonly name: string; readonly value: unknown }[] }
  /** In the words of the expectation. */
  | { readonly what: 'trace'; readonly text: string }
  | { readonly what: 'moment'; readonly time: number; readonly count: number }
  | { readonly what: 'nothing' };

export interface CheckResult {
  readonly check: Check;
  readonly ok: boolean;
  readonly found: Found;
  /** Of `all`, `any` and `not`. */
  readonly parts: readonly CheckResult[];
}

/** Judges a check whose names have been filled in. */
export function judgeCheck(check: Check, evidence: LessonEvidence): CheckResult {
  switch (check.check) {
    case 'all':
    case 'any': {
      const parts = check.of.map((part) => judgeCheck(part, evidence));
      const ok = check.check === 'all' ? parts.every((part) => part.ok) : parts.some((part) => part.ok);
      return { check, ok, found: { what: 'nothing' }, parts };
    }
    case 'not': {
      const part = judgeCheck(check.of, evidence);
      return { check, ok: !part.ok, found: part.found, parts: [part] };
    }
    case 'count':
    case 'exists':
    case 'absent':
      return judgeCount(check, evidence.objects);
    case 'object': {
      const values = evidence.objects
        .filter((object) => isSelected(check.of, object))
        .map((object) => ({ name: nameOf(object), value: readPath(object, check.path) }));
      const ok = values.length > 0 && values.every(({ value }) => compares(check.is, value));
      return leaf(check, ok, { what: 'values', values });
    }
    case 'trace': {
      const { ok, found } = judge(check.expectation, evidence);
      return leaf(check, ok, { what: 'trace', text: found });
    }
    case 'times': {
      const count = evidence.entries.filter((entry) => matches(check.event.match, entry, evidence.read)).length;
      return leaf(check, compares(check.is, count), { what: 'count', count, names: [] });
    }
    case 'coexist':
      return judgeCoexist(check, evidence);
    case 'always':
    case 'ever':
      return judgeOverTime(check, evidence);
    case 'ran': {
      const ran = evidence.commands.filter((command) => fitsText(check.command, command));
      return leaf(check, ran.length > 0, { what: 'count', count: ran.length, names: ran });
    }
  }
}

function leaf(check: Check, ok: boolean, found: Found): CheckResult {
  return { check, ok, found, parts: [] };
}

function judgeCount(check: Check & { check: 'count' | 'exists' | 'absent' }, objects: readonly KubernetesObject[]): CheckResult {
  const names = objects.filter((object) => isSelected(check.of, object)).map(nameOf);
  const count = names.length;
  const ok = check.check === 'count' ? compares(check.is, count) : check.check === 'exists' ? count > 0 : count === 0;
  return leaf(check, ok, { what: 'count', count, names });
}

function judgeCoexist(check: Check & { check: 'coexist' }, evidence: LessonEvidence): CheckResult {
  for (const moment of momentsOf(check.of, evidence)) {
    const fitting = check.of.map((selection) => [...moment.objects.values()].filter((object) => isSelected(selection, object)));
    if (haveOneEach(fitting)) return leaf(check, true, { what: 'moment', time: moment.time, count: check.of.length });
  }
  return leaf(check, false, { what: 'nothing' });
}

/** Whether each list can give an object of its own. */
function haveOneEach(lists: readonly (readonly KubernetesObject[])[], taken: ReadonlySet<KubernetesObject> = new Set()): boolean {
  const [first, ...rest] = lists;
  if (!first) return true;
  return first.some((object) => !taken.has(object) && haveOneEach(rest, new Set([...taken, object])));
}

function judgeOverTime(check: Check & { check: 'always' | 'ever' }, evidence: LessonEvidence): CheckResult {
  const want = check.check === 'ever';
  let last = { time: 0, count: 0 };
  for (const { time, objects } of momentsOf([check.of], evidence)) {
    let count = 0;
    for (const object of objects.values()) if (isSelected(check.of, object)) count++;
    last = { time, count };
    if (compares(check.is, count) === want) return leaf(check, want, { what: 'moment', ...last });
  }
  return leaf(check, !want, { what: 'moment', ...last });
}

/** The state before the first entry and after each write, as far as the kinds of the selections go. The map is the same one each time. */
export function* momentsOf(
  selections: readonly Selection[],
  evidence: LessonEvidence,
): Generator<{ readonly time: number; readonly objects: ReadonlyMap<string, KubernetesObject> }> {
  const kinds = new Set(selections.map(({ kind }) => kind));
  const objects = new Map<string, KubernetesObject>();
  for (const object of evidence.before)
    if (kinds.has(object.kind ?? '')) objects.set(String(object.metadata.uid ?? nameOf(object)), object);
  yield { time: evidence.entries[0]?.time ?? 0, objects };
  for (const entry of evidence.entries) {
    if (entry.kind !== 'write' || !kinds.has(entry.object.kind)) continue;
    takeWrite(objects, entry, evidence);
    yield { time: entry.time, objects };
  }
}

function takeWrite(objects: Map<string, KubernetesObject>, entry: TraceEntry & { kind: 'write' }, evidence: LessonEvidence): void {
  const written = evidence.read(entry);
  const key = String(written?.metadata.uid ?? entry.object.uid ?? entry.object.name);
  if (entry.verb === 'delete' || !written) objects.delete(key);
  else objects.set(key, written);
}

export function nameOf(object: KubernetesObject): string {
  return object.metadata.name ?? '';
}

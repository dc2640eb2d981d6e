import { matches, readPath } from '../scenario/matcher.ts';
import type { TraceEntry } from '../sim/trace.ts';
import { type LessonEvidence, momentsOf } from './judge-check.ts';
import type { Measure } from './lesson.ts';
import { pickValue } from './pick-value.ts';
import { isSelected } from './select.ts';

/** Reads something off a run, as text; undefined when there is nothing to read. Names have been filled in. */
export function measure(of: Measure, evidence: LessonEvidence): string | undefined {
  const first = (event: Extract<Measure, { measure: 'event' }>['event'], from = 0): TraceEntry | undefined =>
    evidence.entries.find((entry) => entry.seq > from && matches(event, entry, evidence.read));
  switch (of.measure) {
    case 'count': {
      const counts = countsOf(of, evidence);
      const count = of.when === 'end' ? counts.at(-1) : of.when === 'most' ? Math.max(...counts) : Math.min(...counts);
      return String(count);
    }
    case 'times':
      return String(evidence.entries.filter((entry) => matches(of.event, entry, evidence.read)).length);
    case 'seconds': {
      const from = of.from ? first(of.from) : { seq: 0, time: evidence.startTime ?? 0 };
      const to = from && first(of.to, from.seq);
      return from && to ? String((to.time - from.time) / 1000) : undefined;
    }
    case 'field':
      return pickValue(of, evidence.objects);
    case 'event': {
      const entry = first(of.event);
      if (!entry || !('object' in entry) || !entry.object) return undefined;
      if (of.path === undefined) return entry.object.name;
      const object = entry.kind === 'write' ? evidence.read(entry) : undefined;
      const value = readPath(object, of.path);
      return value === undefined || value === null ? undefined : String(value);
    }
  }
}

/** How many objects fitted at each moment. */
function countsOf(of: Extract<Measure, { measure: 'count' }>, evidence: LessonEvidence): number[] {
  const counts: number[] = [];
  for (const { objects } of momentsOf([of.of], evidence)) {
    let count = 0;
    for (const object of objects.values()) if (isSelected(of.of, object)) count++;
    counts.push(count);
  }
  return counts;
}

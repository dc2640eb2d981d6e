import type { KubernetesObject } from '../api/object.ts';
import type { TraceEntry } from '../sim/trace.ts';
import type { DocumentReader } from './document-reader.ts';
import { type Matcher, matches, type ReadWritten, readMatcher, readPath } from './matcher.ts';

/** What a scenario expects of its trace and of the state at its end. */
export type Expectation = { readonly text: string } /** Only entries behind the first that fits `after` count, if it is given. */ & (
  | { readonly expect: 'eventually' | 'never'; readonly match: Matcher; readonly after?: Matcher }
  /** The first entry that fits `first` stands before the first that fits `second`; both must be there. */
  | { readonly expect: 'before'; readonly first: Matcher; readonly second: Matcher }
  /** An entry that fits `match` comes at most `ms` after the first that fits `after` (or after the start). */
  | { readonly expect: 'within'; readonly ms: number; readonly after?: Matcher; readonly match: Matcher }
  /** At the end: how many objects fit, or what a field of theirs is. */
  | { readonly expect: 'finally'; readonly state: StateMatcher }
);

export interface StateMatcher {
  readonly kind: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly field?: string;
  readonly equals?: unknown;
  /** How many objects fit all that is above. At least one if absent. */
  readonly count?: number;
}

export interface ExpectationResult {
  readonly expectation: Expectation;
  readonly ok: boolean;
  /** What was found instead. */
  readonly found: string;
}

const KINDS = ['eventually', 'never', 'before', 'within', 'finally'] as const;

/** Reads one item of a scenario's `expect` list. @throws DocumentError */
export function readExpectation(reader: DocumentReader): Expectation {
  reader.onlyFields([...KINDS, 'because']);
  const kind = KINDS.find((name) => reader.field(name).exists);
  if (!kind) reader.fail(`expected one of ${KINDS.join(', ')}`);
  const body = reader.field(kind);
  const because = reader.field('because');
  const text = because.exists ? because.string() : `${kind} ${JSON.stringify(body.value())}`;
  switch (kind) {
    case 'eventually':
    case 'never':
      return { text, expect: kind, ...readMatchAfter(body) };
    case 'before':
      body.onlyFields(['first', 'then']);
      return { text, expect: kind, first: readMatcher(body.field('first')), second: readMatcher(body.field('then')) };
    case 'within':
      body.onlyFields(['time', 'after', 'match']);
      return { text, expect: kind, ms: body.field('time').duration(), ...readAfter(body), match: readMatcher(body.field('match')) };
    case 'finally':
      return { text, expect: kind, state: readState(body) };
  }
}

/** A matcher, or `{ after, match }`. */
function readMatchAfter(body: DocumentReader): { match: Matcher; after?: Matcher } {
  if (!body.field('match').exists) return { match: readMatcher(body) };
  body.onlyFields(['after', 'match']);
  return { ...readAfter(body), match: readMatcher(body.field('match')) };
}

function readAfter(body: DocumentReader): { after?: Matcher } {
  const after = body.field('after');
  return after.exists ? { after: readMatcher(after) } : {};
}

/** Reads which objects are meant, and what of them. @throws DocumentError */
export function readState(reader: DocumentReader): StateMatcher {
  reader.onlyFields(['kind', 'name', 'namespace', 'labels', 'field', 'equals', 'count']);
  const texts = Object.fromEntries(
    (['name', 'namespace', 'field'] as const).filter((name) => reader.field(name).exists).map((name) => [name, reader.field(name).text()]),
  );
  const labels = reader.field('labels');
  return {
    kind: reader.field('kind').string(),
    ...texts,
    ...(labels.exists ? { labels: Object.fromEntries(labels.fieldNames().map((name) => [name, labels.field(name).text()])) } : {}),
    ...(reader.field('equals').exists ? { equals: reader.field('equals').value() } : {}),
    ...(reader.field('count').exists ? { count: reader.field('count').number() } : {}),
  };
}

/** What an expectation is judged by. */
export interface Evidence {
  readonly entries: readonly TraceEntry[];
  readonly read: ReadWritten;
  /** All objects at the end. */
  readonly objects: readonly KubernetesObject[];
  /** When the part of the run that counts began, in virtual milliseconds. Default 0. */
  readonly startTime?: number;
}

export function judge(expectation: Expectation, evidence: Evidence): ExpectationResult {
  const first = (matcher: Matcher, from = 0): TraceEntry | undefined =>
    evidence.entries.find((entry) => entry.seq > from && matches(matcher, entry, evidence.read));
  const result = (ok: boolean, found: string): ExpectationResult => ({ expectation, ok, found });
  switch (expectation.expect) {
    case 'eventually':
    case 'never': {
      const start = expectation.after ? first(expectation.after) : undefined;
      if (expectation.after && !start) return result(false, 'what it should follow never happened');
      const entry = first(expectation.match, start?.seq);
      if (expectation.expect === 'never') return entry ? result(false, `it happened ${at(entry)}`) : result(true, '');
      return entry ? result(true, at(entry)) : result(false, 'it never happened');
    }
    case 'before': {
      const [one, two] = [first(expectation.first), first(expectation.second)];
      if (!one || !two) return result(false, `the ${one ? 'second' : 'first'} never happened`);
      return result(one.seq < two.seq, `${at(one)}, then ${at(two)}`);
    }
    case 'within': {
      const start = expectation.after ? first(expectation.after) : undefined;
      if (expectation.after && !start) return result(false, 'what it should follow never happened');
      const entry = first(expectation.match, start?.seq ?? 0);
      if (!entry) return result(false, 'it never happened');
      return result(entry.time - (start?.time ?? evidence.startTime ?? 0) <= expectation.ms, at(entry));
    }
    case 'finally':
      return judgeState(expectation, expectation.state, evidence);
  }
}

function at(entry: TraceEntry): string {
  return `at ${(entry.time / 1000).toFixed(3)}s (#${entry.seq})`;
}

function judgeState(expectation: Expectation, state: StateMatcher, evidence: Evidence): ExpectationResult {
  const candidates = evidence.objects.filter(
    ({ kind, metadata }) =>
      kind === state.kind &&
      (state.name === undefined || metadata.name === state.name) &&
      (state.namespace === undefined || metadata.namespace === state.namespace) &&
      Object.entries(state.labels ?? {}).every(([key, value]) => metadata.labels?.[key] === value),
  );
  const value = (object: KubernetesObject): unknown => readPath(object, state.field ?? '');
  const fitting =
    state.field === undefined
      ? candidates
      : candidates.filter((object) =>
          state.equals === undefined ? value(object) !== undefined : JSON.stringify(value(object)) === JSON.stringify(state.equals),
        );
  const ok = state.count === undefined ? fitting.length > 0 : fitting.length === state.count;
  const values =
    state.field === undefined
      ? ''
      : `, with ${state.field} ${candidates.map((object) => JSON.stringify(value(object))).join(', ') || 'nowhere'}`;
  return { expectation, ok, found: `${fitting.length} of ${candidates.length} ${state.kind} objects fit${values}` };
}

/** Whether a state holds among the objects. */
export function stateFits(state: StateMatcher, objects: readonly KubernetesObject[]): boolean {
  return judgeState({ text: '', expect: 'finally', state }, state, { entries: [], read: () => undefined, objects }).ok;
}

import { MATCHER_FIELDS, type Matcher, matches, TRACE_KINDS } from '../../scenario/matcher.ts';
import type { TraceEntry } from '../../sim/trace.ts';
import { kindOf } from './kind-of.ts';
import type { RunView } from './run-view.ts';
import { who } from './who.ts';

/** What the API calls a change, and what the trace calls it. */
const VERBS: Readonly<Record<string, string>> = { added: 'create', modified: 'update', deleted: 'delete' };

/** Reads `kind=Pod verb=DELETED name=web-*`; undefined when it is no matcher. */
export function parseBreakpoint(words: readonly string[]): { readonly text: string; readonly matcher: Matcher } | undefined {
  const given: Record<string, string> = {};
  for (const word of words) {
    const [field = '', value] = word.split(/=(.*)/s);
    if (value === undefined || !(MATCHER_FIELDS as readonly string[]).includes(field)) return undefined;
    given[field] = field === 'verb' ? (VERBS[value.toLowerCase()] ?? value) : value;
  }
  const { trace: asked, ...rest } = given;
  const trace = TRACE_KINDS.find((kind) => kind === (asked ?? 'write'));
  if (!trace || words.length === 0) return undefined;
  return { text: words.join(' '), matcher: { trace, ...rest } };
}

/** The breakpoint that a person would write for events like this one. */
export function breakpointLike(run: RunView, entry: TraceEntry): readonly string[] {
  const words: string[] = entry.kind === 'write' ? [] : [`trace=${entry.kind}`];
  if (entry.kind === 'write') words.push(`verb=${entry.verb}`);
  if ('object' in entry && entry.object) words.push(`kind=${kindOf(entry.object)}`);
  if (entry.kind === 'write' && entry.subresource) words.push(`subresource=${entry.subresource}`);
  if (entry.kind === 'decision' || entry.kind === 'runtime' || entry.kind === 'reconcile') words.push(`by=${entry.actor}`);
  else if (entry.kind === 'write' && who(run, entry) !== 'you') words.push(`by=${entry.user.split(':').at(-1)}`);
  return words;
}

/** The first of these breakpoints that an entry fits. */
export function breakpointAt<T extends { readonly matcher: Matcher }>(
  breaks: readonly T[],
  run: RunView,
  entry: TraceEntry,
): T | undefined {
  return breaks.find(({ matcher }) =>
    matches(matcher, entry, (write) =>
      run.readObject(write.object, write.verb === 'delete' ? (write.previous ?? write.revision) : write.revision),
    ),
  );
}

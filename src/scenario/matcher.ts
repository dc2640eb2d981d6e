import type { KubernetesObject } from '../api/object.ts';
import type { ObjectReference, TraceEntry } from '../sim/trace.ts';
import type { DocumentReader } from './document-reader.ts';

/** Picks entries of a trace. All given fields must fit; texts may hold `*` for any text. */
export interface Matcher {
  /** Kind of the trace entry. Default `write`. */
  readonly trace: TraceEntry['kind'];
  readonly verb?: string;
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly subresource?: string;
  /** Of a `runtime` entry, e.g. `container-started`; of an `actor` entry, e.g. `crashed`. */
  readonly what?: string;
  /** Who did it: the actor, or the last part of the user's name (`replicaset-controller`). */
  readonly by?: string;
  /** Reason of a Kubernetes event, or of a response. */
  readonly reason?: string;
  /** Of a Kubernetes event, or the text of the entry. */
  readonly message?: string;
  /** Of a connection (`runtime`): one station of the way that it took. */
  readonly way?: string;
  /** A path in the written object, e.g. `status.phase`, and what it must be (anything but absent if `equals` is not given). */
  readonly field?: string;
  readonly equals?: unknown;
}

export const MATCHER_FIELDS = [
  'trace',
  'verb',
  'kind',
  'name',
  'namespace',
  'subresource',
  'what',
  'by',
  'reason',
  'message',
  'way',
  'field',
  'equals',
] as const;
/** The kinds of entries that a trace has. */
export const TRACE_KINDS = [
  'input',
  'actor',
  'request',
  'stage',
  'write',
  'response',
  'watch',
  'reconcile',
  'decision',
  'runtime',
  'fault',
] as const;
const TEXTS = ['verb', 'kind', 'name', 'namespace', 'subresource', 'what', 'by', 'reason', 'message', 'way', 'field'] as const;

/** Reads a matcher out of a scenario. @throws DocumentError */
export function readMatcher(reader: DocumentReader): Matcher {
  if (!reader.exists) reader.fail(`what to look for is missing: one or more of ${MATCHER_FIELDS.join(', ')}`);
  reader.onlyFields(MATCHER_FIELDS);
  const trace = reader.field('trace').exists ? reader.field('trace').oneOf(TRACE_KINDS) : 'write';
  const texts = Object.fromEntries(TEXTS.filter((name) => reader.field(name).exists).map((name) => [name, reader.field(name).text()]));
  return { trace, ...texts, ...(reader.field('equals').exists ? { equals: reader.field('equals').value() } : {}) };
}

/** Reads the object that a write stored; the last state for a deletion. */
export type ReadWritten = (entry: TraceEntry & { kind: 'write' }) => KubernetesObject | undefined;

export function matches(matcher: Matcher, entry: TraceEntry, read: ReadWritten): boolean {
  if (entry.kind !== matcher.trace) return false;
  const object: Partial<ObjectReference> = 'object' in entry && entry.object ? entry.object : {};
  return (
    fits(matcher.verb, 'verb' in entry ? entry.verb : undefined) &&
    fits(matcher.kind, object.kind) &&
    fits(matcher.name, object.name) &&
    fits(matcher.namespace, object.namespace) &&
    fits(matcher.subresource, 'subresource' in entry ? entry.subresource : undefined) &&
    fits(matcher.what, 'what' in entry ? entry.what : undefined) &&
    (matcher.way === undefined || stations(entry).some((station) => fits(matcher.way, station))) &&
    (matcher.by === undefined || doers(entry).some((doer) => fits(matcher.by, doer))) &&
    fitsContent(matcher, entry, read)
  );
}

function fitsContent(matcher: Matcher, entry: TraceEntry, read: ReadWritten): boolean {
  const { reason, message, field } = matcher;
  if (reason === undefined && message === undefined && field === undefined) return true;
  if (entry.kind !== 'write') {
    return (
      fits(reason, 'reason' in entry ? entry.reason : undefined) &&
      fits(message, 'message' in entry ? entry.message : 'text' in entry ? entry.text : undefined)
    );
  }
  const written = read(entry) as (KubernetesObject & { reason?: string; message?: string; note?: string }) | undefined;
  return (
    fits(reason, written?.reason) &&
    fits(message, written?.message ?? written?.note) &&
    (field === undefined || fieldFits(matcher, written))
  );
}

function fieldFits(matcher: Matcher, object: unknown): boolean {
  const value = readPath(object, matcher.field ?? '');
  return matcher.equals === undefined ? value !== undefined : JSON.stringify(value) === JSON.stringify(matcher.equals);
}

function stations(entry: TraceEntry): string[] {
  return entry.kind === 'runtime' && entry.what === 'connection' && Array.isArray(entry.details) ? entry.details.map(String) : [];
}

function doers(entry: TraceEntry): string[] {
  return 'user' in entry ? [entry.actor, entry.user, entry.user.split(':').at(-1) ?? ''] : [entry.actor];
}

function fits(pattern: string | undefined, text: string | undefined): boolean {
  if (pattern === undefined) return true;
  if (text === undefined) return false;
  if (!pattern.includes('*')) return pattern === text;
  const parts = pattern.split('*');
  let at = 0;
  return parts.every((part, index) => {
    if (index === 0) {
      at = part.length;
      return text.startsWith(part);
    }
    if (index === parts.length - 1) return text.length - part.length >= at && text.endsWith(part);
    const found = text.indexOf(part, at);
    at = found + part.length;
    return found >= 0;
  });
}

/** The value at a path such as `status.conditions[type=Ready].status` or `spec.containers[0].image`. */
export function readPath(value: unknown, path: string): unknown {
  let current = value;
  for (const [, key, filter] of path.matchAll(/([^.[\]]+)|\[([^\]]*)\]/g)) {
    if (current === undefined || current === null) return undefined;
    if (key !== undefined) current = (current as Record<string, unknown>)[key];
    else current = pickItem(current, filter ?? '');
  }
  return current;
}

function pickItem(list: unknown, filter: string): unknown {
  if (!Array.isArray(list)) return (list as Record<string, unknown>)[filter];
  const equals = filter.indexOf('=');
  if (equals < 0) return list[Number(filter)];
  return list.find((item) => String(readPath(item, filter.slice(0, equals))) === filter.slice(equals + 1));
}

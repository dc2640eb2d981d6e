import type { DocumentReader } from '../scenario/document-reader.ts';
import type { Expectation } from '../scenario/expectation.ts';
import type { Check, Comparison, Selection } from './check.ts';
import { readEventPattern } from './event-pattern.ts';

export const CHECKS = [
  'all',
  'any',
  'not',
  'count',
  'exists',
  'absent',
  'object',
  'happened',
  'never',
  'before',
  'within',
  'times',
  'coexist',
  'always',
  'ever',
  'ran',
] as const;
const COMPARISONS = ['eq', 'ne', 'lt', 'gt', 'min', 'max', 'exists'] as const;
const SELECTION = ['kind', 'name', 'namespace', 'labels', 'ready', 'where'] as const;

/** Reads a check: one of `CHECKS`, and perhaps an `id` by which its text is found. @throws DocumentError */
export function readCheck(reader: DocumentReader): Check {
  if (!reader.exists) reader.fail(`a check is missing: one of ${CHECKS.join(', ')}`);
  const names = reader.fieldNames();
  // `exists` is also a comparison that stands beside `object`.
  const kind = names.includes('object') ? 'object' : CHECKS.find((name) => names.includes(name));
  if (!kind) reader.fail(`expected one of ${CHECKS.join(', ')}; found ${names.join(', ') || 'nothing'}`);
  const beside = kind === 'object' ? ['path', ...COMPARISONS] : [];
  reader.onlyFields([kind, 'id', ...beside]);
  const id = reader.field('id');
  return { ...(id.exists ? { id: id.text() } : {}), ...readBody(kind, reader) };
}

function readBody(kind: (typeof CHECKS)[number], reader: DocumentReader): Check {
  const body = reader.field(kind);
  switch (kind) {
    case 'all':
    case 'any':
      if (!body.items().length) body.fail('expected a list of checks');
      return { check: kind, of: body.items().map(readCheck) };
    case 'not':
      return { check: 'not', of: readCheck(body) };
    case 'count':
    case 'always':
    case 'ever':
      body.onlyFields([...SELECTION, ...COMPARISONS]);
      return { check: kind, of: readSelectionFields(body), is: readComparison(body) };
    case 'exists':
    case 'absent':
      return { check: kind, of: readSelection(body) };
    case 'object':
      return { check: kind, of: readSelection(body), path: reader.field('path').string(), is: readComparison(reader) };
    case 'coexist':
      return { check: kind, of: body.items().map(readSelection) };
    case 'ran':
      return { check: kind, command: body.string() };
    case 'times':
      body.onlyFields(['event', ...COMPARISONS]);
      return {
        check: kind,
        event: { text: '', expect: 'eventually', match: readEventPattern(body.field('event')) },
        is: readComparison(body),
      };
    default:
      return { check: 'trace', expectation: readOverTrace(kind, body) };
  }
}

function readOverTrace(kind: 'happened' | 'never' | 'before' | 'within', body: DocumentReader): Expectation {
  const text = describe(kind, body);
  switch (kind) {
    case 'happened':
    case 'never': {
      const expect = kind === 'happened' ? 'eventually' : 'never';
      if (body.isText || !body.field('event').exists) return { text, expect, match: readEventPattern(body) };
      body.onlyFields(['event', 'after']);
      return { text, expect, match: readEventPattern(body.field('event')), ...readAfter(body) };
    }
    case 'before': {
      const [first, second, ...more] = body.items();
      if (!first || !second || more.length) return body.fail('expected two events: [what comes first, what comes then]');
      return { text, expect: 'before', first: readEventPattern(first), second: readEventPattern(second) };
    }
    case 'within':
      body.onlyFields(['time', 'event', 'after']);
      return {
        text,
        expect: 'within',
        ms: body.field('time').duration(),
        match: readEventPattern(body.field('event')),
        ...readAfter(body),
      };
  }
}

function readAfter(body: DocumentReader): { after?: ReturnType<typeof readEventPattern> } {
  const after = body.field('after');
  return after.exists ? { after: readEventPattern(after) } : {};
}

/** The events as the lesson wrote them, for goals that have no text of their own. */
function describe(kind: string, body: DocumentReader): string {
  const words = (value: unknown): string => (typeof value === 'string' ? value : matcherWords(value as Record<string, unknown>));
  const value = body.value();
  if (Array.isArray(value)) return value.map(words).join(' < ');
  if (kind === 'within') {
    const { time, event, after } = value as Record<string, unknown>;
    return `${words(event)} <= ${words(time)}${after ? ` < ${words(after)}` : ''}`;
  }
  return words((value as { event?: unknown }).event ?? value);
}

/**
 * A matcher in short, without words of any language.
 * @example matcherWords({ kind: 'Event', reason: 'FailedScheduling', message: '*Insufficient cpu*' }) // 'Event FailedScheduling "*Insufficient cpu*"'
 */
function matcherWords({ kind, name, verb, subresource, what, reason, field, equals, message, way, by }: Record<string, unknown>): string {
  const object = [kind, name].filter((part) => part !== undefined).join('/');
  const written = equals === undefined ? field : `${field}=${typeof equals === 'string' ? equals : JSON.stringify(equals)}`;
  const texts = [message, way].filter((text) => text !== undefined).map((text) => `"${text}"`);
  return [object, verb, subresource, what, reason, written, ...texts, by && `by ${by}`].filter(Boolean).join(' ');
}

/** A text `Kind`, `Kind/name` or `Kind/*`, or fields. @throws DocumentError */
export function readSelection(reader: DocumentReader): Selection {
  if (!reader.isText) {
    reader.onlyFields(SELECTION);
    return readSelectionFields(reader);
  }
  const text = reader.string();
  const [, kind, name] = /^([A-Z]\w*)(?:\/(\S+))?$/.exec(text) ?? [];
  if (!kind) return reader.fail(`expected Kind or Kind/name, e.g. Pod/{pod}, found "${text}"`);
  return { kind, ...(name === undefined ? {} : { name }) };
}

function readSelectionFields(reader: DocumentReader): Selection {
  const [name, namespace, labels, ready, where] = (['name', 'namespace', 'labels', 'ready', 'where'] as const).map((field) =>
    reader.field(field),
  ) as [DocumentReader, DocumentReader, DocumentReader, DocumentReader, DocumentReader];
  return {
    kind: reader.field('kind').string(),
    ...(name.exists ? { name: name.text() } : {}),
    ...(namespace.exists ? { namespace: namespace.text() } : {}),
    ...(labels.exists ? { labels: Object.fromEntries(labels.fieldNames().map((key) => [key, labels.field(key).text()])) } : {}),
    ...(ready.exists ? { ready: ready.boolean() } : {}),
    ...(where.exists ? { where: Object.fromEntries(where.fieldNames().map((path) => [path, where.field(path).value()])) } : {}),
  };
}

/** @throws DocumentError */
export function readComparison(reader: DocumentReader): Comparison {
  const given = COMPARISONS.filter((name) => reader.field(name).exists);
  if (!given.length) reader.fail(`expected one of ${COMPARISONS.join(', ')}`);
  return Object.fromEntries(
    given.map((name) => {
      const value = reader.field(name);
      if (name === 'eq' || name === 'ne') return [name, value.value()];
      return [name, name === 'exists' ? value.boolean() : value.number()];
    }),
  );
}

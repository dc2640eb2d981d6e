import type { DocumentReader } from '../scenario/document-reader.ts';
import type { ReadFile } from '../scenario/scenario.ts';
import { readEventPattern } from './event-pattern.ts';
import type { Measure, Prediction, PredictionAsk } from './lesson.ts';
import { readCheck, readSelection } from './read-check.ts';
import { readFuture } from './read-future.ts';

const FIELDS = ['kind', 'hide', 'confidence', 'future', 'revealAt'];
const KINDS = ['choice', 'lane', 'order', 'number', 'object'] as const;
/** What each kind needs besides `FIELDS`. */
const OF_KIND: Readonly<Record<(typeof KINDS)[number], readonly string[]>> = {
  choice: ['options'],
  lane: ['event', 'options'],
  order: ['items'],
  number: ['measure', 'tolerance'],
  object: ['measure', 'options'],
};

/** @throws DocumentError */
export function readPrediction(body: DocumentReader, readFile: ReadFile): Prediction {
  const kind = body.field('kind').exists ? body.field('kind').oneOf(KINDS) : 'choice';
  body.onlyFields([...FIELDS, ...OF_KIND[kind]]);
  const [confidence, revealAt] = [body.field('confidence'), body.field('revealAt')];
  return {
    ask: readAsk(kind, body),
    hide: body
      .field('hide')
      .items()
      .map((item) => item.string()),
    confidence: !confidence.exists || confidence.boolean(),
    future: readFuture(body.field('future'), readFile),
    ...(revealAt.exists ? { revealAt: revealAt.string() } : {}),
  };
}

function readAsk(kind: (typeof KINDS)[number], body: DocumentReader): PredictionAsk {
  switch (kind) {
    case 'choice': {
      const options = body.field('options');
      const names = options.fieldNames();
      if (names.length < 2) options.fail('expected two options or more: { name: claim, … }');
      return { kind, options: Object.fromEntries(names.map((name) => [name, readCheck(options.field(name))])) };
    }
    case 'lane':
      return { kind, event: readEventPattern(body.field('event')), options: readList(body.field('options')) };
    case 'order': {
      const items = body.field('items');
      return { kind, items: Object.fromEntries(items.fieldNames().map((name) => [name, readEventPattern(items.field(name))])) };
    }
    case 'number': {
      const tolerance = body.field('tolerance');
      return { kind, measure: readMeasure(body.field('measure')), tolerance: tolerance.exists ? tolerance.number() : 0 };
    }
    case 'object':
      return { kind, measure: readMeasure(body.field('measure')), options: readList(body.field('options')) };
  }
}

/** @throws DocumentError */
export function readList(reader: DocumentReader): string[] {
  const items = reader.items().map((item) => item.text());
  if (items.length < 2) reader.fail('expected a list of two or more');
  return items;
}

/** Reads what is to be measured of a run. @throws DocumentError */
export function readMeasure(reader: DocumentReader): Measure {
  const names = reader.fieldNames();
  if (names.includes('count')) {
    reader.onlyFields(['count', 'when']);
    const when = reader.field('when');
    return {
      measure: 'count',
      of: readSelection(reader.field('count')),
      when: when.exists ? when.oneOf(['end', 'most', 'fewest'] as const) : 'end',
    };
  }
  if (names.includes('times')) {
    reader.onlyFields(['times']);
    return { measure: 'times', event: readEventPattern(reader.field('times')) };
  }
  if (names.includes('seconds')) {
    reader.onlyFields(['seconds']);
    const body = reader.field('seconds');
    body.onlyFields(['from', 'to']);
    const from = body.field('from');
    return { measure: 'seconds', to: readEventPattern(body.field('to')), ...(from.exists ? { from: readEventPattern(from) } : {}) };
  }
  const path = reader.field('path');
  if (names.includes('event')) {
    reader.onlyFields(['event', 'path']);
    return { measure: 'event', event: readEventPattern(reader.field('event')), ...(path.exists ? { path: path.string() } : {}) };
  }
  if (!names.includes('object')) reader.fail('expected one of count, times, seconds, object, event');
  reader.onlyFields(['object', 'path', 'newest']);
  const newest = reader.field('newest');
  return {
    measure: 'field',
    of: readSelection(reader.field('object')),
    newest: newest.exists && newest.boolean(),
    ...(path.exists ? { path: path.string() } : {}),
  };
}

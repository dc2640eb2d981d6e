import type { DocumentReader } from '../scenario/document-reader.ts';
import { readEventPattern } from './event-pattern.ts';
import type { Question } from './lesson.ts';
import { readCheck } from './read-check.ts';
import { readList, readMeasure } from './read-prediction.ts';

const KINDS = ['choice', 'lane', 'order', 'number', 'object'] as const;
const FIELDS: Readonly<Record<(typeof KINDS)[number], readonly string[]>> = {
  choice: ['options'],
  lane: ['options', 'answer'],
  order: ['items'],
  number: ['answer', 'tolerance'],
  object: ['options', 'answer'],
};

/** A single question, or `{ draw, questions }`: a pool out of which the seed draws. @throws DocumentError */
export function readQuiz(body: DocumentReader): { questions: readonly Question[]; draw: number } {
  const pool = body.field('questions');
  if (!pool.exists) return { questions: [readQuestion(body, [], '')], draw: 1 };
  body.onlyFields(['questions', 'draw']);
  const questions = pool.items().map((item) => readQuestion(item, ['id'], item.field('id').string()));
  const draw = body.field('draw');
  const count = draw.exists ? draw.number() : questions.length;
  if (count < 1 || count > questions.length) draw.fail(`expected 1 to ${questions.length}, the size of the pool`);
  return { questions, draw: count };
}

function readQuestion(reader: DocumentReader, more: readonly string[], id: string): Question {
  const kind = reader.field('kind').exists ? reader.field('kind').oneOf(KINDS) : 'choice';
  reader.onlyFields(['kind', ...FIELDS[kind], ...more]);
  const answer = reader.field('answer');
  switch (kind) {
    case 'choice': {
      const options = reader.field('options');
      if (options.fieldNames().length < 2) options.fail('expected two options or more: { name: true, name: false, … }');
      const read = (option: DocumentReader) => (option.isBoolean ? option.boolean() : readCheck(option));
      return { id, kind, options: Object.fromEntries(options.fieldNames().map((name) => [name, read(options.field(name))])) };
    }
    case 'order': {
      const items = reader.field('items');
      if (items.isList) return { id, kind, items: readList(items) };
      const events = Object.fromEntries(items.fieldNames().map((name) => [name, readEventPattern(items.field(name))]));
      return { id, kind, items: items.fieldNames(), events };
    }
    case 'number': {
      const tolerance = reader.field('tolerance');
      return {
        id,
        kind,
        answer: answer.isNumber ? answer.number() : readMeasure(answer),
        tolerance: tolerance.exists ? tolerance.number() : 0,
      };
    }
    default: {
      const options = readList(reader.field('options'));
      if (!options.includes(answer.text())) answer.fail(`the answer is none of the options: ${options.join(', ')}`);
      return { id, kind, options, answer: answer.text() };
    }
  }
}

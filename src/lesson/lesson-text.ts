import { type DocumentReader, readDocument } from '../scenario/document-reader.ts';
import { Digest } from '../sim/digest.ts';

/** All words of a lesson in one language. */
export interface LessonText {
  readonly title: string;
  /** One line for the list of lessons. */
  readonly summary: string;
  readonly steps: Readonly<Record<string, StepText>>;
  /** The reply to each known mistake. */
  readonly mistakes: Readonly<Record<string, string>>;
  readonly links: readonly { readonly label: string; readonly url: string }[];
  /** Of the English text that this one was translated from; absent in English. */
  readonly translationOf?: string;
  /** Of this text itself: what a translation of it names. */
  readonly hash: string;
}

/** The words of one step, or of one question of a pool. */
export interface StepText {
  /** For the list of steps: a few words. */
  readonly title?: string;
  /** Told when the step begins. */
  readonly say?: string;
  /** The question of a prediction or quiz. */
  readonly ask?: string;
  /** What a task wants. */
  readonly goal?: string;
  /** Told when the step is done; after a prediction, whatever the answer was. */
  readonly done?: string;
  /** Told instead of all that went before, when a prediction comes back in a later lesson. */
  readonly recall?: string;
  /** Three tiers: where to look, what to think of, how it is done. */
  readonly hints: readonly string[];
  readonly options: Readonly<Record<string, OptionText>>;
  /** What the checks of a goal want, by their ids. */
  readonly checks: Readonly<Record<string, string>>;
  readonly questions: Readonly<Record<string, StepText>>;
}

export interface OptionText {
  readonly label: string;
  /** Told to who chose it: why it is right or wrong. */
  readonly why: string;
}

export const TEXT_FIELDS = ['title', 'summary', 'translationOf', 'steps', 'mistakes', 'links'] as const;
const SENTENCES = ['title', 'say', 'ask', 'goal', 'done', 'recall'] as const;
export const STEP_TEXT_FIELDS = [...SENTENCES, 'hints', 'options', 'checks', 'questions'] as const;

/** Reads the words of a lesson. @throws DocumentError */
export function parseLessonText(text: string, file: string): LessonText {
  const root = readDocument(text, file);
  root.onlyFields(TEXT_FIELDS);
  const translationOf = root.field('translationOf');
  const words = {
    title: readSentence(root.field('title')),
    summary: readSentence(root.field('summary')),
    steps: readMap(root.field('steps'), readStepText),
    mistakes: readMap(root.field('mistakes'), readSentence),
    links: root
      .field('links')
      .items()
      .map((item) => {
        item.onlyFields(['label', 'url']);
        return { label: readSentence(item.field('label')), url: item.field('url').string() };
      }),
  };
  const sum = new Digest();
  sum.update(JSON.stringify(words));
  return { ...words, hash: sum.hex(), ...(translationOf.exists ? { translationOf: translationOf.text() } : {}) };
}

function readStepText(reader: DocumentReader): StepText {
  reader.onlyFields(STEP_TEXT_FIELDS);
  const given = SENTENCES.filter((name) => reader.field(name).exists);
  const hints = reader.field('hints');
  if (hints.items().length > 3) hints.fail('expected three hints at most');
  return {
    ...Object.fromEntries(given.map((name) => [name, readSentence(reader.field(name))])),
    hints: hints.items().map(readSentence),
    options: readMap(reader.field('options'), readOption),
    checks: readMap(reader.field('checks'), readSentence),
    questions: readMap(reader.field('questions'), readStepText),
  };
}

function readOption(reader: DocumentReader): OptionText {
  if (reader.isText) return { label: readSentence(reader), why: '' };
  reader.onlyFields(['label', 'why']);
  const why = reader.field('why');
  return { label: readSentence(reader.field('label')), why: why.exists ? readSentence(why) : '' };
}

/** A line break in the file is a blank, unless an empty line makes a paragraph. In Japanese it is nothing. */
function readSentence(reader: DocumentReader): string {
  return reader
    .text()
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/([\u3000-\u9fff\uff00-\uffef])\s*\n\s*/g, '$1').replace(/\s*\n\s*/g, ' '))
    .join('\n');
}

function readMap<T>(reader: DocumentReader, read: (item: DocumentReader) => T): Record<string, T> {
  if (!reader.exists) return {};
  return Object.fromEntries(reader.fieldNames().map((name) => [name, read(reader.field(name))]));
}

const NO_TEXT: StepText = { hints: [], options: {}, checks: {}, questions: {} };

/** The words of a step, or of a question of its pool. */
export function stepText(text: LessonText, step: string, question = ''): StepText {
  const words = text.steps[step] ?? NO_TEXT;
  return question ? (words.questions[question] ?? NO_TEXT) : words;
}

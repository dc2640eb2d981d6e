import type { LessonInput } from '../../lesson/lesson-event.ts';
import type { Answer, OpenQuestion } from '../../lesson/question.ts';

const TIMES = /^(?:(\d+) ?x? )?(.+?)(?: ?x ?(\d+))?$/;
const MOST_TIMES = 50;

/**
 * What a learner typed as an answer: numbers (or letters) of options, their names, or a number. Undefined when it is none.
 * @example readAnswer(control, 'create Pod x2, delete Service') // ['create Pod', 'create Pod', 'delete Service']
 */
export function readAnswer(question: OpenQuestion, typed: string): Answer | undefined {
  const line = typed.normalize('NFKC').trim();
  const named = /^[\d\s,>]*$/.test(line) ? undefined : readNames(question, line);
  if (named) return question.kind === 'order' || question.kind === 'control' ? named : named.length === 1 ? named[0] : undefined;
  const words = line.split(/[\s,>]+/).filter(Boolean);
  if (question.kind === 'number') return words.length === 1 ? words[0] : undefined;
  const chosen = words.map((word) => optionAt(question, word));
  if (!chosen.length || chosen.includes(undefined)) return undefined;
  if (question.kind === 'order' || question.kind === 'control') return chosen as string[];
  return chosen.length === 1 ? chosen[0] : undefined;
}

/** Names of options between commas, each perhaps several times; undefined unless all of them are. */
function readNames({ options, kind }: OpenQuestion, line: string): string[] | undefined {
  const names: string[] = [];
  for (const part of line.split(/[,;>、]|\band\b/)) {
    const [, before, name = '', after] = TIMES.exec(part.trim()) ?? [];
    const option = options.find((each) => each.toLowerCase() === name.replace(/\s+/g, ' ').toLowerCase());
    const times = Number(before ?? after ?? 1);
    if (option === undefined || times > MOST_TIMES || (times !== 1 && kind !== 'control')) return undefined;
    names.push(...Array.from({ length: times }, () => option));
  }
  return names;
}

function optionAt({ options }: OpenQuestion, word: string): string | undefined {
  const index = /^[a-z]$/i.test(word) ? word.toLowerCase().charCodeAt(0) - 97 : Number(word) - 1;
  return options[index] ?? (options.includes(word) ? word : undefined);
}

type AnswerInput = LessonInput & { do: 'answer' };

/** Reads an answer in one line or two: where it is asked, how sure the learner is comes in a line of its own. */
export class AnswerReader {
  #unsure: AnswerInput | undefined;

  /** `say`: what to tell the learner: it was no answer, or how sure are you. */
  take(question: OpenQuestion, line: string): { readonly input?: AnswerInput; readonly say?: 'no-answer' | 'sure' } {
    if (this.#unsure) {
      const confidence = ([1, 2, 3] as const).find((value) => String(value) === line.normalize('NFKC').trim());
      if (!confidence) return { say: 'sure' };
      const input = { ...this.#unsure, confidence };
      this.#unsure = undefined;
      return { input };
    }
    const answer = readAnswer(question, line);
    if (answer === undefined) return { say: 'no-answer' };
    if (!question.confidence) return { input: { do: 'answer', answer } };
    this.#unsure = { do: 'answer', answer };
    return { say: 'sure' };
  }

  /** The question is asked anew. */
  clear(): void {
    this.#unsure = undefined;
  }
}

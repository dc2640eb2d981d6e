import type { Answer, OpenQuestion } from '../../lesson/question.ts';

/** What a learner typed as an answer: numbers (or letters) of options, or a number. Undefined when it is none. */
export function readAnswer(question: OpenQuestion, line: string): Answer | undefined {
  const words = line
    .normalize('NFKC')
    .trim()
    .split(/[\s,>]+/)
    .filter(Boolean);
  if (question.kind === 'number') return words.length === 1 ? words[0] : undefined;
  const chosen = words.map((word) => optionAt(question, word));
  if (!chosen.length || chosen.includes(undefined)) return undefined;
  if (question.kind === 'order' || question.kind === 'control') return chosen as string[];
  return chosen.length === 1 ? chosen[0] : undefined;
}

function optionAt({ options }: OpenQuestion, word: string): string | undefined {
  const index = /^[a-z]$/i.test(word) ? word.toLowerCase().charCodeAt(0) - 97 : Number(word) - 1;
  return options[index] ?? (options.includes(word) ? word : undefined);
}

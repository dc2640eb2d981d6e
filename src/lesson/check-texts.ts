import type { Check } from './check.ts';
import { placeholdersOf } from './fill.ts';
import type { Lesson, LessonStep } from './lesson.ts';
import type { LessonText, StepText } from './lesson-text.ts';
import type { LoadedLesson } from './load-lesson.ts';
import { LANGUAGES, type Language } from './phrases.ts';

/** Something that an author has to put right. */
export interface LessonProblem {
  /** `lesson.yaml`, `en.yaml`, … */
  readonly file: string;
  /** e.g. `steps.delete.hints`. */
  readonly where: string;
  readonly problem: string;
}

/** Checks that the words of a lesson are all there, in both languages alike. */
export function checkTexts({ lesson, texts }: LoadedLesson): LessonProblem[] {
  const problems: LessonProblem[] = [];
  for (const lang of LANGUAGES) {
    const text = texts[lang];
    if (!text) problems.push({ file: `${lang}.yaml`, where: '', problem: 'this file is missing' });
    else problems.push(...needs(lesson, text, lang));
  }
  if (texts.en && texts.ja) problems.push(...sameKeys(texts.en, texts.ja));
  return problems;
}

/** What the steps need said. */
function needs(lesson: Lesson, text: LessonText, lang: Language): LessonProblem[] {
  const file = `${lang}.yaml`;
  const known = new Set(namesPicked(lesson));
  const problems: LessonProblem[] = [];
  const missing = (where: string, remedy: string): void => void problems.push({ file, where, problem: remedy });
  const ids = new Set(lesson.steps.map(({ id }) => id));
  for (const id of Object.keys(text.steps)) if (!ids.has(id)) missing(`steps.${id}`, `there is no step "${id}" in lesson.yaml`);
  for (const step of lesson.steps) {
    const words = text.steps[step.id];
    if (words) needsOfStep(step, words, missing);
    else missing(`steps.${step.id}`, 'the words of this step are missing');
  }
  const mistakes = new Set(lesson.mistakes.map(({ id }) => id));
  for (const id of mistakes) if (!text.mistakes[id]) missing(`mistakes.${id}`, 'the reply to this mistake is missing');
  for (const id of Object.keys(text.mistakes))
    if (!mistakes.has(id)) missing(`mistakes.${id}`, `there is no mistake "${id}" in lesson.yaml`);
  for (const [where, sentence] of sentencesOf(text))
    for (const name of placeholdersOf(sentence))
      if (!known.has(name)) missing(where, `nothing is picked under the name {${name}}; there are ${[...known].join(', ') || 'none'}`);
  return problems;
}

type Missing = (where: string, remedy: string) => void;

function needsOfStep(step: LessonStep, words: StepText, missing: Missing): void {
  const at = `steps.${step.id}`;
  if (!words.title) missing(`${at}.title`, 'every step has a title of a few words');
  if (step.step === 'run' || step.step === 'task' || step.step === 'reconcile') {
    if (!words.goal) missing(`${at}.goal`, 'say what is to be done');
    if (words.hints.length !== 3) missing(`${at}.hints`, 'expected three: where to look, what to think of, how it is done');
  }
  const check = step.step === 'reconcile' ? step.reconcile.check : step.step === 'task' || step.step === 'check' ? step.check : undefined;
  if (check) {
    const ids = new Set(checkIds(check));
    for (const id of Object.keys(words.checks)) if (!ids.has(id)) missing(`${at}.checks.${id}`, `no check of this step has the id "${id}"`);
  }
  if (step.step === 'predict') {
    const { ask } = step.predict;
    needsOfQuestion(at, words, missing);
    if (!words.recall) missing(`${at}.recall`, 'say what one must know when the question comes back in a later lesson');
    if (ask.kind === 'choice') needsOptions(at, { names: Object.keys(ask.options), words, why: true }, missing);
    if (ask.kind === 'order') needsOptions(at, { names: Object.keys(ask.items), words, why: false }, missing);
  }
  if (step.step === 'control') needsOfQuestion(at, words, missing);
  if (step.step !== 'quiz') return;
  for (const question of step.questions) {
    const own = question.id ? words.questions[question.id] : words;
    const where = question.id ? `${at}.questions.${question.id}` : at;
    if (!own) missing(where, 'the words of this question are missing');
    else {
      needsOfQuestion(where, own, missing);
      if (question.kind === 'choice') needsOptions(where, { names: Object.keys(question.options), words: own, why: true }, missing);
      if (question.kind === 'order') needsOptions(where, { names: question.items, words: own, why: false }, missing);
    }
  }
}

function needsOfQuestion(at: string, words: StepText, missing: Missing): void {
  if (!words.ask) missing(`${at}.ask`, 'the question is missing');
}

function needsOptions(at: string, of: { names: readonly string[]; words: StepText; why: boolean }, missing: Missing): void {
  for (const name of of.names) {
    const option = of.words.options[name];
    if (!option) missing(`${at}.options.${name}`, 'the words of this option are missing');
    else if (of.why && !option.why) missing(`${at}.options.${name}.why`, 'say why it is right or wrong: that is what people learn from');
  }
  for (const name of Object.keys(of.words.options))
    if (!of.names.includes(name)) missing(`${at}.options.${name}`, `there is no option "${name}" in lesson.yaml`);
}

function checkIds(check: Check): string[] {
  const own = check.id === undefined ? [] : [check.id];
  if (check.check === 'all' || check.check === 'any') return [...own, ...check.of.flatMap(checkIds)];
  return check.check === 'not' ? [...own, ...checkIds(check.of)] : own;
}

function namesPicked(lesson: Lesson): string[] {
  return [...lesson.cluster.picks, ...lesson.steps.flatMap(({ picks }) => picks)].map(({ name }) => name);
}

/** Every sentence of a text with the place where it stands. */
export function sentencesOf(text: LessonText): [string, string][] {
  return [
    ['title', text.title],
    ['summary', text.summary],
    ...Object.entries(text.steps).flatMap(([id, words]) => sentencesOfStep(`steps.${id}`, words)),
    ...Object.entries(text.mistakes).map(([id, reply]): [string, string] => [`mistakes.${id}`, reply]),
    ...text.links.map(({ label }, index): [string, string] => [`links[${index}]`, label]),
  ];
}

function sentencesOfStep(at: string, words: StepText): [string, string][] {
  const own = (['title', 'say', 'ask', 'goal', 'done', 'recall'] as const).flatMap((name): [string, string][] => {
    const sentence = words[name];
    return sentence === undefined ? [] : [[`${at}.${name}`, sentence]];
  });
  return [
    ...own,
    ...words.hints.map((hint, index): [string, string] => [`${at}.hints[${index}]`, hint]),
    ...Object.entries(words.options).flatMap(([id, { label, why }]): [string, string][] => [
      [`${at}.options.${id}.label`, label],
      ...(why ? [[`${at}.options.${id}.why`, why] as [string, string]] : []),
    ]),
    ...Object.entries(words.checks).map(([id, sentence]): [string, string] => [`${at}.checks.${id}`, sentence]),
    ...Object.entries(words.questions).flatMap(([id, question]) => sentencesOfStep(`${at}.questions.${id}`, question)),
  ];
}

/** Whether the translation says as much as the original, with the same names in it, and is of this original. */
function sameKeys(en: LessonText, ja: LessonText): LessonProblem[] {
  const [english, japanese] = [new Map(sentencesOf(en)), new Map(sentencesOf(ja))];
  const problems: LessonProblem[] = [];
  for (const [where, sentence] of english) {
    const other = japanese.get(where);
    if (other === undefined) problems.push({ file: 'ja.yaml', where, problem: 'is in en.yaml, but not here' });
    else if (placeholdersOf(other).join() !== placeholdersOf(sentence).join())
      problems.push({
        file: 'ja.yaml',
        where,
        problem: `names other things than en.yaml: {${placeholdersOf(sentence).join('}, {')}} expected`,
      });
  }
  for (const where of japanese.keys())
    if (!english.has(where)) problems.push({ file: 'ja.yaml', where, problem: 'is here, but not in en.yaml' });
  if (ja.translationOf !== en.hash)
    problems.push({
      file: 'ja.yaml',
      where: 'translationOf',
      problem: `en.yaml has changed since; look through the translation, then write translationOf: ${en.hash}`,
    });
  return problems;
}

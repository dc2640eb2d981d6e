import { fillText } from '../../lesson/fill.ts';
import type { CheckResult } from '../../lesson/judge-check.ts';
import type { LessonStep } from '../../lesson/lesson.ts';
import type { LessonEvent, LessonInput, Verdict } from '../../lesson/lesson-event.ts';
import { type LessonText, type StepText, stepText } from '../../lesson/lesson-text.ts';
import { lookWhere } from '../../lesson/look-where.ts';
import type { Phrases } from '../../lesson/phrases.ts';
import type { Answer, OpenQuestion } from '../../lesson/question.ts';
import type { LessonSession } from '../../lesson/session.ts';
import { wordsOf } from '../words/words.ts';

/** What lines of a lesson are made of. */
export interface LessonWords {
  readonly session: LessonSession;
  readonly text: LessonText;
  readonly phrases: Phrases;
}

/** An event of a lesson as labelled sentences, one a line: for pipes, screen readers and the terminal UI alike. */
export function lessonLines(event: LessonEvent, words: LessonWords): string[] {
  const { phrases, text, session } = words;
  const { labels } = phrases;
  const say = (label: string, sentence: string | undefined): string[] =>
    sentence ? [`${label}: ${fillText(sentence, session.run.variables)}`] : [];
  switch (event.event) {
    case 'step':
      return ['', ...stepLines(event.step, words)];
    case 'question':
      return questionLines(event.question, words);
    case 'output':
      return [
        ...(event.late ? [`  $ ${event.command}`] : []),
        ...[...event.result.stdout, ...event.result.stderr].flatMap((line) => line.split('\n')).map((line) => `    ${line}`),
      ];
    case 'visited':
      return event.way.map((station) => `    ${wordsOf(phrases.lang).telling.message(station)}`);
    case 'refused':
      return [phrases.refused(event.why, event.detail)];
    case 'unexpected':
      return [labels.unexpected];
    case 'in-vain':
      return [labels.inVain];
    case 'taken':
      return [labels.taken];
    case 'verdict':
      return verdictLines(event.verdict, words);
    case 'checked':
      return checkLines(event.result, stepText(text, event.step), { ...words, tested: event.tested ?? false });
    case 'rules':
      return ruleLines(event, phrases);
    case 'mistake':
      return say(labels.mistake, text.mistakes[event.id]);
    case 'hint':
      return say(phrases.hint(event.tier), stepText(text, event.step).hints[event.tier - 1] ?? labels.none);
    case 'solution':
      return [`${labels.solution}: ${event.inputs.map((input) => inputWords(input, words)).join('; ') || labels.none}`];
    case 'passed':
      return say(labels.done, stepText(text, event.step).done);
    case 'replay':
      return [`${labels.replay}: #${event.from + 1} - #${event.to}`];
    case 'debrief':
      return debriefLines(event.show, words);
    case 'finished':
      return ['', labels.finished];
  }
}

/** `brief`: without what was said when it began. */
export function stepLines(id: string, { session, text, phrases }: LessonWords, brief = false): string[] {
  const { steps } = session.lesson;
  const { title, say, goal } = stepText(text, id);
  const number = steps.findIndex((step) => step.id === id) + 1;
  const filled = (sentence: string): string => fillText(sentence, session.run.variables);
  return [
    `${phrases.stepOf(number, steps.length)}: ${filled(title ?? id)}`,
    ...(say && !brief ? filled(say).split('\n') : []),
    ...(goal ? [`${phrases.labels.goal}: ${filled(goal)}`] : []),
  ];
}

/** The learner's reconcile, numbered, and whether it runs. */
export function ruleLines({ rules, running }: LessonSession['reconcile'], { labels }: Phrases): string[] {
  return [
    `${labels.reconcile}: ${rules.length ? '' : labels.noRules}`.trimEnd(),
    ...rules.map((rule, index) => `  ${index + 1} ${rule}`),
    ...(rules.length || !running ? [labels[running ? 'running' : 'notRunning']] : []),
  ];
}

/** What one must know of a question that comes back. */
export function recallLines(step: string, { text, session, phrases }: LessonWords): string[] {
  const { recall } = stepText(text, step);
  return [`${phrases.labels.warmUp} (${text.title})`, ...(recall ? [fillText(recall, session.run.variables)] : [])];
}

function questionLines(question: OpenQuestion, words: LessonWords): string[] {
  const { labels } = words.phrases;
  const { ask } = stepText(words.text, question.step, question.id);
  const how = { order: labels.answerOrder, number: labels.answerNumber, control: labels.answerActions } as const;
  return [
    `${labels.question}: ${fillText(ask ?? '', words.session.run.variables)}`,
    ...question.options.map((option, index) => `  ${index + 1}. ${optionLabel(question, option, words)}`),
    question.kind in how ? how[question.kind as keyof typeof how] : labels.answerOne,
  ];
}

/** An option as the learner reads it. */
export function optionLabel(question: OpenQuestion, option: string, { text, session, phrases }: LessonWords): string {
  if (question.kind === 'control' && option === 'nothing') return phrases.labels.nothing;
  const { label } = stepText(text, question.step, question.id).options[option] ?? {};
  return fillText(label ?? option, session.run.variables);
}

function answerWords(question: OpenQuestion, answer: Answer, words: LessonWords): string {
  if (question.kind === 'number') return String(answer);
  const items = typeof answer === 'string' ? [answer] : answer;
  return items.map((item) => optionLabel(question, item, words)).join(' > ') || words.phrases.labels.nothing;
}

/** Right or not, what it was, and why: the reply to the chosen option, then that of the true one. */
function verdictLines(verdict: Verdict, words: LessonWords): string[] {
  const { question, answer, truth, right } = verdict;
  const { phrases, session } = words;
  const { options } = stepText(words.text, question.step, question.id);
  const why = (option: Answer): string[] => {
    const reply = typeof option === 'string' ? options[option]?.why : undefined;
    return reply ? fillText(reply, session.run.variables).split('\n') : [];
  };
  if (question.kind === 'order' && typeof truth !== 'string') {
    const items = truth.map((item, index) =>
      `  ${index + 1} ${optionLabel(question, item, words)}${phrases.stop}${why(item).join(' ')}`.trimEnd(),
    );
    return right
      ? [phrases.labels.right, ...items]
      : [
          `${phrases.labels.wrong}${phrases.stop}${phrases.chose(answerWords(question, answer, words))}`,
          phrases.truth('').trimEnd(),
          ...items,
        ];
  }
  if (right) return [`${phrases.labels.right}${phrases.stop}${phrases.truth(answerWords(question, truth, words))}`, ...why(truth)];
  return [
    `${phrases.labels.wrong}${phrases.stop}${phrases.chose(answerWords(question, answer, words))}`,
    ...why(answer),
    phrases.truth(answerWords(question, truth, words)),
    ...why(truth),
  ];
}

/** Each part of a goal with its mark; a part that fails says what was expected, what was found and where to look. */
export function checkLines(
  result: CheckResult,
  text: StepText,
  { phrases, session, tested = false }: Pick<LessonWords, 'phrases' | 'session'> & { readonly tested?: boolean },
): string[] {
  const { labels } = phrases;
  const parts = result.check.check === 'all' ? result.parts : [result];
  const lines = parts.flatMap((part) => {
    const { id } = part.check;
    const own = id === undefined ? undefined : text.checks[id];
    const wanted = own === undefined ? phrases.wants(part.check) : fillText(own, session.run.variables);
    if (part.ok) return [`  [x] ${wanted}`];
    // What was tested in a copy cannot be looked at here.
    const look = tested ? '' : `; ${labels.look}: ${lookWhere(part.check) ?? labels.lookAtLog}`;
    return [`  [ ] ${wanted}`, `      ${labels.expected}: ${phrases.wants(part.check)}; ${labels.found}: ${phrases.found(part)}${look}`];
  });
  return tested ? [labels.tested, ...lines] : lines;
}

function inputWords(input: LessonInput, words: LessonWords): string {
  if (input.do === 'command') return input.line;
  const { question } = words.session;
  return input.do === 'answer' && question ? answerWords(question, input.answer, words) : 'Enter';
}

function debriefLines(show: Extract<LessonStep, { step: 'debrief' }>['show'], words: LessonWords): string[] {
  const { session, text, phrases } = words;
  const { labels } = phrases;
  const { verdicts, mistakes, lesson } = session;
  const hints = lesson.steps.flatMap(({ id }) => stepText(text, id).hints.slice(0, session.hintsOf(id)));
  const filled = (sentence: string): string => fillText(sentence, session.run.variables);
  const parts = {
    predictions: [
      `${labels.predictions}: ${phrases.score(verdicts.filter(({ right }) => right).length, verdicts.length)}`,
      ...verdicts.map(({ question, right, confidence }) => {
        const { title } = stepText(text, question.step);
        return `  ${right ? labels.right : labels.wrong}: ${title ?? question.step}${confidence ? ` (${phrases.sure(confidence)})` : ''}`;
      }),
    ],
    mistakes: mistakes.length ? [`${labels.mistakes}:`, ...mistakes.map(({ id }) => `  ${filled(text.mistakes[id] ?? id)}`)] : [],
    hints: hints.length ? [`${labels.hints}:`, ...hints.map((hint) => `  ${filled(hint)}`)] : [],
    links: text.links.length ? [`${labels.links}:`, ...text.links.map(({ label, url }) => `  ${label}: ${url}`)] : [],
  };
  return show.flatMap((part) => parts[part]);
}

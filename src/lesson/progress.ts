import type { Lesson } from './lesson.ts';
import type { Confidence, LessonInput } from './lesson-event.ts';
import type { LessonSession } from './session.ts';

export const PROGRESS_VERSION = 1;

/** How far a learner is, over all lessons. Plain data; the same file may be moved to another machine. */
export interface Progress {
  readonly version: typeof PROGRESS_VERSION;
  readonly lessons: Readonly<Record<string, LessonProgress>>;
  /** Predictions that were missed and have not been got right since; the oldest first. */
  readonly missed: readonly Missed[];
}

export interface LessonProgress {
  readonly state: 'started' | 'done' | 'tested-out';
  /** Of the lesson's content when these inputs were given. */
  readonly hash: string;
  /** How to get back to where the learner left; empty when the lesson is over. */
  readonly inputs: readonly LessonInput[];
  /** The step that comes next. */
  readonly step?: string;
  /** How often the lesson was played to its end. */
  readonly finished: number;
  readonly hints: number;
  /** The last answers to predictions, by step. */
  readonly predictions: Readonly<Record<string, { readonly right: boolean; readonly confidence?: Confidence }>>;
  /** The best run so far. */
  readonly best?: { readonly right: number; readonly asked: number };
}

export interface Missed {
  readonly lesson: string;
  readonly step: string;
  /** How often it has come back. */
  readonly times: number;
}

export const NO_PROGRESS: Progress = { version: PROGRESS_VERSION, lessons: {}, missed: [] };

/** Why a text is no progress file, in words for a person. */
export class ProgressError extends Error {
  override name = 'ProgressError';
}

/** @throws ProgressError */
export function parseProgress(text: string): Progress {
  let value: Partial<Progress> | null;
  try {
    value = JSON.parse(text) as Partial<Progress> | null;
  } catch (error) {
    throw new ProgressError(`this is not JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null) throw new ProgressError('this is no progress file');
  if (value.version !== PROGRESS_VERSION)
    throw new ProgressError(`it has version ${String(value.version)}; this program knows version ${PROGRESS_VERSION}`);
  const { lessons, missed } = value;
  const sound = typeof lessons === 'object' && lessons !== null && Array.isArray(missed) && Object.values(lessons).every(isLessonProgress);
  if (!sound) throw new ProgressError('its fields lessons and missed are not as they should be');
  return { version: PROGRESS_VERSION, lessons, missed };
}

function isLessonProgress(value: unknown): boolean {
  const { state, hash, inputs, finished } = (value ?? {}) as Partial<LessonProgress>;
  return (
    ['started', 'done', 'tested-out'].includes(state ?? '') &&
    typeof hash === 'string' &&
    Array.isArray(inputs) &&
    typeof finished === 'number'
  );
}

export function formatProgress(progress: Progress): string {
  return `${JSON.stringify(progress, null, 1)}\n`;
}

/** What is known after the learner did something in a lesson. */
export function withSession(progress: Progress, session: LessonSession, testOut = false): Progress {
  const { lesson, verdicts, step } = session;
  const before = progress.lessons[lesson.id];
  const over = step === undefined;
  const right = verdicts.filter((verdict) => verdict.right).length;
  const allRight = right === verdicts.length;
  const score = { right, asked: verdicts.length };
  const best = over && (!before?.best || right > before.best.right) ? score : before?.best;
  const predictions = verdicts
    .filter(({ prediction }) => prediction)
    .map(({ question, right: got, confidence }) => [question.step, { right: got, ...(confidence ? { confidence } : {}) }] as const);
  const now: LessonProgress = {
    state: stateAfter(before?.state, { over, testOut, allRight }),
    hash: lesson.hash,
    inputs: over || testOut ? [] : [...session.inputs],
    ...(step && !testOut ? { step: step.id } : {}),
    finished: (before?.finished ?? 0) + (over && !(testOut && !allRight) ? 1 : 0),
    hints: Math.max(
      before?.hints ?? 0,
      lesson.steps.reduce((sum, { id }) => sum + session.hintsOf(id), 0),
    ),
    predictions: { ...before?.predictions, ...Object.fromEntries(predictions) },
    ...(best ? { best } : {}),
  };
  return { ...progress, lessons: { ...progress.lessons, [lesson.id]: now }, missed: missedAfter(progress.missed, lesson, session) };
}

function stateAfter(
  before: LessonProgress['state'] | undefined,
  now: { readonly over: boolean; readonly testOut: boolean; readonly allRight: boolean },
): LessonProgress['state'] {
  if (!now.over || (now.testOut && !now.allRight)) return before ?? 'started';
  return now.testOut && before !== 'done' ? 'tested-out' : 'done';
}

/** A prediction that was got wrong comes to the end of the queue; one that was got right leaves it. */
function missedAfter(missed: readonly Missed[], lesson: Lesson, { verdicts }: LessonSession): Missed[] {
  const last = new Map(
    verdicts.filter(({ question }) => isPrediction(lesson, question.step)).map((verdict) => [verdict.question.step, verdict.right]),
  );
  const rest = missed.filter((item) => item.lesson !== lesson.id || last.get(item.step) !== true);
  const known = new Set(rest.filter((item) => item.lesson === lesson.id).map(({ step }) => step));
  const fresh = [...last].filter(([step, right]) => !right && !known.has(step)).map(([step]) => ({ lesson: lesson.id, step, times: 0 }));
  return [...rest, ...fresh];
}

function isPrediction(lesson: Lesson, step: string): boolean {
  return lesson.steps.some((candidate) => candidate.id === step && candidate.step === 'predict');
}

/** The missed prediction that comes back before a lesson: the oldest one of another lesson that is over. */
export function nextWarmUp(progress: Progress, lesson: string): Missed | undefined {
  return progress.missed.find((item) => item.lesson !== lesson && (progress.lessons[item.lesson]?.finished ?? 0) > 0);
}

/** What is known after a warm-up: got right, it does not come back; got wrong, it comes back later, in the next case. */
export function withWarmUp(progress: Progress, asked: Missed, right: boolean): Progress {
  const rest = progress.missed.filter(({ lesson, step }) => lesson !== asked.lesson || step !== asked.step);
  return { ...progress, missed: right ? rest : [...rest, { ...asked, times: asked.times + 1 }] };
}

/** The inputs that lead back to where the learner left, if the lesson is still the same. */
export function resumable(progress: Progress, lesson: Lesson): readonly LessonInput[] {
  const saved = progress.lessons[lesson.id];
  return saved && saved.hash === lesson.hash ? saved.inputs : [];
}

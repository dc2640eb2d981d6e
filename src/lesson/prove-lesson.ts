import { checkTexts, type LessonProblem } from './check-texts.ts';
import { fill } from './fill.ts';
import { hintProblems, reasonProblems } from './hint-problems.ts';
import type { LessonCluster, LessonStep, MustFail } from './lesson.ts';
import type { LessonEvent } from './lesson-event.ts';
import type { LoadedLesson } from './load-lesson.ts';
import { nameProblems } from './name-problems.ts';
import { poolProblems } from './prove-pool.ts';
import { tryReconcile } from './reconcile-trial.ts';
import { replayInputs } from './replay-inputs.ts';
import { LessonSession } from './session.ts';
import type { TruthCache } from './truth.ts';

/** A lesson that loops is stopped after so many inputs for each of its steps. */
const INPUTS_PER_STEP = 8;

/** What came of playing a lesson by its solution. */
interface Solved {
  readonly session: LessonSession;
  /** How many inputs there were when each step was entered first. */
  readonly inputsAt: ReadonlyMap<string, number>;
  readonly problems: readonly LessonProblem[];
}

/**
 * Plays a lesson in every way that its file promises: the solution passes, doing nothing does not, each `mustFail` fails with its own reply, each question has exactly one
 * true answer (on every variant too), and the same inputs give the same run. Its texts are complete in both languages.
 */
export async function proveLesson(loaded: LoadedLesson): Promise<LessonProblem[]> {
  const { lesson } = loaded;
  const truths: TruthCache = new Map();
  const solved = await solve(loaded, lesson.cluster, truths);
  const problems = [
    ...checkTexts(loaded),
    ...hintProblems(loaded, solved.session.verdicts),
    ...reasonProblems(loaded, solved.session.verdicts),
    ...nameProblems(lesson, solved.session.run),
    ...solved.problems,
  ];
  if (solved.problems.length) return problems;
  problems.push(...(await proveRepeats(loaded, solved, truths)));
  for (const mustFail of lesson.tests.mustFail) problems.push(...(await proveFails(loaded, { solved, mustFail }, truths)));
  for (const [index, variant] of lesson.variants.entries()) {
    const { problems: found } = await solve(loaded, variant, truths);
    // Only the questions come back on a variant: a goal with other numbers need not be reached there.
    const ofQuestions = found.filter(({ where }) => lesson.steps.some(({ id, step }) => step === 'predict' && where === `steps.${id}`));
    problems.push(...ofQuestions.map((problem) => ({ ...problem, where: `variants[${index}], ${problem.where}` })));
  }
  return problems;
}

async function solve({ lesson }: LoadedLesson, cluster: LessonCluster, truths: TruthCache): Promise<Solved> {
  const problems: LessonProblem[] = [];
  const complain = (where: string, problem: string): void => void problems.push({ file: 'lesson.yaml', where, problem });
  const session = await LessonSession.start(lesson, { cluster, truths });
  const inputsAt = new Map<string, number>();
  const seen = new Set<string>();
  lookAt(session.takeEvents());
  for (let left = INPUTS_PER_STEP * lesson.steps.length; session.step && left > 0; left--) {
    const { step } = session;
    if (!inputsAt.has(step.id)) {
      await proveEntry(step);
      problems.push(...(await poolProblems(step, session)));
    }
    if (session.waits === 'answer') {
      const { problem } = await session.truth();
      if (problem) complain(`steps.${step.id}`, problem);
    }
    const before = session.inputs.length;
    for (const input of await session.solution()) {
      if (session.step !== step) break;
      lookAt(await session.send(input));
    }
    const stuck = session.step === step && session.waits === 'command';
    if (problems.length || stuck || session.inputs.length === before) break;
  }
  if (session.step && !problems.length) complain(`tests.solution.${session.step.id}`, whyStuck(session.step));
  return { session, inputsAt, problems };

  async function proveEntry(step: LessonStep): Promise<void> {
    inputsAt.set(step.id, session.inputs.length);
    if (await holdsAlready(step, session))
      complain(`steps.${step.id}.${step.step}.check`, 'it holds already when the step begins: doing nothing would pass');
  }

  function lookAt(events: readonly LessonEvent[]): void {
    for (const event of events) {
      const where = `steps.${'step' in event ? event.step : (session.step?.id ?? 'end')}`;
      if (event.event === 'in-vain') complain(where, 'what it waits for does not come in time');
      if (event.event === 'refused') complain(where, `the solution is refused: ${event.why} (${event.detail})`);
      if (event.event === 'output' && event.result.code !== 0)
        complain(where, `kubectl ${event.command}: ${event.result.stderr.join(' ')}`);
      if (event.event === 'mistake' && !seen.has(event.id))
        complain(`mistakes.${event.id}`, `the solution is taken for this mistake at ${where}`);
      if (event.event === 'mistake') seen.add(event.id);
    }
  }
}

/** Whether doing nothing would pass a step that the learner has just come to. */
async function holdsAlready(step: LessonStep, { run, marks }: LessonSession): Promise<boolean> {
  const mark = marks.get(step.id) ?? run.now;
  if (step.step === 'task') return run.judge(step.check, mark).ok;
  if (step.step !== 'reconcile') return false;
  const trial = await tryReconcile(step.reconcile, run, mark);
  return trial.run.judge(step.reconcile.check, trial.since).ok;
}

function whyStuck(step: LessonStep): string {
  return step.step === 'run'
    ? `the expected command does not pass this step: ${step.expect}`
    : `the commands of the solution do not pass this step (kind ${step.step}); write them under tests.solution.${step.id}`;
}

/** The same inputs, byte for byte the same run. */
async function proveRepeats({ lesson }: LoadedLesson, { session }: Solved, truths: TruthCache): Promise<LessonProblem[]> {
  const again = await replayInputs(lesson, session.inputs, { truths });
  if (again.run.digest === session.run.digest) return [];
  return [{ file: 'lesson.yaml', where: '', problem: 'two runs with the same inputs differ' }];
}

async function proveFails(
  { lesson }: LoadedLesson,
  { solved, mustFail }: { solved: Solved; mustFail: MustFail },
  truths: TruthCache,
): Promise<LessonProblem[]> {
  const where = `tests.mustFail (at ${mustFail.at}: ${mustFail.commands.join('; ') || 'nothing'})`;
  const problem = (text: string): LessonProblem[] => [{ file: 'lesson.yaml', where, problem: text }];
  const prefix = solved.inputsAt.get(mustFail.at);
  if (prefix === undefined) return problem('the solution does not come to this step');
  const session = await replayInputs(lesson, solved.session.inputs.slice(0, prefix), { truths, digest: false });
  session.takeEvents();
  const replies: string[] = [];
  for (const line of fill(mustFail.commands, session.run.variables)) {
    for (const event of await session.send({ do: 'command', line })) {
      if (event.event === 'mistake') replies.push(event.id);
      if (event.event === 'refused') return problem(`${line} is refused: ${event.why} (${event.detail})`);
    }
  }
  if (session.passed.has(mustFail.at)) return problem('it passes');
  if (mustFail.mistake !== undefined && !replies.includes(mustFail.mistake))
    return problem(`the reply should be "${mustFail.mistake}"; it was ${replies.join(', ') || 'none'}`);
  return [];
}

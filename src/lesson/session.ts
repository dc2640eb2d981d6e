import { Random } from '../sim/random.ts';
import { type AskedQuestion, questionsOf, truthAbout } from './asked-question.ts';
import type { Lesson, LessonStep } from './lesson.ts';
import type { Confidence, LessonEvent, LessonInput, Verdict } from './lesson-event.ts';
import { LessonRun, type Mark } from './lesson-run.ts';
import { MistakeWatch } from './mistake-watch.ts';
import { nextStepOf } from './next-step.ts';
import { type Answer, isPossible, isRight, type OpenQuestion } from './question.ts';
import { ReconcileDraft } from './reconcile-draft.ts';
import { tryReconcile } from './reconcile-trial.ts';
import type { SessionOptions } from './session-options.ts';
import { solutionOf } from './solution-of.ts';
import type { Truth, TruthCache } from './truth.ts';
import { allowedVerbs, expectedCommands, readTyped, shownFile, type TypedCommand } from './typed-command.ts';

/** What the machine waits for. */
export type Waits = 'next' | 'command' | 'answer' | 'nothing';

/**
 * A lesson being played: a state machine over the lesson, a cluster, and what the learner does. It speaks no language and draws nothing; line mode, the terminal UI and the
 * prover show its events each in their own way. The same inputs give the same run.
 * @example const session = await LessonSession.start(lesson); await session.send({ do: 'next' });
 */
export class LessonSession {
  readonly lesson: Lesson;
  readonly run: LessonRun;
  readonly inputs: LessonInput[] = [];
  /** Which of the inputs are commands that wrote something. */
  readonly changedBy = new Set<number>();
  /** Questions that have been answered, oldest first. */
  readonly verdicts: Verdict[] = [];
  /** Mistakes that got their reply, oldest first. */
  readonly mistakes: { readonly id: string; readonly step: string }[] = [];
  /** Where each step began, the last time. */
  readonly marks = new Map<string, Mark>();
  /** The last trace entry of each step that is over. */
  readonly ends = new Map<string, number>();
  readonly #truths: TruthCache;
  readonly #atOnce: boolean;
  readonly #start: Mark;
  readonly #hints = new Map<string, number>();
  readonly #solutions = new Set<string>();
  readonly #passed = new Set<string>();
  readonly #visits = new Map<string, number>();
  readonly #reconcile = new ReconcileDraft();
  readonly #mistakeWatch: MistakeWatch;
  #at = 0;
  #waits: Waits = 'next';
  /** Questions of the present step that are still to be answered. */
  #questions: AskedQuestion[] = [];
  #wrong = 0;
  #afterVerdict = false;
  #held: Verdict[] = [];
  #events: LessonEvent[] = [];

  private constructor(lesson: Lesson, run: LessonRun, options: SessionOptions) {
    this.lesson = lesson;
    this.run = run;
    this.#mistakeWatch = new MistakeWatch(lesson.mistakes);
    this.#truths = options.truths ?? new Map();
    this.#atOnce = options.atOnce ?? false;
    this.#start = run.now;
  }

  /** Puts the cluster together and enters the first step. `opening` then has what there is to say. */
  static async start(lesson: Lesson, options: SessionOptions = {}): Promise<LessonSession> {
    const run = await LessonRun.start(options.cluster ?? lesson.cluster, options.onCluster, options.digest);
    const session = new LessonSession(lesson, run, options);
    session.#enter(0);
    return session;
  }

  /** Takes out what was said since the last `send`: after `start`, the beginning. */
  takeEvents(): LessonEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }

  /** The present step; undefined when the lesson is over. */
  get step(): LessonStep | undefined {
    return this.lesson.steps[this.#at];
  }

  get waits(): Waits {
    return this.#waits;
  }

  /** The question that is open. */
  get question(): OpenQuestion | undefined {
    return this.#waits === 'answer' ? this.#questions[0]?.question : undefined;
  }

  /** What must not be seen while a prediction is open: what comes after this entry, and these lanes. */
  get veil(): { readonly after: number; readonly lanes: readonly string[] } | undefined {
    const { step } = this;
    if (step?.step !== 'predict' || this.#waits !== 'answer') return undefined;
    return { after: this.run.now.seq, lanes: step.predict.hide.filter((lane) => lane !== 'future') };
  }

  /** How many tiers of hints a step has given. */
  hintsOf(step: string): number {
    return this.#hints.get(step) ?? 0;
  }

  /** The steps that are done, the first time in order. */
  get passed(): ReadonlySet<string> {
    return this.#passed;
  }

  get solutionsShown(): ReadonlySet<string> {
    return this.#solutions;
  }

  /** Whether the learner can write at their reconcile now: where a step asks for it, and where one may put something right. */
  get writes(): boolean {
    const { step, lesson } = this;
    const mayMend = step?.step === 'check' || step?.step === 'task';
    return step?.step === 'reconcile' || (mayMend && lesson.cluster.customControllers.includes('mine'));
  }

  /** The learner's reconcile as it is now. */
  get reconcile(): { readonly rules: readonly string[]; readonly running: boolean } {
    return this.#reconcile;
  }

  /** Takes what the learner does; resolves with what there is to say about it. */
  async send(input: LessonInput): Promise<LessonEvent[]> {
    this.inputs.push(input);
    switch (input.do) {
      case 'hint':
        this.#hint();
        break;
      case 'solution':
        await this.#showSolution();
        break;
      case 'next':
        await this.#next();
        break;
      case 'command':
        await this.#command(input);
        break;
      case 'answer':
        await this.#answer(input.answer, input.confidence);
        break;
    }
    return this.takeEvents();
  }

  /** What does this step, as inputs. */
  solution(): Promise<LessonInput[]> {
    return solutionOf(this);
  }

  /** The truth about the open question, found by a fork where it is about the future. */
  async truth(): Promise<Truth> {
    const asked = this.#questions[0];
    if (!asked) return { answer: '', problem: 'no question is open' };
    const key = `${this.lesson.id}/${asked.question.step}/${asked.question.id}/${this.run.key}`;
    const known = this.#truths.get(key);
    if (known) return known;
    const truth = await truthAbout(asked, this.run, this.#start);
    this.#truths.set(key, truth);
    return truth;
  }

  #since(step: LessonStep): Mark {
    return this.marks.get(step.id) ?? this.#start;
  }

  #say(event: LessonEvent): void {
    this.#events.push(event);
  }

  #enter(index: number): void {
    this.#at = index;
    const { step } = this;
    this.#wrong = 0;
    this.#afterVerdict = false;
    if (!step) {
      this.#waits = 'nothing';
      for (const verdict of this.#held.splice(0)) this.#say({ event: 'verdict', verdict });
      this.#say({ event: 'finished' });
      return;
    }
    this.run.pick(step.picks);
    this.marks.set(step.id, this.run.now);
    this.#say({ event: 'step', step: step.id });
    this.#begin(step);
  }

  #begin(step: LessonStep): void {
    switch (step.step) {
      case 'run':
      case 'task':
      case 'reconcile':
        this.#waits = 'command';
        return;
      case 'check':
        this.#waits = 'command';
        this.#checkGoal(step);
        return;
      case 'predict':
      case 'quiz':
      case 'control':
        this.#questions = questionsOf(step, this.run.variables, this.#chance(step.id));
        this.#ask();
        return;
      case 'replay': {
        this.#waits = 'next';
        const from = this.marks.get(step.from)?.seq ?? this.#start.seq;
        this.#say({ event: 'replay', step: step.id, from, to: this.ends.get(step.to) ?? this.run.now.seq });
        return;
      }
      case 'debrief':
        this.#waits = 'next';
        this.#say({ event: 'debrief', step: step.id, show: step.show });
        return;
      default:
        this.#waits = 'next';
    }
  }

  /** Who comes to a quiz again gets other questions out of its pool. */
  #chance(step: string): Random {
    const visits = (this.#visits.get(step) ?? 0) + 1;
    this.#visits.set(step, visits);
    return new Random(this.run.cluster.simulation.seed).fork(visits === 1 ? step : `${step} ${visits}`);
  }

  #ask(): void {
    const [asked] = this.#questions;
    this.#waits = asked ? 'answer' : 'next';
    if (asked) this.#say({ event: 'question', question: asked.question });
  }

  async #next(): Promise<void> {
    const { step } = this;
    if (!step || this.#waits !== 'next') return this.#refuse('not-now', this.#waits);
    if (this.#afterVerdict) {
      this.#afterVerdict = false;
      if (this.#questions.length) return this.#ask();
    } else if (step.step === 'advance' || step.step === 'fault' || step.step === 'load') {
      if (step.step === 'fault') this.run.inject(step.faults);
      if (step.step === 'load') this.run.load(step.loads);
      const reached = await this.run.runUntil(step.stopAt);
      this.#tellOutputs();
      if (!reached) this.#say({ event: 'in-vain', step: step.id });
    }
    this.#leave(step);
  }

  #leave(step: LessonStep): void {
    // What was not there when the step began may be there now, for what is told at its end.
    this.run.pick(step.picks.filter(({ name }) => !this.run.variables.has(name)));
    this.ends.set(step.id, this.run.now.seq);
    this.#passed.add(step.id);
    this.#say({ event: 'passed', step: step.id });
    const due = this.#held.filter((verdict) => this.#revealAt(verdict) === step.id);
    this.#held = this.#held.filter((verdict) => !due.includes(verdict));
    for (const verdict of due) this.#say({ event: 'verdict', verdict });
    const missed = new Set(this.verdicts.filter(({ right }) => !right).map(({ question }) => question.step));
    const holds = (check: Parameters<LessonRun['judge']>[0]): boolean => this.run.judge(check, this.#start).ok;
    const next = nextStepOf(step, { wrong: this.#wrong, missed, holds });
    const { steps } = this.lesson;
    this.#enter(next === 'end' ? steps.length : next === undefined ? this.#at + 1 : steps.findIndex(({ id }) => id === next));
  }

  #revealAt(verdict: Verdict): string | undefined {
    const step = this.lesson.steps.find(({ id }) => id === verdict.question.step);
    return step?.step === 'predict' && !this.#atOnce ? step.predict.revealAt : undefined;
  }

  async #answer(answer: Answer, confidence: Confidence | undefined): Promise<void> {
    const asked = this.#questions[0];
    if (this.#waits !== 'answer' || !asked) return this.#refuse('not-now', this.#waits);
    const { question } = asked;
    if (!isPossible(question, answer)) return this.#refuse('not-an-answer', typeof answer === 'string' ? answer : answer.join(' '));
    const truth = await this.truth();
    const right = isRight(question, answer, { answer: truth.answer, tolerance: asked.tolerance });
    const prediction = asked.about !== 'quiz';
    const verdict: Verdict = { question, prediction, answer, truth: truth.answer, right, ...(confidence ? { confidence } : {}) };
    this.verdicts.push(verdict);
    if (!right) this.#wrong++;
    this.#questions.shift();
    if (this.#revealAt(verdict) !== undefined && this.step) {
      this.#held.push(verdict);
      this.#say({ event: 'taken', question, answer });
      this.#leave(this.step);
      return;
    }
    this.#say({ event: 'verdict', verdict });
    this.#waits = 'next';
    this.#afterVerdict = true;
  }

  async #command(input: LessonInput & { do: 'command' }): Promise<void> {
    const { step } = this;
    if (!step || this.#waits !== 'command') return this.#refuse('not-now', this.#waits);
    if (await this.#write(step, input.line)) return;
    const typed = readTyped(input.line);
    if (typed.typed === 'nonsense') return this.#refuse('not-a-command', input.line);
    if (typed.typed === 'show') return this.#say({ event: 'output', command: input.line, result: shownFile(this.lesson, typed.file) });
    if (typed.typed === 'kubectl' && !typed.reads) {
      const allowed = allowedVerbs(this.lesson, step);
      if (!allowed.includes(typed.args[0] ?? '')) return this.#refuse('not-allowed', allowed.join(', '));
    }
    if (typed.typed === 'kubectl') this.run.type(input.line, typed.args, { ...this.lesson.files, ...input.files });
    const { seq } = this.run.now;
    if (typed.typed === 'visit') this.#say({ event: 'visited', command: input.line, way: await this.run.visit(input.line, typed.visit) });
    const expected = 'canonical' in typed && step.step === 'run' && expectedCommands(step, this.run.variables).includes(typed.canonical);
    const reached = await this.run.follow(typed, expected && step.step === 'run' ? step.stopAt : undefined);
    if (this.run.wroteSince(seq)) this.changedBy.add(this.inputs.length - 1);
    const refused = this.#tellOutputs();
    if (typed.typed === 'kubectl' && typed.reads && !expected) return;
    this.#replyToMistakes(step, this.run, this.#since(step));
    if (step.step === 'run') this.#judgeRun(step, { expected: expected && reached && !refused, typed, line: input.line });
    else if (step.step === 'task' || step.step === 'check') this.#checkGoal(step);
  }

  /** Returns whether the command was refused. */
  #tellOutputs(): boolean {
    const outputs = this.run.takeOutputs();
    for (const output of outputs) this.#say({ event: 'output', ...output });
    return outputs.some(({ result, late }) => !late && result.code !== 0);
  }

  #judgeRun(step: LessonStep & { step: 'run' }, ran: { expected: boolean; typed: TypedCommand; line: string }): void {
    const holds = step.check !== undefined && this.run.judge(step.check, this.#since(step)).ok;
    if (ran.expected || holds) this.#leave(step);
    else if (ran.typed.typed === 'kubectl') this.#say({ event: 'unexpected', command: ran.line });
  }

  /** A line of the reconcile: taken down, or told what is wrong with it; `run` gives the lines to the controller. Returns whether it was one. */
  async #write(step: LessonStep, line: string): Promise<boolean> {
    const edit = this.writes ? this.#reconcile.take(line) : undefined;
    if (!edit) return false;
    if (edit.edit === 'refused') this.#refuse(edit.why, edit.detail);
    else if (edit.edit === 'run') await this.#runReconcile(step, line);
    else this.#say({ event: 'rules', rules: this.#reconcile.rules, running: this.#reconcile.running });
    return true;
  }

  async #runReconcile(step: LessonStep, line: string): Promise<void> {
    const { seq } = this.run.now;
    const { command, args, files } = this.#reconcile.release();
    this.run.type(`${line}: ${command}`, args, files);
    await this.run.follow();
    if (this.run.wroteSince(seq)) this.changedBy.add(this.inputs.length - 1);
    this.#tellOutputs();
    if (step.step === 'reconcile') await this.#testReconcile(step);
    else {
      this.#replyToMistakes(step, this.run, this.#since(step));
      if (step.step === 'task' || step.step === 'check') this.#checkGoal(step);
    }
  }

  async #testReconcile(step: LessonStep & { step: 'reconcile' }): Promise<void> {
    const { run, since } = await tryReconcile(step.reconcile, this.run, this.#since(step));
    const result = run.judge(step.reconcile.check, since);
    if (!result.ok) this.#replyToMistakes(step, run, since);
    this.#say({ event: 'checked', step: step.id, result, tested: run !== this.run });
    if (result.ok) this.#leave(step);
  }

  #checkGoal(step: LessonStep & { step: 'task' | 'check' }): void {
    const since = step.step === 'check' ? (step.since === undefined ? this.#start : this.marks.get(step.since)) : this.marks.get(step.id);
    const result = this.run.judge(step.check, since ?? this.#start);
    this.#say({ event: 'checked', step: step.id, result });
    if (result.ok) this.#leave(step);
  }

  #replyToMistakes(step: LessonStep, run: LessonRun, since: Mark): void {
    for (const id of this.#mistakeWatch.look(step.id, (check) => run.judge(check, since).ok)) {
      this.mistakes.push({ id, step: step.id });
      this.#say({ event: 'mistake', id });
    }
  }

  #hint(): void {
    const { step } = this;
    const tier = step ? this.hintsOf(step.id) + 1 : 4;
    if (step && tier <= 3) {
      this.#hints.set(step.id, tier);
      this.#say({ event: 'hint', step: step.id, tier });
    } else this.#refuse('no-more-hints', step?.id ?? '');
  }

  async #showSolution(): Promise<void> {
    const { step } = this;
    if (!step) return this.#refuse('not-now', this.#waits);
    this.#solutions.add(step.id);
    this.#say({ event: 'solution', step: step.id, inputs: await this.solution() });
  }

  #refuse(why: Extract<LessonEvent, { event: 'refused' }>['why'], detail: string): void {
    this.#say({ event: 'refused', why, detail });
  }
}

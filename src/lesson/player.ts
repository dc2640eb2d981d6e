import type { Lesson } from './lesson.ts';
import type { LessonEvent, LessonInput } from './lesson-event.ts';
import { lookAt } from './look-at.ts';
import { replayInputs } from './replay-inputs.ts';
import type { LessonRunFile } from './run-file.ts';
import type { LessonSession } from './session.ts';
import type { SessionOptions } from './session-options.ts';
import type { TruthCache } from './truth.ts';

/** Plays a lesson with undo and redo: both run the inputs again, and what was left is kept as a branch. */
export class LessonPlayer {
  readonly lesson: Lesson;
  readonly #options: SessionOptions;
  readonly #truths: TruthCache;
  /** Inputs of runs that were left, newest last. */
  readonly branches: (readonly LessonInput[])[] = [];
  #session: LessonSession;
  #undone: (readonly LessonInput[])[] = [];

  private constructor(session: LessonSession, options: SessionOptions, truths: TruthCache) {
    this.lesson = session.lesson;
    this.#session = session;
    this.#options = options;
    this.#truths = truths;
  }

  /** @param inputs of an earlier run, to take it up again */
  static async start(lesson: Lesson, inputs: readonly LessonInput[] = [], options: SessionOptions = {}): Promise<LessonPlayer> {
    const truths: TruthCache = options.truths ?? new Map();
    return new LessonPlayer(await replayInputs(lesson, inputs, { ...options, truths }), options, truths);
  }

  /** Goes on with a session that was begun elsewhere. */
  static of(session: LessonSession, options: SessionOptions = {}): LessonPlayer {
    return new LessonPlayer(session, options, options.truths ?? new Map());
  }

  get session(): LessonSession {
    return this.#session;
  }

  async send(input: LessonInput): Promise<LessonEvent[]> {
    const seen = input.do === 'command' ? await lookAt(this.#session, input) : undefined;
    if (seen) return [seen];
    const events = await this.#session.send(input);
    if (input.do !== 'hint' && input.do !== 'solution') this.#undone = [];
    return events;
  }

  /** Goes back to before the last command that changed something. Returns that command, or undefined when there is none. */
  async undo(): Promise<string | undefined> {
    const { inputs } = this.#session;
    const at = inputs.findLastIndex((input, index) => input.do === 'command' && this.#session.changedBy.has(index));
    const input = inputs[at];
    if (input?.do !== 'command') return undefined;
    this.branches.push([...inputs]);
    this.#undone.push(inputs.slice(at));
    await this.#restart(inputs.slice(0, at));
    return input.line;
  }

  /** Does again what was undone last. */
  async redo(): Promise<boolean> {
    const again = this.#undone.pop();
    if (!again) return false;
    const undone = this.#undone;
    await this.#restart([...this.#session.inputs, ...again]);
    this.#undone = undone;
    return true;
  }

  /** From the beginning; what was done so far is kept as a branch. Returns what there is to say. */
  async restart(): Promise<LessonEvent[]> {
    this.branches.push([...this.#session.inputs]);
    this.#undone = [];
    this.#session = await replayInputs(this.lesson, [], { ...this.#options, truths: this.#truths });
    return this.#session.takeEvents();
  }

  runFile(): LessonRunFile {
    const { inputs, run } = this.#session;
    return { lesson: this.lesson.id, hash: this.lesson.hash, seed: run.cluster.simulation.seed, inputs: [...inputs], digest: run.digest };
  }

  async #restart(inputs: readonly LessonInput[]): Promise<void> {
    this.#session = await replayInputs(this.lesson, inputs, { ...this.#options, truths: this.#truths });
    this.#session.takeEvents();
  }
}

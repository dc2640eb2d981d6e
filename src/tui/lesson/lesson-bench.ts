import { runViewOf } from '../../cli/run-view.ts';
import type { LessonEvent } from '../../lesson/lesson-event.ts';
import { type LoadedLesson, textIn } from '../../lesson/load-lesson.ts';
import { type Language, phrasesOf } from '../../lesson/phrases.ts';
import type { LessonPlayer } from '../../lesson/player.ts';
import type { LessonSession } from '../../lesson/session.ts';
import { invariant } from '../../sim/invariant.ts';
import { toRow } from '../app/motion.ts';
import { Session } from '../app/session.ts';
import { NO_DRAFT } from './draft.ts';
import type { LessonWords } from './lesson-lines.ts';
import type { LessonAction } from './lesson-press.ts';
import type { LessonState } from './lesson-state.ts';

export interface LessonBenchOptions {
  readonly loaded: LoadedLesson;
  readonly player: LessonPlayer;
  readonly truth?: readonly string[] | undefined;
  readonly lessons?: readonly string[] | undefined;
  /** A question that comes back: over once it is answered and the verdict is read. */
  readonly recalls?: boolean;
  /** Told after each input: how far the learner is. */
  readonly onProgress?: ((session: LessonSession) => void) | undefined;
}

/** Changes the state as it is when the change is made, which may be long after it was asked for. */
export type LessonChange = (update: (state: LessonState) => LessonState) => void;

/** The lesson on the screen: carries out what keys ask of it, and shows the run that comes of it. */
export class LessonBench {
  readonly loaded: LoadedLesson;
  view: Session;
  readonly #player: LessonPlayer;
  readonly #truth: readonly string[];
  readonly #lessons: readonly string[];
  readonly #onProgress: LessonBenchOptions['onProgress'];
  readonly recalls: boolean;

  constructor({ loaded, player, truth = [], lessons = [], recalls = false, onProgress }: LessonBenchOptions) {
    this.#lessons = lessons;
    this.recalls = recalls;
    this.loaded = loaded;
    this.#player = player;
    this.#truth = truth;
    this.#onProgress = onProgress;
    this.view = this.#look();
  }

  get lesson(): LessonSession {
    return this.#player.session;
  }

  wordsIn(lang: Language): LessonWords {
    const text = textIn(this.loaded, lang);
    invariant(text, 'a lesson that is shown has words');
    return { session: this.lesson, text, phrases: phrasesOf(lang) };
  }

  /** Carries out what a key asked; the panes follow the run to its newest moment. Returns whether that was all. */
  async act(action: LessonAction, change: LessonChange): Promise<boolean> {
    if (this.recalls && this.lesson.verdicts.some(({ question }) => question.step === this.lesson.step?.id)) return true;
    change((now) => ({ ...now, ui: { ...now.ui, busy: true } }));
    try {
      await this.#act(action, change);
      return false;
    } finally {
      change((now) => ({ ...now, ui: { ...now.ui, busy: false } }));
    }
  }

  async #act(action: LessonAction, change: LessonChange): Promise<void> {
    const player = this.#player;
    switch (action.do) {
      case 'send': {
        const events = await player.send(action.input);
        this.#onProgress?.(player.session);
        return this.#show(events, change);
      }
      case 'undo': {
        const undone = await player.undo();
        return this.#again(change, (lang) => {
          const { undone: said, nothingToUndo } = phrasesOf(lang).labels;
          return undone === undefined ? nothingToUndo : `${said}: ${undone}`;
        });
      }
      case 'redo': {
        const done = await player.redo();
        return this.#again(change, (lang) => phrasesOf(lang).labels[done ? 'redone' : 'nothingToRedo']);
      }
      case 'restart': {
        const events = await player.restart();
        this.#onProgress?.(this.lesson);
        this.view = this.#look();
        return this.#show(events, change);
      }
    }
  }

  /** The run is another one now. */
  #again(change: LessonChange, notice: (lang: Language) => string): void {
    this.view = this.#look();
    this.#onProgress?.(this.lesson);
    this.#show([], change);
    change((now) => ({ ...now, ui: { ...now.ui, notice: notice(now.ui.lang) } }));
  }

  #show(events: readonly LessonEvent[], change: LessonChange): void {
    const { view } = this;
    view.timeline.extend();
    change((now) => ({
      ...now,
      events,
      draft: events.some(({ event }) => event === 'hint' || event === 'solution' || event === 'refused') ? now.draft : NO_DRAFT,
      scroll: 0,
      ui: { ...toRow(now.ui, view, Number.MAX_SAFE_INTEGER), playing: false, selected: undefined },
    }));
  }

  #look(): Session {
    const { cluster } = this.lesson.run;
    return new Session({ run: runViewOf(cluster), title: this.loaded.lesson.id, truth: this.#truth, lessons: this.#lessons });
  }
}

import type { Outcome } from '../app/action.ts';
import { runCommand } from '../app/commands.ts';
import { PROMPT } from '../app/line-editor.ts';
import { toRow } from '../app/motion.ts';
import { press } from '../app/press.ts';
import { type ConsoleLine, initialState, type UiState } from '../app/ui-state.ts';
import type { Workbench } from '../app/workbench.ts';
import { entryAt } from '../model/run-view.ts';
import { overlayContent } from '../view/overlay-view.ts';
import { type Language, wordsOf } from '../words/words.ts';
import { createStory, type Story, type StoryOptions } from './story.ts';

const WIDTH = 100;
const ENDLESS = 100_000;
/** How keys are written where there is only a line. */
const KEY_WORDS: Readonly<Record<string, string>> = { '': '.', enter: 'enter', esc: 'esc', tab: 'tab', space: 'space' };

export interface LineShellOptions {
  readonly print: (line: string) => void;
  readonly all?: boolean;
  readonly lang?: Language;
}

/**
 * The user interface line by line, for screen readers, pipes and small terminals: each line that is entered is a kubectl command, a command with a colon, or a key
 * of the table; what happens is told in sentences, newest last.
 */
export class LineShell {
  readonly #bench: Workbench;
  readonly #options: LineShellOptions;
  #state: UiState;
  #story: Story;
  #session: Workbench['session'];
  #told: number;

  constructor(bench: Workbench, options: LineShellOptions) {
    this.#bench = bench;
    this.#options = options;
    this.#session = bench.session;
    this.#told = bench.session.timeline.last;
    this.#story = createStory(bench.session.run, this.#storyOptions());
    this.#state = initialState({ cursor: this.#told, theme: 'mono', ...(options.lang ? { lang: options.lang } : {}) });
  }

  /** Does what a line says; returns false when it says that this is the end. */
  async enter(line: string): Promise<boolean> {
    const text = line.trim();
    const outcome = this.#read(text);
    this.#state = outcome.state;
    if (outcome.effect === 'quit' || this.#state.mode === 'quit') return false;
    if (outcome.effect && outcome.effect !== 'suspend') {
      await this.#bench.act(outcome.effect, this.#state, (update) => {
        const before = this.#state.console.length;
        this.#state = update(this.#state);
        for (const each of this.#state.console.slice(before)) this.#printConsole(each);
      });
      // What has been told has been looked at: the next step goes on from there.
      const { notice } = this.#state;
      this.#state = { ...toRow(this.#state, this.#bench.session, Number.MAX_SAFE_INTEGER), notice };
    }
    this.#tell();
    this.#printOverlay();
    if (this.#state.notice) this.#options.print(this.#state.notice);
    this.#state = { ...this.#state, notice: '', overlay: undefined, mode: 'normal', console: [] };
    return true;
  }

  #read(text: string): Outcome {
    const { session } = this.#bench;
    if (text.startsWith(':')) {
      const result = runCommand(this.#state, session, text.slice(1));
      return 'state' in result ? result : { state: result };
    }
    if (text.startsWith(PROMPT) || text.includes(' ')) return { state: this.#state, effect: { do: 'kubectl', line: text } };
    const key = KEY_WORDS[text] ?? text;
    return press(this.#state, key, session);
  }

  #storyOptions(): StoryOptions {
    return { all: this.#options.all ?? false, telling: () => wordsOf(this.#state.lang).telling };
  }

  #printConsole({ kind, text }: ConsoleLine): void {
    if (kind !== 'prompt') this.#options.print(kind === 'note' ? `  (${text})` : `    ${text}`);
  }

  /** What has happened since, in sentences; after a step back, the event that is looked at now. */
  #tell(): void {
    const { session } = this.#bench;
    const { print } = this.#options;
    if (session !== this.#session) {
      this.#session = session;
      this.#story = createStory(session.run, this.#storyOptions());
      this.#told = Math.max(this.#told, session.forkedAt ?? 0);
      if (this.#told > session.timeline.last) this.#told = session.timeline.last;
    }
    session.timeline.extend();
    for (; this.#told < session.timeline.last; this.#told++) {
      const entry = entryAt(session.run, this.#told + 1);
      for (const each of entry ? this.#story.next(entry) : []) print(each);
    }
    for (const each of this.#story.end()) print(each);
  }

  #printOverlay(): void {
    const { overlay } = this.#state;
    if (!overlay) return;
    const { session } = this.#bench;
    const { title, lines } = overlayContent(session, session.momentOf(this.#state), {
      overlay,
      state: this.#state,
      width: WIDTH,
      height: ENDLESS,
    });
    this.#options.print(title);
    for (const line of lines)
      this.#options.print(
        line
          .map(({ text }) => text)
          .join('')
          .trimEnd(),
      );
  }
}

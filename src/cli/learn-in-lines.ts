import { createInterface } from 'node:readline';
import type { Cluster } from '../cluster/cluster.ts';
import type { LessonEvent, LessonInput } from '../lesson/lesson-event.ts';
import { textIn } from '../lesson/load-lesson.ts';
import { LANGUAGES, type Language, phrasesOf } from '../lesson/phrases.ts';
import { LessonPlayer } from '../lesson/player.ts';
import { type LessonWords, lessonLines } from '../tui/lesson/lesson-lines.ts';
import { readAnswer } from '../tui/lesson/read-answer.ts';
import { createStory } from '../tui/line/story.ts';
import type { LessonFolder } from './lesson-files.ts';
import { tell } from './play.ts';
import { runViewOf } from './run-view.ts';
import { UsageError } from './usage-error.ts';

/** Plays a lesson line by line: append-only, one labelled sentence an event, an answer by number. */
export async function learnInLines(folder: LessonFolder, lang: Language): Promise<number> {
  const lines = new LineLesson(folder, lang);
  await lines.start();
  for await (const line of createInterface({
    input: process.stdin,
    terminal: process.stdin.isTTY === true && process.stdout.isTTY === true,
  })) {
    if (!(await lines.take(line))) break;
  }
  return 0;
}

class LineLesson {
  readonly #folder: LessonFolder;
  #lang: Language;
  #player: LessonPlayer | undefined;
  #stories: { end(): string[] }[] = [];
  #telling = false;
  /** An answer that waits for how sure the learner is. */
  #unsure: (LessonInput & { do: 'answer' }) | undefined;

  constructor(folder: LessonFolder, lang: Language) {
    this.#folder = folder;
    this.#lang = lang;
  }

  async start(): Promise<void> {
    const { text, phrases } = this.#base();
    this.#print([
      `${phrases.labels.lesson}: ${text.title} (${phrases.minutes(this.#folder.lesson.minutes)})`,
      text.summary,
      phrases.labels.help,
    ]);
    this.#player = await LessonPlayer.start(this.#folder.lesson, [], { onCluster: (cluster) => this.#listen(cluster) });
    for (const story of this.#stories) story.end();
    this.#telling = true;
    this.#tell(this.#player.session.takeEvents());
  }

  /** Takes one line; returns whether there is more to come. */
  async take(typed: string): Promise<boolean> {
    const player = this.#player;
    const line = typed.trim();
    if (!player || /^(q|quit|exit)$/i.test(line)) return false;
    if (process.stdin.isTTY !== true) this.#print([`> ${line}`]);
    if (await this.#control(line, player)) return true;
    const input = this.#read(line, player);
    if (!input) return true;
    this.#tell(await player.send(input));
    return player.session.step !== undefined;
  }

  /** Words that are about the lesson, not about the cluster. Returns whether it was one. */
  async #control(line: string, player: LessonPlayer): Promise<boolean> {
    const { labels } = this.#words(player).phrases;
    const [word = '', second] = line.toLowerCase().split(/\s+/);
    switch (word) {
      case '?':
      case 'help':
        this.#print([labels.help]);
        return true;
      case 'repeat':
        this.#repeat(player);
        return true;
      case 'u':
      case 'undo': {
        const undone = await this.#quietly(() => player.undo());
        this.#print([undone === undefined ? labels.nothingToUndo : `${labels.undone}: ${undone}`]);
        this.#repeat(player);
        return true;
      }
      case 'redo':
        this.#print([(await this.#quietly(() => player.redo())) ? labels.redone : labels.nothingToRedo]);
        this.#repeat(player);
        return true;
      case 'lang':
        this.#lang = LANGUAGES.find((lang) => lang === second) ?? this.#lang;
        this.#repeat(player);
        return true;
      default:
        return false;
    }
  }

  #read(line: string, player: LessonPlayer): LessonInput | undefined {
    const { session } = player;
    if (/^(h|hint)$/i.test(line)) return { do: 'hint' };
    if (/^solution$/i.test(line)) return { do: 'solution' };
    if (this.#unsure) {
      const confidence = ([1, 2, 3] as const).find((value) => String(value) === line.normalize('NFKC'));
      if (!confidence) return this.#askHowSure(player);
      const input = { ...this.#unsure, confidence };
      this.#unsure = undefined;
      return input;
    }
    const { question } = session;
    if (question) {
      const answer = readAnswer(question, line);
      if (answer === undefined) return this.#notAnAnswer(line, player);
      if (!question.confidence) return { do: 'answer', answer };
      this.#unsure = { do: 'answer', answer };
      return this.#askHowSure(player);
    }
    if (session.waits === 'command') return line ? { do: 'command', line } : undefined;
    return { do: 'next' };
  }

  #askHowSure(player: LessonPlayer): undefined {
    const { labels } = this.#words(player).phrases;
    this.#print([`${labels.howSure} ${labels.sureScale}`]);
    return undefined;
  }

  #notAnAnswer(line: string, player: LessonPlayer): undefined {
    this.#print([this.#words(player).phrases.refused('not-an-answer', line)]);
    return undefined;
  }

  #tell(events: readonly LessonEvent[]): void {
    const player = this.#player;
    if (!player) return;
    this.#tellRest();
    const words = this.#words(player);
    for (const event of events) {
      this.#print(lessonLines(event, words));
      if (event.event === 'replay') this.#tellAgain(player, event);
    }
    if (player.session.waits === 'next') this.#print([words.phrases.labels.goOn]);
    if (player.session.waits === 'command') this.#print([words.phrases.labels.command]);
  }

  /** The present step once more, as after a change of language. */
  #repeat(player: LessonPlayer): void {
    const { step, question } = player.session;
    if (!step) return;
    this.#unsure = undefined;
    this.#tell([{ event: 'step', step: step.id }, ...(question ? [{ event: 'question', question } as const] : [])]);
  }

  /** The cluster's own story, entry by entry. */
  #listen(cluster: Cluster): void {
    this.#stories.push(tell(cluster, { all: false, print: (line) => (this.#telling ? this.#print([line]) : undefined) }));
  }

  #tellRest(): void {
    for (const line of this.#stories.at(-1)?.end() ?? []) if (this.#telling) this.#print([line]);
  }

  #tellAgain(player: LessonPlayer, range: { from: number; to: number }): void {
    const run = runViewOf(player.session.run.cluster);
    const story = createStory(run);
    for (const entry of run.entries) {
      const lines = story.next(entry);
      if (entry.seq > range.from && entry.seq <= range.to) this.#print(lines);
    }
  }

  async #quietly<T>(body: () => Promise<T>): Promise<T> {
    this.#telling = false;
    try {
      return await body();
    } finally {
      this.#stories.at(-1)?.end();
      this.#telling = true;
    }
  }

  #base(): Pick<LessonWords, 'text' | 'phrases'> {
    const text = textIn(this.#folder, this.#lang);
    if (!text) throw new UsageError(`${this.#folder.path}: this lesson has no text in any language`);
    return { text, phrases: phrasesOf(this.#lang) };
  }

  #words(player: LessonPlayer): LessonWords {
    return { ...this.#base(), session: player.session };
  }

  #print(lines: readonly string[]): void {
    for (const line of lines) process.stdout.write(`${line}\n`);
  }
}

import type { Cluster } from '../cluster/cluster.ts';
import type { LessonEvent, LessonInput } from '../lesson/lesson-event.ts';
import type { LessonRun } from '../lesson/lesson-run.ts';
import { textIn } from '../lesson/load-lesson.ts';
import { LANGUAGES, type Language, phrasesOf } from '../lesson/phrases.ts';
import { LessonPlayer } from '../lesson/player.ts';
import { resumable, withSession } from '../lesson/progress.ts';
import type { LessonRunFile } from '../lesson/run-file.ts';
import type { LessonSession } from '../lesson/session.ts';
import { onlyLooks, readTyped } from '../lesson/typed-command.ts';
import { type LessonWords, lessonLines } from '../tui/lesson/lesson-lines.ts';
import { AnswerReader } from '../tui/lesson/read-answer.ts';
import { createStory } from '../tui/line/story.ts';
import { wordsOf } from '../tui/words/words.ts';
import type { LearnOptions } from './learn-in-lines.ts';
import { findLesson, type LessonFolder, lessonAfter, lessonNames } from './lesson-files.ts';
import { tell } from './play.ts';
import { runViewOf } from './run-view.ts';
import { UsageError } from './usage-error.ts';

/** A lesson line by line. */
export class LineLesson {
  readonly #folder: LessonFolder;
  readonly #options: LearnOptions;
  readonly #answers = new AnswerReader();
  #lang: Language;
  #player: LessonPlayer | undefined;
  #sandbox: LessonRun | undefined;
  #story: { end(): string[] } | undefined;
  #telling = false;
  #next: LessonFolder | undefined;

  constructor(folder: LessonFolder, options: LearnOptions) {
    this.#folder = folder;
    this.#options = options;
    this.#lang = options.lang;
  }

  async start(): Promise<void> {
    const { text, phrases } = this.#base();
    const { lesson } = this.#folder;
    this.#print([`${phrases.labels.lesson}: ${text.title} (${phrases.minutes(lesson.minutes)})`, text.summary, phrases.labels.help]);
    const { again, testOut, progress } = this.#options;
    const saved = again || testOut ? [] : resumable(progress.progress, lesson);
    this.#player = await LessonPlayer.start(lesson, saved, { onCluster: (cluster) => this.#listen(cluster) });
    this.#story?.end();
    this.#telling = true;
    const events = this.#player.session.takeEvents();
    if (saved.length) this.#print([phrases.labels.resumed]);
    if (saved.length) this.#repeat(this.#player);
    else await this.#tell(events);
  }

  runFile(): LessonRunFile | undefined {
    return this.#player?.runFile();
  }

  get lang(): Language {
    return this.#lang;
  }

  /** The lesson for which the learner has left this one. */
  get next(): LessonFolder | undefined {
    return this.#next;
  }

  async take(line: string): Promise<boolean> {
    const player = this.#player;
    if (!player) return false;
    const wanted = /^lesson(?: (\S+))?$/i.exec(line);
    if (wanted) return !this.#leaveFor(wanted[1] ?? '');
    if (this.#sandbox) await this.#playFreely(this.#sandbox, line);
    else if (!(await this.#control(line, player))) {
      const input = this.#read(line, player);
      if (input) await this.#tell(await player.send(input));
    }
    if (player.session.step) return true;
    const next = lessonAfter(this.#folder);
    if (next) this.#print([this.#base().phrases.next(`bottleship learn ${next}`)]);
    return false;
  }

  /** Returns whether there is such a lesson. */
  #leaveFor(name: string): boolean {
    const names = lessonNames();
    if (names.includes(name)) this.#next = findLesson(name);
    else this.#print([wordsOf(this.#lang).notices.noLesson(names.join(', '))]);
    return this.#next !== undefined;
  }

  /** Words that are about the lesson, not about the cluster. Returns whether it was one. */
  async #control(line: string, player: LessonPlayer): Promise<boolean> {
    const { labels } = this.#base().phrases;
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
      case 'sandbox':
        if (player.session.veil) {
          this.#print([labels.veiled]);
          return true;
        }
        this.#sandbox = await this.#quietly(() => player.session.run.fork({ onCluster: (cluster) => this.#listen(cluster) }));
        this.#print([labels.sandbox]);
        return true;
      default:
        return false;
    }
  }

  /** A copy of the run to try things on; `back` leaves it, and the lesson is where it was. */
  async #playFreely(run: LessonRun, line: string): Promise<void> {
    const { labels, refused } = this.#base().phrases;
    const player = this.#player;
    if (/^(back|sandbox)$/i.test(line) && player) {
      this.#sandbox = undefined;
      this.#listen(player.session.run.cluster);
      this.#repeat(player);
      return;
    }
    const typed = readTyped(line);
    if (typed.typed === 'nonsense' || typed.typed === 'show') return this.#print([refused('not-a-command', line)]);
    if (typed.typed === 'visit') {
      const way = await run.visit(line, typed.visit);
      this.#tellRest();
      return this.#print([...way.map((station) => `    ${wordsOf(this.#lang).telling.message(station)}`), labels.sandbox]);
    }
    if (typed.typed === 'kubectl') run.type(line, typed.args, this.#folder.lesson.files);
    await run.follow(typed);
    this.#tellRest();
    for (const { result } of run.takeOutputs()) this.#print([...result.stdout, ...result.stderr].map((out) => `    ${out}`));
    this.#print([labels.sandbox]);
  }

  #read(line: string, player: LessonPlayer): LessonInput | undefined {
    const { session } = player;
    if (/^(h|hint)$/i.test(line)) return { do: 'hint' };
    if (/^solution$/i.test(line)) return { do: 'solution' };
    if (onlyLooks(line)) return { do: 'command', line };
    if (!session.question) return session.waits === 'command' ? (line ? { do: 'command', line } : undefined) : { do: 'next' };
    const { input, say } = this.#answers.take(session.question, line);
    const { labels, refused } = this.#base().phrases;
    if (say) this.#print([say === 'sure' ? `${labels.howSure} ${labels.sureScale}` : refused('not-an-answer', line)]);
    return input;
  }

  async #tell(events: readonly LessonEvent[]): Promise<void> {
    const player = this.#player;
    if (!player) return;
    this.#tellRest();
    const words = { ...this.#base(), session: player.session };
    for (const event of events) {
      if (!this.#options.testOut || isOfTest(event)) this.#print(lessonLines(event, words));
      if (event.event === 'replay' && !this.#options.testOut) this.#tellAgain(player, event);
    }
    const { progress, testOut } = this.#options;
    progress.save(withSession(progress.progress, player.session, testOut));
    if (testOut && player.session.step && !player.session.question) return this.#skip(player);
    if (player.session.waits === 'next') this.#print([words.phrases.labels.goOn]);
    this.#prompt(player);
  }

  /** Testing out: everything but the questions does itself. */
  async #skip(player: LessonPlayer): Promise<void> {
    const events: LessonEvent[] = [];
    await this.#quietly(async () => {
      for (const input of await player.session.solution()) events.push(...(await player.send(input)));
    });
    await this.#tell(events);
  }

  /** The present step once more, as after a change of language. */
  #repeat(player: LessonPlayer): void {
    const { step, question, waits } = player.session;
    if (!step) return;
    this.#answers.clear();
    const words: LessonWords = { ...this.#base(), session: player.session };
    this.#print(lessonLines({ event: 'step', step: step.id }, words));
    if (question) this.#print(lessonLines({ event: 'question', question }, words));
    if (waits === 'next') this.#print([words.phrases.labels.goOn]);
    if (player.session.writes) this.#print(lessonLines({ event: 'rules', ...rulesOf(player) }, words));
    this.#prompt(player);
  }

  /** What may be typed now. */
  #prompt({ session }: LessonPlayer): void {
    const { labels } = this.#base().phrases;
    if (session.waits === 'command') this.#print([session.step?.step === 'reconcile' ? labels.writeRule : labels.command]);
  }

  /** The cluster's own story, entry by entry; that of the last cluster that was made. */
  #listen(cluster: Cluster): void {
    const story: { end(): string[] } = tell(cluster, {
      all: false,
      lang: () => this.#lang,
      print: (line) => {
        if (this.#telling && this.#story === story) this.#print([line]);
      },
    });
    this.#story = story;
  }

  #tellRest(): void {
    const lines = this.#story?.end() ?? [];
    if (this.#telling) this.#print(lines);
  }

  #tellAgain(player: LessonPlayer, range: { readonly from: number; readonly to: number }): void {
    const run = runViewOf(player.session.run.cluster);
    const story = createStory(run, { telling: () => wordsOf(this.#lang).telling });
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
      this.#story?.end();
      this.#telling = true;
    }
  }

  #base(): Pick<LessonWords, 'text' | 'phrases'> {
    const text = textIn(this.#folder, this.#lang);
    if (!text) throw new UsageError(`${this.#folder.path}: this lesson has no text in any language`);
    return { text, phrases: phrasesOf(this.#lang) };
  }

  #print(lines: readonly string[]): void {
    const { print = (line) => void process.stdout.write(`${line}\n`) } = this.#options;
    for (const line of lines) print(line);
  }
}

function rulesOf({ session }: LessonPlayer): LessonSession['reconcile'] {
  const { rules, running } = session.reconcile;
  return { rules, running };
}

function isOfTest({ event }: LessonEvent): boolean {
  return event === 'question' || event === 'verdict' || event === 'refused' || event === 'finished';
}

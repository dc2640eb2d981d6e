import { visitByHand } from '../../cluster/visit-by-hand.ts';
import type { KubectlResult } from '../../kubectl/kubectl.ts';
import { splitWords } from '../../scenario/words.ts';
import { exportTest } from '../live/export-test.ts';
import type { LiveRun } from '../live/live-run.ts';
import { breakpointAt } from '../model/breakpoints.ts';
import { entryAt, type RunView } from '../model/run-view.ts';
import { formatVirtualTime } from '../text/format-time.ts';
import { wordsOf } from '../words/words.ts';
import type { Action } from './action.ts';
import { changesSomething, fileNames, isQuestion } from './kubectl-line.ts';
import { isAtEnd, toRow, toSeq } from './motion.ts';
import { open } from './panes.ts';
import { type Family, Session } from './session.ts';
import type { ConsoleLine, UiState } from './ui-state.ts';

/** Files of the machine, handed in so that tests need none. */
export interface Files {
  /** Undefined when there is no such file. */
  read(path: string): string | undefined;
  /** @throws Error with the reason */
  write(path: string, text: string): void;
}

export interface WorkbenchOptions {
  readonly run: RunView;
  readonly title: string;
  readonly live?: LiveRun | undefined;
  readonly truth?: readonly string[] | undefined;
  readonly lessons?: readonly string[] | undefined;
  readonly files?: Files | undefined;
}

/** Changes the state as it is when the change is made, which may be long after it was asked for. */
export type Change = (update: (state: UiState) => UiState) => void;

const LONGEST_MS = 600_000;
/** How long a cluster with nothing left to do is watched for its next sign. */
const QUIET_MS = 60_000;
const MAX_LINES = 2_000;

/** The run that is on the screen, its branches, and everything that a person does to them. What was is never lost: who changes the past gets a branch. */
export class Workbench implements Family {
  readonly branches: Session[] = [];
  session: Session;
  readonly #files: Files | undefined;
  /** By a branch in which a command was undone, the one in which it was not. */
  readonly #undone = new Map<Session, Session>();
  #forks = 0;

  constructor({ run, title, live, truth = [], lessons = [], files }: WorkbenchOptions) {
    this.session = new Session({ run, title, live, truth, lessons, family: this });
    this.branches.push(this.session);
    this.#files = files;
  }

  /** Carries out what a key or a command asked of the run. */
  async act(action: Action, state: UiState, change: Change): Promise<void> {
    if (!this.session.live) return change((now) => ({ ...now, notice: wordsOf(now.lang).notices.notLive }));
    change((now) => ({ ...now, busy: true }));
    try {
      await this.#act(action, state, { live: this.session.live, change });
    } catch (error) {
      change((now) => ({ ...now, notice: (error as Error).message }));
    } finally {
      change((now) => ({ ...now, busy: false }));
    }
  }

  async #act(action: Action, state: UiState, { live, change }: { live: LiveRun; change: Change }): Promise<void> {
    switch (action.do) {
      case 'kubectl':
        return this.#kubectl(action.line, state, change);
      case 'interrupt':
        change((now) => print(now, [{ kind: 'note', text: wordsOf(now.lang).notices.interrupted }]));
        await live.interrupt();
        return this.#toEnd(change);
      case 'pass':
        return this.#pass(action.until, state, change);
      case 'fault': {
        const own = await this.#atPresent(state, change);
        const problem = await own.fault(action.fault);
        if (problem) return change((now) => ({ ...now, notice: problem }));
        return this.#toEnd(change);
      }
      case 'visit':
        return this.#visit(action, state, change);
      case 'load':
        await (await this.#atPresent(state, change)).load(action.load);
        return this.#toEnd(change);
      case 'fork':
        await this.#fork(state.cursor, change);
        return;
      case 'undo':
        return this.#undo(change);
      case 'redo': {
        const before = this.#undone.get(this.session);
        return before ? this.#switch(before, change) : change((now) => ({ ...now, notice: wordsOf(now.lang).notices.noRedo }));
      }
      case 'branch':
        return this.#toBranch(action.name, change);
      case 'name':
        this.session.name = action.name;
        return change((now) => ({ ...now, notice: wordsOf(now.lang).notices.branchNow(action.name) }));
      case 'save':
        return this.#write(action.file || `${slug(this.session)}.run.json`, () => live.record(), change);
      case 'export':
        return this.#write(action.file || `${slug(this.session)}.test.ts`, () => exportTest(live, this.session.run), change);
    }
  }

  /** The cluster at the moment that is looked at: the running one at its newest moment, else a branch that begins here. */
  async #atPresent(state: UiState, change: Change): Promise<LiveRun> {
    if (!isAtEnd(state, this.session)) await this.#fork(state.cursor, change);
    return this.session.live as LiveRun;
  }

  async #kubectl(line: string, state: UiState, change: Change): Promise<void> {
    const { notices, views } = wordsOf(state.lang);
    change((now) => print({ ...now, consoleOpen: true }, [{ kind: 'prompt', text: line }]));
    const words = splitWords(line);
    if (!words) return change((now) => print(now, [{ kind: 'error', text: notices.unknownQuote }]));
    const args = words[0] === 'kubectl' || words[0] === 'k' ? words.slice(1) : words;
    const files = Object.fromEntries(fileNames(args).flatMap((name) => this.#read(name)));
    const onLine = (text: string, stream: 'stdout' | 'stderr'): void =>
      change((now) => print(now, [{ kind: stream === 'stdout' ? 'out' : 'error', text }]));
    if (isQuestion(args) && !isAtEnd(state, this.session)) {
      const entry = entryAt(this.session.run, state.cursor);
      change((now) => print(now, [{ kind: 'note', text: views.consoleAt(state.cursor, formatVirtualTime(entry?.time ?? 0)) }]));
      const past = await (this.session.live as LiveRun).fork(state.cursor, this.session.title);
      await past.kubectl({ line, args, files }, onLine);
      return;
    }
    const live = await this.#atPresent(state, change);
    const job = await live.kubectl({ line, args, files }, onLine);
    if (!job.ended) change((now) => print(now, [{ kind: 'note', text: notices.stillRuns(line) }]));
    else
      await job.result.then(
        (result: KubectlResult) => result,
        () => undefined,
      );
    this.#toEnd(change);
  }

  #read(name: string): [string, string][] {
    const text = this.#files?.read(name);
    return text === undefined ? [] : [[name, text]];
  }

  async #pass(until: Extract<Action, { do: 'pass' }>['until'], state: UiState, change: Change): Promise<void> {
    const live = this.session.live as LiveRun;
    const { notices } = wordsOf(state.lang);
    const { session } = this;
    if (typeof until === 'number') {
      await live.runUntil(() => false, until);
      this.#toEnd(change);
      return change((now) => ({ ...now, notice: notices.waited(formatVirtualTime(live.cluster.simulation.now)) }));
    }
    if (until === 'settled') {
      await live.settle();
      return this.#toEnd(change);
    }
    if (until === 'breakpoint') return this.#passToBreakpoint(state, change);
    const before = session.rows(state.all).count;
    const grown = (): boolean => {
      session.timeline.extend();
      return session.rows(state.all).count > before;
    };
    const within = live.busy ? LONGEST_MS : QUIET_MS;
    const found = await live.runUntil(grown, within);
    const row = session.rows(state.all).rowOf(state.cursor) + 1;
    const entry = entryAt(session.run, session.rows(state.all).at(row));
    const hit = found && entry ? breakpointAt(state.breaks, session.run, entry) : undefined;
    change((now) => {
      if (!found) return { ...now, playing: false, notice: notices.quiet(within / 1000) };
      const there = toRow(now, session, row);
      return hit ? { ...there, playing: false, notice: notices.breakAt(hit.text) } : there;
    });
  }

  async #passToBreakpoint(state: UiState, change: Change): Promise<void> {
    const { session } = this;
    const live = session.live as LiveRun;
    let looked = session.timeline.last;
    let found: { seq: number; text: string } | undefined;
    const hit = (): boolean => {
      for (; !found && looked < live.cluster.simulation.trace.last; looked++) {
        const entry = entryAt(session.run, looked + 1);
        const fits = entry && breakpointAt(state.breaks, session.run, entry);
        if (entry && fits) found = { seq: entry.seq, text: fits.text };
      }
      return found !== undefined;
    };
    await live.runUntil(hit, LONGEST_MS);
    session.timeline.extend();
    const { breakAt, breakNone } = wordsOf(state.lang).notices;
    const end = found;
    change((now) =>
      end
        ? { ...toSeq(now, session, end.seq), notice: breakAt(end.text) }
        : { ...toRow(now, session, Number.MAX_SAFE_INTEGER), notice: breakNone },
    );
  }

  async #visit({ host, port, path }: Extract<Action, { do: 'visit' }>, state: UiState, change: Change): Promise<void> {
    const live = await this.#atPresent(state, change);
    await live.visit(visitByHand(live.cluster.serviceNetwork, { host, port, path }));
    this.#toEnd(change);
    change((now) => open({ ...now, overlay: undefined }, 'connection'));
  }

  async #fork(cursor: number, change: Change): Promise<void> {
    const parent = this.session;
    const taken = new Set(this.branches.map(({ name }) => name));
    let name = '';
    do name = `what-if-${++this.#forks}`;
    while (taken.has(name));
    const live = await (parent.live as LiveRun).fork(cursor, parent.title);
    const session = new Session({
      run: live.view,
      title: parent.title,
      live,
      truth: parent.truth,
      lessons: parent.lessons,
      family: this,
      name,
      forkedAt: cursor,
    });
    this.branches.push(session);
    this.session = session;
    change((now) => ({ ...toSeq(now, session, cursor), notice: wordsOf(now.lang).notices.branchMade(name, cursor) }));
  }

  async #undo(change: Change): Promise<void> {
    const { session } = this;
    const last = session.timeline.marks.findLast(({ seq, kind, text }) => kind !== 'crash' && seq > 1 && changesSomething(text));
    if (!last) return change((now) => ({ ...now, notice: wordsOf(now.lang).notices.noUndo }));
    await this.#fork(last.seq - 1, change);
    this.#undone.set(this.session, session);
  }

  #toBranch(name: string, change: Change): void {
    const found = this.branches.find((branch) => branch.name === name);
    const names = this.branches.map((branch) => branch.name).join(', ');
    if (found) this.#switch(found, change);
    else change((now) => ({ ...now, notice: wordsOf(now.lang).notices.noBranch(name, names) }));
  }

  #switch(session: Session, change: Change): void {
    this.session = session;
    change((now) => ({
      ...toRow(now, session, Number.MAX_SAFE_INTEGER),
      notice: wordsOf(now.lang).notices.branchNow(session.name),
    }));
  }

  #toEnd(change: Change): void {
    const { session } = this;
    session.timeline.extend();
    change((now) => ({ ...toRow(now, session, Number.MAX_SAFE_INTEGER), playing: false }));
  }

  #write(file: string, text: () => string, change: Change): void {
    try {
      this.#files?.write(file, text());
      change((now) => ({ ...now, notice: wordsOf(now.lang).notices.saved(file) }));
    } catch (error) {
      change((now) => ({ ...now, notice: wordsOf(now.lang).notices.notSaved((error as Error).message) }));
    }
  }
}

function print(state: UiState, lines: readonly ConsoleLine[]): UiState {
  const split = lines.flatMap(({ kind, text }) => text.split('\n').map((part) => ({ kind, text: part })));
  return { ...state, console: [...state.console, ...split].slice(-MAX_LINES), consoleScroll: 0 };
}

function slug({ title, name }: Session): string {
  const words = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return `${words || 'run'}${name === 'main' ? '' : `-${name}`}`;
}

import type { TraceEntry } from '../../sim/trace.ts';
import type { LiveRun } from '../live/live-run.ts';
import { breakpointAt } from '../model/breakpoints.ts';
import { foldTree, objectKey, ownerTree, type TreeRow } from '../model/owner-tree.ts';
import { type Rows, rowsOf } from '../model/rows.ts';
import { entryAt, type RunView, type WriteEntry } from '../model/run-view.ts';
import { Timeline } from '../model/timeline.ts';
import type { KnownName } from './complete-kubectl.ts';
import type { Breakpoint, UiState } from './ui-state.ts';

/** What is to be seen at one moment of a run. */
export interface Moment {
  readonly entry: TraceEntry | undefined;
  readonly rows: Rows;
  /** The row of the cursor; -1 before the first. */
  readonly row: number;
  readonly revision: number;
  readonly tree: readonly TreeRow[];
  /** The object that this entry is about. */
  readonly touched: string | undefined;
  /** The selected row of the tree; -1 when there is none. */
  readonly selected: number;
}

/** The runs that began as one, in the order in which they left it. */
export interface Family {
  readonly branches: readonly Session[];
}

export interface SessionOptions {
  readonly run: RunView;
  readonly title: string;
  readonly truth?: readonly string[];
  /** Numbers and names of the lessons that `:lesson` leads to. */
  readonly lessons?: readonly string[];
  /** The cluster behind the run, while it goes on. */
  readonly live?: LiveRun | undefined;
  readonly family?: Family;
  readonly name?: string;
  /** The last entry that it has in common with the run that it left. */
  readonly forkedAt?: number;
}

/** One run on the screen: the run with its index, and what has been worked out for the moment that was drawn last. */
export class Session {
  readonly run: RunView;
  readonly title: string;
  readonly timeline: Timeline;
  readonly live: LiveRun | undefined;
  readonly family: Family;
  readonly forkedAt: number | undefined;
  /** The branch's name. */
  name: string;
  /** Simplifications that `:truth` lists. */
  readonly truth: readonly string[];
  readonly lessons: readonly string[];
  #breaks: { breaks: readonly Breakpoint[]; last: number; hits: readonly number[] } | undefined;
  #tree: { revision: number; all: boolean; folded: readonly string[]; rows: readonly TreeRow[] } | undefined;

  constructor(options: SessionOptions) {
    this.run = options.run;
    this.title = options.title;
    this.truth = options.truth ?? [];
    this.lessons = options.lessons ?? [];
    this.live = options.live;
    this.name = options.name ?? 'main';
    this.forkedAt = options.forkedAt;
    this.family = options.family ?? { branches: [this] };
    this.timeline = new Timeline(options.run);
  }

  rows(all: boolean): Rows {
    return rowsOf(this.timeline, all);
  }

  momentOf(state: Pick<UiState, 'cursor' | 'all' | 'selected' | 'folded'>): Moment {
    const rows = this.rows(state.all);
    const row = rows.rowOf(state.cursor);
    const entry = row < 0 ? undefined : entryAt(this.run, rows.at(row));
    const revision = entry ? this.timeline.revisionAt(entry.seq) : 0;
    const tree = this.#treeAt(revision, state);
    const touched = touchedObject(entry);
    const wanted = state.selected ?? touched;
    const selected = tree.findIndex(({ key }) => key === wanted);
    return {
      entry,
      rows,
      row,
      revision,
      tree,
      touched,
      selected: selected < 0 && state.selected ? tree.findIndex(({ key }) => key === touched) : selected,
    };
  }

  /** Names that a person may want to type at this moment. */
  namesAt(state: Pick<UiState, 'cursor' | 'all'>): readonly KnownName[] {
    const { cursor } = state;
    return this.run
      .listObjects(this.timeline.revisionAt(cursor))
      .map(({ kind = '', metadata }) => ({ kind, namespace: metadata.namespace, name: metadata.name ?? '' }));
  }

  /** The chosen entries that fit a breakpoint. */
  breakHits(breaks: readonly Breakpoint[]): readonly number[] {
    const { last, rows } = this.timeline;
    if (breaks.length === 0) return [];
    if (this.#breaks?.breaks !== breaks || this.#breaks.last !== last) {
      const hits = rows.filter((seq) => {
        const entry = entryAt(this.run, seq);
        return entry !== undefined && breakpointAt(breaks, this.run, entry) !== undefined;
      });
      this.#breaks = { breaks, last, hits };
    }
    return this.#breaks.hits;
  }

  #treeAt(revision: number, { all, folded }: Pick<UiState, 'all' | 'folded'>): readonly TreeRow[] {
    if (this.#tree?.revision !== revision || this.#tree.all !== all || this.#tree.folded !== folded) {
      this.#tree = { revision, all, folded, rows: foldTree(ownerTree(this.run.listObjects(revision), all), folded) };
    }
    return this.#tree.rows;
  }
}

/** The write whose change is of interest at this entry: its own, or the one that it tells of. */
export function writeInView(run: RunView, entry: TraceEntry | undefined): WriteEntry | undefined {
  for (let at = entry; at; at = at.cause < at.seq ? entryAt(run, at.cause) : undefined) {
    if (at.kind === 'write') return at;
    if (at.kind === 'input') return undefined;
  }
  return undefined;
}

function touchedObject(entry: TraceEntry | undefined): string | undefined {
  if (!entry) return undefined;
  if (entry.kind === 'reconcile') return undefined;
  return 'object' in entry && entry.object ? objectKey(entry.object) : undefined;
}

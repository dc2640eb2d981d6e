import type { ClusterConfig } from '../cluster/config.ts';
import type { Fault } from '../cluster/faults.ts';
import type { Load } from '../cluster/load.ts';
import type { Matcher } from '../scenario/matcher.ts';
import type { Step as Action } from '../scenario/scenario.ts';
import type { Check, Selection } from './check.ts';

/** A lesson as its file says; language-free. Plain data. */
export interface Lesson {
  /** Stable: progress and texts refer to it. */
  readonly id: string;
  readonly requires: readonly string[];
  readonly minutes: number;
  readonly concepts: readonly string[];
  readonly cluster: LessonCluster;
  /** The same lesson on other clusters: how a missed prediction comes back. */
  readonly variants: readonly LessonCluster[];
  /** Lanes of the stage that matter, in order. */
  readonly lanes: readonly string[];
  /** Verbs of kubectl that the learner may use where a step asks for commands. Reading is always allowed. */
  readonly allow: readonly string[];
  readonly steps: readonly LessonStep[];
  readonly mistakes: readonly Mistake[];
  readonly tests: LessonTests;
  /** Manifests beside the lesson that a learner may name after `-f`. */
  readonly files: Readonly<Record<string, string>>;
  /** Of everything that decides how a run goes: an old run file no longer fits when it differs. */
  readonly hash: string;
}

export interface LessonCluster {
  readonly config: ClusterConfig;
  /** Custom controllers that run in it, of `LESSON_CONTROLLERS`. */
  readonly customControllers: readonly string[];
  /** Done before the lesson begins. */
  readonly setup: readonly Action[];
  readonly picks: readonly Pick[];
}

/** Names something for `{name}` in commands, checks and texts. */
export interface Pick {
  readonly name: string;
  readonly of: Selection;
  /** The newest that fits instead of the first by name. */
  readonly newest: boolean;
  /** A field's value instead of the object's name. */
  readonly path?: string;
}

/** Until when time runs. */
export type Until =
  | { readonly until: 'settled'; readonly withinMs: number }
  | { readonly until: 'event'; readonly event: Matcher; readonly withinMs: number }
  | { readonly until: 'check'; readonly check: Check; readonly withinMs: number }
  | { readonly until: 'time'; readonly ms: number };

export interface StepBase {
  readonly id: string;
  readonly picks: readonly Pick[];
  /** Where to go on, instead of the next step of the file. */
  readonly next?: string;
  readonly branches: readonly Branch[];
}

export interface Branch {
  /** Absent: always. */
  readonly when?: { readonly wrong: number } | { readonly missed: string } | { readonly check: Check };
  readonly goto: string;
}

export type LessonStep = StepBase & StepBody;

/** What is particular to each kind of step. */
export type StepBody =
  | { readonly step: 'narrate'; readonly focus: readonly string[] }
  | {
      readonly step: 'run';
      readonly expect: string;
      readonly accept: readonly string[];
      /** Any command that brings this about will do. */
      readonly check?: Check;
      readonly stopAt: Until;
    }
  | { readonly step: 'advance'; readonly stopAt: Until }
  | { readonly step: 'fault'; readonly faults: readonly Fault[]; readonly stopAt: Until }
  | { readonly step: 'load'; readonly loads: readonly Load[]; readonly stopAt: Until }
  | { readonly step: 'predict'; readonly predict: Prediction }
  | { readonly step: 'quiz'; readonly questions: readonly Question[]; readonly draw: number }
  | { readonly step: 'task'; readonly check: Check }
  | { readonly step: 'check'; readonly check: Check; readonly since?: string }
  | { readonly step: 'control'; readonly control: Control }
  | { readonly step: 'reconcile'; readonly reconcile: ReconcileTask }
  | { readonly step: 'replay'; readonly from: string; readonly to: string }
  | { readonly step: 'debrief'; readonly show: readonly DebriefPart[] };

export type StepKind = LessonStep['step'];
export const DEBRIEF_PARTS = ['predictions', 'mistakes', 'hints', 'links'] as const;
export type DebriefPart = (typeof DEBRIEF_PARTS)[number];

/** What the learner foretells. The truth is found by running a fork; nothing says it. */
export interface Prediction {
  readonly ask: PredictionAsk;
  /** Lanes under the veil, besides the future. */
  readonly hide: readonly string[];
  readonly confidence: boolean;
  /** What happens in the fork. */
  readonly future: readonly Action[];
  /** The verdict is told at the end of this step. Absent: at once. */
  readonly revealAt?: string;
}

export type PredictionAsk =
  /** Each option is a claim about the fork; exactly one holds. */
  | { readonly kind: 'choice'; readonly options: Readonly<Record<string, Check>> }
  /** Who does it. */
  | { readonly kind: 'lane'; readonly event: Matcher; readonly options: readonly string[] }
  /** In which order these happen. */
  | { readonly kind: 'order'; readonly items: Readonly<Record<string, Matcher>> }
  | { readonly kind: 'number'; readonly measure: Measure; readonly tolerance: number }
  /** Which object, by name (or by the value of a field). */
  | { readonly kind: 'object'; readonly measure: Measure; readonly options: readonly string[] };

/** Something that can be read off a run. */
export type Measure =
  /** How many objects fit: at the end, or the most or fewest at any moment. */
  | { readonly measure: 'count'; readonly of: Selection; readonly when: 'end' | 'most' | 'fewest' }
  | { readonly measure: 'times'; readonly event: Matcher }
  /** Seconds from one event (or the fork) to another. */
  | { readonly measure: 'seconds'; readonly from?: Matcher; readonly to: Matcher }
  /** A field of the first object that fits, at the end. Without `path`: its name. */
  | { readonly measure: 'field'; readonly of: Selection; readonly path?: string; readonly newest: boolean }
  /** A field of the object that the first such event wrote. Without `path`: its name. */
  | { readonly measure: 'event'; readonly event: Matcher; readonly path?: string };

/** A question about what is known already. */
export type Question = { readonly id: string } /** `true`, `false`, or a claim about the run so far; exactly one holds. */ & (
  | { readonly kind: 'choice'; readonly options: Readonly<Record<string, boolean | Check>> }
  | { readonly kind: 'lane'; readonly options: readonly string[]; readonly answer: string }
  /** Items in the right order; with `events`, in the order in which these happened in the run so far. */
  | { readonly kind: 'order'; readonly items: readonly string[]; readonly events?: Readonly<Record<string, Matcher>> }
  | { readonly kind: 'number'; readonly answer: number | Measure; readonly tolerance: number }
  | { readonly kind: 'object'; readonly options: readonly string[]; readonly answer: string }
);

/** The learner answers the reconcile call of one component. */
export interface Control {
  /** As who it writes, e.g. `replicaset-controller`. */
  readonly by: string;
  /** Kinds whose writes count. */
  readonly kinds: readonly string[];
  /** What may be chosen, e.g. `create Pod`, `delete Pod`. `nothing` is always there. */
  readonly actions: readonly string[];
  /** What happens in the fork; its writes until all is settled are the answer. */
  readonly future: readonly Action[];
}

/** The learner writes the reconcile of the controller `mine`, line by line. */
export interface ReconcileTask {
  readonly check: Check;
  /** What it is tested with: this happens in a fork, and the check is judged there. Empty: the check is judged in the run itself. */
  readonly future: readonly Action[];
}

/** A known wrong way, with a reply of its own in the texts. */
export interface Mistake {
  readonly id: string;
  readonly when: Check;
  /** Only at these steps. */
  readonly at?: readonly string[];
}

export interface LessonTests {
  /** Commands for the steps of kind `task` and `check`. All other steps answer themselves. */
  readonly solution: Readonly<Record<string, readonly string[]>>;
  readonly mustFail: readonly MustFail[];
}

export interface MustFail {
  readonly at: string;
  readonly commands: readonly string[];
  /** The reply that the learner gets. */
  readonly mistake?: string;
}

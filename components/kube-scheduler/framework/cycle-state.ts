/** What a plugin keeps from one extension point of a cycle to the next: framework.StateData. */
export interface StateData {
  /** A copy for what-if runs; may return itself when nothing in it changes. */
  clone(): StateData;
}

/** Names a piece of state and its type. */
export class StateKey<T extends StateData> {
  readonly name: string;
  /** Holds the type; never set. */
  declare readonly type: T;

  constructor(name: string) {
    this.name = name;
  }
}

/** The memory of one scheduling cycle: framework.CycleState (pkg/scheduler/framework/cycle_state.go). */
export class CycleState {
  readonly #data = new Map<StateKey<StateData>, StateData>();
  /** Plugins whose PreFilter had nothing to check. */
  skipFilterPlugins: ReadonlySet<string> = EMPTY;
  /** Plugins whose PreScore had nothing to weigh. */
  skipScorePlugins: ReadonlySet<string> = EMPTY;
  /** Plugins with nothing to do before binding. */
  skipPreBindPlugins: ReadonlySet<string> = EMPTY;

  read<T extends StateData>(key: StateKey<T>): T | undefined {
    return this.#data.get(key as unknown as StateKey<StateData>) as T | undefined;
  }

  write<T extends StateData>(key: StateKey<T>, value: T): void {
    this.#data.set(key as unknown as StateKey<StateData>, value);
  }

  clone(): CycleState {
    const copy = new CycleState();
    for (const [key, value] of this.#data) copy.#data.set(key, value.clone());
    copy.skipFilterPlugins = this.skipFilterPlugins;
    copy.skipScorePlugins = this.skipScorePlugins;
    copy.skipPreBindPlugins = this.skipPreBindPlugins;
    return copy;
  }
}

const EMPTY: ReadonlySet<string> = new Set();

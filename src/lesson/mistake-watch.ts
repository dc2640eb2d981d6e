import type { Check } from './check.ts';
import type { Mistake } from './lesson.ts';

/** Notices known mistakes, each once until it has been put right. */
export class MistakeWatch {
  readonly #mistakes: readonly Mistake[];
  readonly #present = new Set<string>();

  constructor(mistakes: readonly Mistake[]) {
    this.#mistakes = mistakes;
  }

  /** Looks at the run after a command at `step`; returns which mistakes are new. */
  look(step: string, holds: (check: Check) => boolean): string[] {
    const before = new Set(this.#present);
    for (const { id, when, at } of this.#mistakes) {
      if ((!at || at.includes(step)) && holds(when)) this.#present.add(id);
      else this.#present.delete(id);
    }
    return [...this.#present].filter((id) => !before.has(id));
  }
}

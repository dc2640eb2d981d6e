import type { KubernetesObject } from '../../api/object.ts';
import type { ObjectReference, TraceEntry } from '../../sim/trace.ts';
import type { RunView } from './run-view.ts';

/** One version of an object; `object` is undefined where it was deleted. */
export interface ObjectVersion {
  readonly reference: ObjectReference;
  readonly revision: number;
  readonly object: KubernetesObject | undefined;
}

interface History {
  readonly revisions: number[];
  readonly objects: (KubernetesObject | undefined)[];
}

/** A run over plain arrays: recordings read from a file, and tests. */
export class ArrayRunView implements RunView {
  readonly entries: TraceEntry[];
  readonly epoch: number;
  readonly #histories = new Map<string, History>();

  constructor(options: { entries: TraceEntry[]; epoch: number; versions: readonly ObjectVersion[] }) {
    this.entries = options.entries;
    this.epoch = options.epoch;
    for (const version of options.versions) this.addVersion(version);
  }

  /** Versions of an object come in order of revision. */
  addVersion(version: ObjectVersion): void {
    const key = keyOf(version.reference);
    let history = this.#histories.get(key);
    if (!history) {
      history = { revisions: [], objects: [] };
      this.#histories.set(key, history);
    }
    history.revisions.push(version.revision);
    history.objects.push(version.object);
  }

  readObject(reference: ObjectReference, revision: number): KubernetesObject | undefined {
    const history = this.#histories.get(keyOf(reference));
    return history && objectAt(history, revision);
  }

  listObjects(revision: number): readonly KubernetesObject[] {
    const objects: KubernetesObject[] = [];
    for (const history of this.#histories.values()) {
      const object = objectAt(history, revision);
      if (object) objects.push(object);
    }
    return objects;
  }
}

function keyOf({ group, resource, namespace = '', name }: ObjectReference): string {
  return `${group}/${resource}/${namespace}/${name}`;
}

function objectAt({ revisions, objects }: History, revision: number): KubernetesObject | undefined {
  let low = 0;
  let high = revisions.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((revisions[middle] ?? 0) <= revision) low = middle + 1;
    else high = middle;
  }
  return objects[low - 1];
}

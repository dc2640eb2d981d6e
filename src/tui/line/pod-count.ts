import type { Pod } from '../../api/kinds/core-v1.ts';
import type { KubernetesObject } from '../../api/object.ts';
import { numberField } from '../model/field.ts';
import { isPodActive } from '../model/pod-status.ts';
import { type RunView, readWrite, type WriteEntry } from '../model/run-view.ts';

const OWNERS = new Set(['ReplicaSet', 'ReplicationController', 'StatefulSet']);

/** What there was before a pod was made or taken by its owner. */
export interface PodNote {
  readonly kind: 'had' | 'had too many';
  readonly count: number;
  readonly wanted: number;
}

/** Keeps count, write by write, of how many active pods each ReplicaSet or StatefulSet has and wants. */
export class PodCount {
  readonly #active = new Map<string, number>();
  readonly #wanted = new Map<string, number>();

  /** Takes in a write. Returns what there was to be seen before it, for a pod that is made or taken by its owner. */
  take(run: RunView, write: WriteEntry): PodNote | undefined {
    const { kind } = write.object;
    if (kind !== 'Pod' && !OWNERS.has(kind)) return undefined;
    const { before, after } = readWrite(run, write);
    if (kind !== 'Pod') {
      const uid = (after ?? before)?.metadata.uid ?? '';
      if (after) this.#wanted.set(uid, numberField(after, 'spec', 'replicas') ?? 1);
      return undefined;
    }
    const owner = ownerOf(after ?? before);
    if (!owner) return undefined;
    const had = this.#active.get(owner) ?? 0;
    const difference = Number(isActive(after)) - Number(isActive(before));
    if (difference !== 0) this.#active.set(owner, had + difference);
    const want = this.#wanted.get(owner);
    if (want === undefined) return undefined;
    if (write.verb === 'create') return { kind: 'had', count: had, wanted: want };
    return difference < 0 && had > want ? { kind: 'had too many', count: had, wanted: want } : undefined;
  }
}

function ownerOf(object: KubernetesObject | undefined): string | undefined {
  const owner = object?.metadata.ownerReferences?.find((reference) => reference.controller);
  return owner && OWNERS.has(owner.kind) ? owner.uid : undefined;
}

function isActive(object: KubernetesObject | undefined): boolean {
  return object !== undefined && isPodActive(object as Pod);
}

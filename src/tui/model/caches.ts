import type { Pod } from '../../api/kinds/core-v1.ts';
import type { ObjectReference, TraceEntry } from '../../sim/trace.ts';
import { isHeartbeat } from './noise.ts';
import type { RunView, WriteEntry } from './run-view.ts';
import { isPerson } from './who.ts';

/** What one component knows of the store at a moment. */
export interface CacheState {
  readonly actor: string;
  /** The newest revision that it has heard of; 0 for none. */
  readonly revision: number;
  /** The newest write of each object that it has not heard of yet, oldest first. */
  readonly behind: readonly WriteEntry[];
  /** The revision of each object, by `keyOf`, as it was last told. */
  readonly seen: ReadonlyMap<string, number>;
}

interface Watcher {
  /** When it last listed or began to watch a resource: what was written before is in that list. */
  readonly since: Map<string, number>;
  readonly seen: Map<string, number>;
  revision: number;
}

export function cacheKey({ group, resource, namespace = '', name }: ObjectReference): string {
  return `${group}/${resource}/${namespace}/${name}`;
}

/** Every component's cache right after entry `cursor`, as the trace tells: what was delivered, against what was written. */
export function cachesAt(run: RunView, cursor: number): CacheState[] {
  const watchers = new Map<string, Watcher>();
  const newest = new Map<string, WriteEntry>();
  for (const entry of run.entries) {
    if (entry.seq > cursor) break;
    if (entry.kind === 'write') newest.set(cacheKey(entry.object), entry);
    else take(watchers, entry);
  }
  const writes = [...newest.values()].filter(({ object }) => !isHeartbeat(object)).sort((a, b) => a.revision - b.revision);
  return [...watchers]
    .filter(([actor, { since }]) => since.size > 0 && !isPerson(actor))
    .map(([actor, { since, seen, revision }]) => ({
      actor,
      revision,
      seen,
      behind: writes.filter((write) => isUnknown(run, write, { actor, since, seen })),
    }))
    .sort((a, b) => (a.actor < b.actor ? -1 : 1));
}

function take(watchers: Map<string, Watcher>, entry: TraceEntry): void {
  if (entry.kind !== 'watch' && entry.kind !== 'request' && entry.kind !== 'actor') return;
  let watcher = watchers.get(entry.actor);
  // What a process knew ends with it.
  if (!watcher || (entry.kind === 'actor' && entry.what !== 'paused' && entry.what !== 'resumed')) {
    watcher = { since: new Map(), seen: new Map(), revision: 0 };
    watchers.set(entry.actor, watcher);
  }
  if (entry.kind === 'watch') {
    watcher.seen.set(cacheKey(entry.object), entry.revision);
    watcher.revision = Math.max(watcher.revision, entry.revision);
  } else if (entry.kind === 'request' && (entry.verb === 'list' || entry.verb === 'watch')) {
    const resource = `${entry.object.group}/${entry.object.resource}`;
    if (entry.verb === 'list' || !watcher.since.has(resource)) watcher.since.set(resource, entry.seq);
  }
}

function isUnknown(run: RunView, write: WriteEntry, watcher: { actor: string } & Pick<Watcher, 'since' | 'seen'>): boolean {
  const { object } = write;
  const since = watcher.since.get(`${object.group}/${object.resource}`);
  if (since === undefined || write.seq < since) return false;
  const known = watcher.seen.get(cacheKey(object));
  if (known !== undefined) return known < write.revision;
  return write.verb !== 'delete' && isMeantFor(run, write, watcher.actor);
}

/** What runs on a node only watches that Node, and a kubelet the pods of its own; everyone else watches all objects of a resource. */
function isMeantFor(run: RunView, write: WriteEntry, actor: string): boolean {
  const [component, node] = actor.split('/');
  if (node !== undefined && write.object.kind === 'Node') return write.object.name === node;
  if (component !== 'kubelet') return true;
  if (write.object.kind !== 'Pod') return false;
  return (run.readObject(write.object, write.revision) as Pod | undefined)?.spec?.nodeName === node;
}

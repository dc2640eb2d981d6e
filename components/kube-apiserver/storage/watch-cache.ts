import type { KubernetesObject } from '../../../src/api/object.ts';
import type { WatchEvent, WatchSink, WatchSource } from '../../../src/api/request.ts';
import { apiVersionOf, type Resource } from '../../../src/api/resource.ts';
import type { Etcd } from '../../etcd/etcd.ts';
import type { Keyspace, Version } from '../../etcd/keyspace.ts';
import { attachOwners, ownersOf } from '../managedfields/field-owners.ts';
import type { Selection } from './selection.ts';

export interface WatchRequest<T extends KubernetesObject> {
  /** '' for all namespaces. */
  readonly namespace: string;
  readonly selection: Selection<T>;
  /** Changes after this revision are delivered; absent: the objects that exist, then changes. */
  readonly since?: number;
  /** Ends the initial objects with a bookmark that says so. */
  readonly initialEventsEnd?: boolean;
}

/** An open watch: gets the changes of what it selects, in order. */
export interface Watcher {
  readonly sink: WatchSink;
  /** Revision of the last change that was looked at on behalf of this watch. */
  lastRevision: number;
}

interface IndexedWatcher<T extends KubernetesObject> extends Watcher {
  /** Changes up to here are not delivered. */
  readonly since: number;
  readonly namespace: string;
  readonly selection: Selection<T>;
}

/** The events that one change can be for its watchers; made when the first watcher asks, shared by all. */
class Change<T extends KubernetesObject> {
  readonly version: Version<T>;
  readonly #events: { -readonly [K in 'ADDED' | 'MODIFIED' | 'DELETED']?: WatchEvent<T> } = {};

  constructor(version: Version<T>) {
    this.version = version;
  }

  get object(): T | undefined {
    return this.version.value;
  }

  get old(): T | undefined {
    return this.version.previous?.value;
  }

  /** What this change is for a watcher with this selection: nothing, or one event. */
  eventFor(selection: Selection<T>): WatchEvent<T> | undefined {
    const { object, old } = this;
    const now = object !== undefined && selection.matches(object);
    const before = old !== undefined && selection.matches(old);
    if (now) return this.#event(before ? 'MODIFIED' : 'ADDED');
    return before ? this.#event('DELETED') : undefined;
  }

  #event(type: 'ADDED' | 'MODIFIED' | 'DELETED'): WatchEvent<T> {
    let event = this.#events[type];
    if (!event) {
      const { revision } = this.version;
      const object = type === 'DELETED' ? atRevision(this.old as T, revision) : (this.object as T);
      event = { type, object, revision };
      this.#events[type] = event;
    }
    return event;
  }
}

/** The last state of an object under the revision of its deletion. */
export function atRevision<T extends KubernetesObject>(object: T, revision: number): T {
  const metadata = { ...object.metadata, resourceVersion: String(revision) };
  attachOwners(metadata, ownersOf(object));
  return Object.freeze({ ...object, metadata: Object.freeze(metadata) });
}

/**
 * Hands the changes of one resource to the watches on it. Watches are indexed by what they can match at most (one object, one node's pods, one
 * namespace, anything), so that a change costs only those that may care. apiserver pkg/storage/cacher.Cacher
 */
export class WatchCache<T extends KubernetesObject = KubernetesObject> {
  readonly #resource: Resource<T>;
  readonly #keyspace: Keyspace<T>;
  readonly #etcd: Etcd;
  readonly #nodeNameOf: ((object: T) => string) | undefined;
  /** Revision of the last change of the resource. */
  lastRevision: number;
  readonly #watchers = new Map<string, Set<IndexedWatcher<T>>>();

  constructor(options: {
    resource: Resource<T>;
    keyspace: Keyspace<T>;
    etcd: Etcd;
    selectableFields: Readonly<Record<string, (object: T) => string>>;
  }) {
    this.#resource = options.resource;
    this.#keyspace = options.keyspace;
    this.#etcd = options.etcd;
    this.lastRevision = options.etcd.revision;
    this.#nodeNameOf = options.selectableFields['spec.nodeName'];
    this.#keyspace.watch((version) => this.#dispatch(version));
  }

  /** A watch that begins when it is started; what happens between now and then is not lost. */
  watch(request: WatchRequest<T>): WatchSource & { readonly watcher: () => Watcher | undefined } {
    const since = request.since ?? this.#etcd.revision;
    const initial = request.since === undefined ? this.#initialEvents(request) : [];
    let watcher: IndexedWatcher<T> | undefined;
    let stopped = false;
    const index = this.#indexOf(request);
    return {
      watcher: () => watcher,
      start: (sink) => {
        watcher = {
          sink,
          since,
          lastRevision: Math.min(since, this.#etcd.revision),
          namespace: request.namespace,
          selection: request.selection,
        };
        for (const event of initial) if (!stopped) sink.next(event);
        for (const version of this.#keyspace.since(since)) if (!stopped) this.#offer(watcher, new Change(version));
        if (!stopped) this.#register(index, watcher);
      },
      stop: () => {
        stopped = true;
        if (watcher) this.#unregister(index, watcher);
      },
    };
  }

  /** Ends every watch, e.g. because what is served has changed. */
  terminateAll(): void {
    const watchers = [...this.#watchers.values()].flatMap((set) => [...set]);
    this.#watchers.clear();
    for (const { sink } of watchers) sink.end();
  }

  /** The object of a bookmark. */
  bookmark(revision: number, initialEventsEnd = false): WatchEvent {
    const annotations = initialEventsEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {};
    const metadata = { resourceVersion: String(revision), ...annotations };
    return { type: 'BOOKMARK', object: { kind: this.#resource.kind, apiVersion: apiVersionOf(this.#resource), metadata }, revision };
  }

  #initialEvents({ namespace, selection, initialEventsEnd }: WatchRequest<T>): WatchEvent[] {
    const { prefix } = this.#keyspace;
    const events: WatchEvent[] = [];
    for (const { value, revision } of this.#keyspace.range(namespace ? `${prefix}${namespace}/` : prefix).versions) {
      if (value && selection.matches(value)) events.push({ type: 'ADDED', object: value, revision });
    }
    if (initialEventsEnd) events.push(this.bookmark(this.#etcd.revision, true));
    return events;
  }

  #dispatch(version: Version<T>): void {
    this.lastRevision = version.revision;
    if (this.#watchers.size === 0) return;
    const change = new Change(version);
    const { namespace = '', name = '' } = (change.object ?? change.old)?.metadata ?? {};
    this.#offerTo('', change);
    if (namespace) this.#offerTo(`namespace ${namespace}`, change);
    this.#offerTo(`name ${namespace}/${name}`, change);
    if (!this.#nodeNameOf) return;
    const node = change.object ? this.#nodeNameOf(change.object) : '';
    const oldNode = change.old ? this.#nodeNameOf(change.old) : '';
    if (node) this.#offerTo(`node ${node}`, change);
    if (oldNode && oldNode !== node) this.#offerTo(`node ${oldNode}`, change);
  }

  #offerTo(index: string, change: Change<T>): void {
    const watchers = this.#watchers.get(index);
    if (watchers) for (const watcher of watchers) this.#offer(watcher, change);
  }

  #offer(watcher: IndexedWatcher<T>, change: Change<T>): void {
    if (change.version.revision <= watcher.since) return;
    watcher.lastRevision = change.version.revision;
    if (watcher.namespace && (change.object ?? change.old)?.metadata.namespace !== watcher.namespace) return;
    const event = change.eventFor(watcher.selection);
    if (event) watcher.sink.next(event);
  }

  #register(index: string, watcher: IndexedWatcher<T>): void {
    const watchers = this.#watchers.get(index) ?? new Set();
    this.#watchers.set(index, watchers);
    watchers.add(watcher);
  }

  #unregister(index: string, watcher: IndexedWatcher<T>): void {
    const watchers = this.#watchers.get(index);
    watchers?.delete(watcher);
    if (watchers?.size === 0) this.#watchers.delete(index);
  }

  /** The narrowest set of changes that holds everything the watch can match. */
  #indexOf({ namespace, selection }: WatchRequest<T>): string {
    if (selection.name !== undefined && (namespace || !this.#resource.namespaced)) return `name ${namespace}/${selection.name}`;
    const node = selection.fieldEquals('spec.nodeName');
    if (node && this.#nodeNameOf) return `node ${node}`;
    return namespace ? `namespace ${namespace}` : '';
  }
}

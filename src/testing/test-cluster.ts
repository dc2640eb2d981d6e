import { type Draft, produce } from 'immer';
import type { Event } from '../api/kinds/core-v1.ts';
import type { KubernetesObject, NamespacedName } from '../api/object.ts';
import type { Resource } from '../api/resource.ts';
import { events } from '../api/resources.ts';
import { isNotFound } from '../api/status-error.ts';
import { parseTime } from '../api/time.ts';
import type { ListOptions } from '../client/client.ts';
import type { UserController } from '../client/controller-runtime.ts';
import { retryOnConflict } from '../client/retry.ts';
import { Cluster } from '../cluster/cluster.ts';
import { addUserController } from '../cluster/components.ts';
import type { CreateClusterOptions } from '../cluster/config.ts';
import { checkFault, type Fault } from '../cluster/faults.ts';
import type { Bounds } from '../sim/simulation.ts';
import { ExpectationError } from './expectation-error.ts';
import { isReady } from './ready.ts';
import { type FailedRequest, requestRule } from './request-failure.ts';

/** How long to wait. */
export interface WaitOptions {
  /** Virtual milliseconds; 60,000 if absent. */
  readonly withinMs?: number;
}

/** Virtual milliseconds between two looks of `eventually`, at least. */
const POLL_MS = 100;
const DEFAULT_WAIT_MS = 60_000;
/** Some thousand Pods come and go in so many. */
const MAX_EVENTS = 400_000;

/** Where an object is. A bare name is one in namespace `default`; cluster-scoped resources have no namespace. */
export type Place = string | NamespacedName;

/**
 * A cluster for tests of controllers: real API semantics, the built-in controllers, time under control, faults on demand. Everything it does takes virtual time
 * only; a test of minutes runs in milliseconds.
 * @example const cluster = await createTestCluster({ userControllers: [website] }); await cluster.apply(manifest); await cluster.settle();
 */
export class TestCluster extends Cluster {
  /**
   * Runs until nothing is left to do. A controller that never comes to rest is named after `maxEvents` events, which takes seconds; give more where so much is to be done.
   * @throws BoundExceeded with the actors that kept the cluster busy
   */
  override settle(bounds: Bounds = {}): Promise<void> {
    return super.settle({ maxEvents: MAX_EVENTS, ...bounds });
  }

  /** The object, or undefined when there is none. */
  async get<T extends KubernetesObject>(resource: Resource<T>, place: Place): Promise<T | undefined> {
    try {
      return await this.call((client) => client.resource(resource).get(placed(resource, place)));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async list<T extends KubernetesObject>(resource: Resource<T>, options: ListOptions = {}): Promise<T[]> {
    const list = await this.call((client) => client.resource(resource).list(options));
    return list.items;
  }

  /** Creates the object; in namespace `default` when it names none. */
  create<T extends KubernetesObject>(resource: Resource<T>, object: T): Promise<T> {
    const namespace = resource.namespaced ? (object.metadata.namespace ?? 'default') : undefined;
    const metadata = { ...object.metadata, ...(namespace ? { namespace } : {}) };
    return this.call((client) => client.resource(resource).create({ ...object, metadata }));
  }

  /** Reads the object, changes it, writes it back; again when somebody else has written it in between. */
  edit<T extends KubernetesObject>(resource: Resource<T>, place: Place, mutate: (draft: Draft<T>) => void): Promise<T> {
    return this.call((client) =>
      retryOnConflict(client, async () => {
        const requests = client.resource(resource);
        const current = await requests.get(placed(resource, place));
        const next = produce(current, (draft) => {
          mutate(draft);
        });
        return requests.update(next);
      }),
    );
  }

  async delete(resource: Resource, place: Place): Promise<void> {
    await this.call((client) => client.resource(resource).delete(placed(resource, place)));
  }

  /** `kubectl apply` of a manifest, or of objects. @throws ExpectationError when something is refused */
  async apply<T extends KubernetesObject>(manifest: string | T | readonly T[]): Promise<void> {
    const text =
      typeof manifest === 'string'
        ? manifest
        : [manifest]
            .flat()
            .map((object) => JSON.stringify(object))
            .join('\n---\n');
    const { code, stderr } = await this.kubectl(['apply', '-f', 'manifest.yaml'], { 'manifest.yaml': text });
    if (code !== 0) throw new ExpectationError(`kubectl apply: ${stderr.join('\n')}`);
  }

  /**
   * Runs the simulation until `check` neither throws nor answers false; returns what it answers.
   * @throws what `check` threw last, when the time is over
   */
  async eventually<T>(check: () => T | Promise<T>, { withinMs = DEFAULT_WAIT_MS }: WaitOptions = {}): Promise<T> {
    const until = this.simulation.now + withinMs;
    for (;;) {
      const { value, error } = await attempt(check);
      if (error === undefined) return value as T;
      const { now, nextDue = until } = this.simulation;
      if (now >= until) throw withNote(error, `not so within ${withinMs} ms of virtual time`);
      await this.advance(Math.min(until, Math.max(now + POLL_MS, nextDue)) - now);
    }
  }

  /** Runs the simulation for `forMs` and looks at each change of time whether `check` holds all along. @throws what `check` throws */
  async consistently(check: () => unknown, forMs: number): Promise<void> {
    const until = this.simulation.now + forMs;
    for (;;) {
      const { error } = await attempt(check);
      if (error !== undefined) throw withNote(error, `not so any more at ${this.simulation.now} ms of virtual time`);
      const { now, nextDue = until } = this.simulation;
      if (now >= until) return;
      await this.advance(Math.min(until, Math.max(now + POLL_MS, nextDue)) - now);
    }
  }

  /** Runs the simulation until the object is there and does what it is for; see `isReady`. Returns it. */
  waitUntilReady<T extends KubernetesObject>(resource: Resource<T>, place: Place, options: WaitOptions = {}): Promise<T> {
    return this.waitUntil(resource, place, { ...options, fits: isReady });
  }

  /** Runs the simulation until the object is there and fits. Returns it. */
  waitUntil<T extends KubernetesObject>(
    resource: Resource<T>,
    place: Place,
    wanted: WaitOptions & { readonly fits: (object: T) => boolean },
  ): Promise<T> {
    return this.eventually(async () => {
      const object = await this.get(resource, place);
      if (!object) throw new ExpectationError(`${resource.kind} ${nameOf(place)} does not exist`);
      if (!wanted.fits(object))
        throw new ExpectationError(`${resource.kind} ${nameOf(place)} is not as expected: ${JSON.stringify(object)}`);
      return object;
    }, wanted);
  }

  /** Runs the simulation until the object is gone. */
  async waitUntilGone(resource: Resource, place: Place, options?: WaitOptions): Promise<void> {
    await this.eventually(async () => {
      if (await this.get(resource, place)) throw new ExpectationError(`${resource.kind} ${nameOf(place)} still exists`);
    }, options);
  }

  /** What has been reported about an object, oldest first, e.g. `Normal ScalingReplicaSet: Scaled up replica set web-5d8 from 0 to 3`, with ` (x2)` behind repeats. */
  async eventsOf(resource: Resource, place: Place): Promise<string[]> {
    const { name, namespace } = placed(resource, place);
    const fieldSelector = `involvedObject.kind=${resource.kind},involvedObject.name=${name}`;
    const found = await this.list(events, { namespace: namespace ?? 'default', fieldSelector });
    return found.sort((a, b) => firstSeen(a) - firstSeen(b)).map(eventLine);
  }

  /** Demands that these were reported about the object, in this order; others may stand between. `*` stands for any text. */
  async expectEvents(resource: Resource, place: Place, lines: readonly string[]): Promise<void> {
    const reported = await this.eventsOf(resource, place);
    let from = 0;
    for (const line of lines) {
      const at = reported.findIndex((each, index) => index >= from && fitsLine(line, each));
      if (at < 0)
        throw new ExpectationError(
          `expected the event "${line}" of ${resource.kind} ${nameOf(place)}; there were:\n${reported.join('\n') || '(none)'}`,
        );
      from = at + 1;
    }
  }

  /** Starts a controller of the user's, e.g. when what it looks after has been defined. */
  runController(controller: UserController): void {
    addUserController(this, controller);
  }

  /** Ends a component at once, e.g. `kube-scheduler`, `kubelet/n1`, or a controller of the user's by its name. */
  crash(component: string): void {
    this.#fault({ fault: 'crash', component: this.#processName(component) });
  }

  restart(component: string): void {
    this.#fault({ fault: 'restart', component: this.#processName(component) });
  }

  /** No message passes between the component (or everything on a node) and kube-apiserver, until `heal`. */
  partition(target: string): void {
    this.#fault({ fault: 'partition', target: this.#processName(target) });
  }

  heal(target: string): void {
    this.#fault({ fault: 'heal', target: this.#processName(target) });
  }

  /** Watch events reach the component this much later; 0 puts it right. */
  delayWatch(component: string, ms: number): void {
    this.#fault({ fault: 'delay-watch', component: this.#processName(component), ms });
  }

  /** The component's next request of this kind goes wrong. */
  failNext(component: string, failure: FailedRequest): void {
    this.network.failNext(this.#processName(component), requestRule(failure));
  }

  #fault(fault: Fault): void {
    const problem = checkFault(this, fault);
    if (problem) throw new ExpectationError(problem);
    this.fault(fault);
  }

  #processName(name: string): string {
    const own = `controller/${name}`;
    return this.simulation.actors.has(own) ? own : name;
  }
}

/** Makes a cluster for tests and runs it until its nodes are ready. Stages of requests are not traced unless asked for. */
export async function createTestCluster(options: CreateClusterOptions = {}): Promise<TestCluster> {
  const cluster = new TestCluster({ stages: false, ...options });
  await cluster.settle();
  return cluster;
}

function placed(resource: Resource, place: Place): NamespacedName {
  const { name, namespace = 'default' }: NamespacedName = typeof place === 'string' ? { name: place } : place;
  return resource.namespaced ? { name, namespace } : { name };
}

function nameOf(place: Place): string {
  return typeof place === 'string' ? place : place.name;
}

async function attempt<T>(check: () => T | Promise<T>): Promise<{ readonly value?: T; readonly error?: unknown }> {
  try {
    const value = await check();
    return value === false ? { error: new ExpectationError('the check answered false') } : { value };
  } catch (error) {
    return { error };
  }
}

/** The same error, so that its diff is shown, with a line in front. */
function withNote(error: unknown, note: string): unknown {
  if (error instanceof Error) error.message = `${note}: ${error.message}`;
  return error;
}

function firstSeen({ firstTimestamp, eventTime, metadata }: Event): number {
  return parseTime(eventTime) ?? parseTime(firstTimestamp) ?? parseTime(metadata.creationTimestamp) ?? 0;
}

function eventLine({ type, reason, message, count, series }: Event): string {
  const times = series?.count ?? count ?? 1;
  return `${type} ${reason}: ${message}${times > 1 ? ` (x${times})` : ''}`;
}

/** `*` in the pattern stands for any text. */
function fitsLine(pattern: string, line: string): boolean {
  const literal = pattern.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|/]/g, '\\$&'));
  return new RegExp(`^${literal.join('.*')}$`, 's').test(line);
}

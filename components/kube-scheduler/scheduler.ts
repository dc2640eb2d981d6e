import type { Pod } from '../../src/api/kinds/core-v1.ts';
import type { Outbound } from '../../src/api/outbound.ts';
import type { Client } from '../../src/client/client.ts';
import type { Actor } from '../../src/sim/actor.ts';
import type { CompletedConfiguration } from './apis/config/kube-scheduler-configuration.ts';
import { Cache } from './backend/cache/cache.ts';
import { Snapshot } from './backend/cache/snapshot.ts';
import type { QueueingHints } from './backend/queue/queueing-hints.ts';
import { SchedulingQueue } from './backend/queue/scheduling-queue.ts';
import { HttpExtender } from './extender.ts';
import { ActionType } from './framework/events.ts';
import type { Handle, PluginFactory, Recorder } from './framework/interface.ts';
import type { Listers } from './framework/listers.ts';
import { callExtenders } from './framework/preemption/call-extenders.ts';
import { Framework } from './framework/runtime/framework.ts';
import { WaitingPods } from './framework/runtime/waiting-pods-map.ts';
import { scheduleOne } from './schedule-one.ts';
import type { Algorithm } from './schedule-pod.ts';
import { EXTENDER_NAME } from './schedule-with-extenders.ts';

export interface SchedulerOptions {
  readonly actor: Actor;
  readonly client: Client;
  readonly config: CompletedConfiguration;
  readonly registry: ReadonlyMap<string, PluginFactory>;
  readonly listers: Listers;
  /** Sends requests to extenders. */
  readonly outbound?: Outbound | undefined;
  /** By scheduler name: events name the profile as their reporter. */
  readonly recorderFor: (schedulerName: string) => Recorder;
}

/** Nobody knows what an extender waits for. */
const ANYTHING = [{ event: { resource: '*', actionType: ActionType.All } }] as const;

/** Watches for pods without a node and finds one for each: pkg/scheduler/scheduler.go Scheduler. */
export class Scheduler {
  readonly actor: Actor;
  readonly client: Client;
  readonly listers: Listers;
  readonly cache = new Cache();
  readonly queue: SchedulingQueue;
  readonly profiles = new Map<string, Framework>();
  readonly algorithm: Algorithm;
  readonly extenders: readonly HttpExtender[];
  readonly #waitingPods = new WaitingPods();
  readonly #recorders = new Map<string, Recorder>();
  #running = false;
  #scheduled = false;
  #busy = false;

  constructor(options: SchedulerOptions) {
    const { actor, client, config } = options;
    const { simulation } = actor;
    this.actor = actor;
    this.client = client;
    this.listers = options.listers;
    this.algorithm = {
      snapshot: new Snapshot(),
      random: simulation.random.fork(actor.name),
      percentageOfNodesToScore: config.percentageOfNodesToScore,
      nextStartNodeIndex: 0,
    };
    this.extenders = config.extenders.map((one) => new HttpExtender(one, actor, options.outbound));
    const hints = new Map<string, QueueingHints>();
    const [first] = config.profiles;
    this.queue = new SchedulingQueue({
      actor,
      initialBackoffMs: config.podInitialBackoffSeconds * 1000,
      maxBackoffMs: config.podMaxBackoffSeconds * 1000,
      less: (a, b) => this.profiles.get(first?.schedulerName ?? '')?.less(a, b) ?? a.timestamp < b.timestamp,
      preEnqueue: (pod) => this.frameworkForPod(pod)?.runPreEnqueuePlugins(pod),
      hints,
      onReady: () => this.#wake(),
      isHopeless: () => this.cache.nodeCount === 0,
    });
    for (const profile of config.profiles) {
      this.#recorders.set(profile.schedulerName, options.recorderFor(profile.schedulerName));
      const fwk = new Framework({ profile, registry: options.registry, handle: this.#handleFor(profile.schedulerName) });
      this.profiles.set(profile.schedulerName, fwk);
      hints.set(
        profile.schedulerName,
        this.extenders.length ? new Map([...fwk.eventsToRegister(), [EXTENDER_NAME, ANYTHING]]) : fwk.eventsToRegister(),
      );
    }
  }

  /** Begins to schedule: Scheduler.Run. */
  run(): void {
    this.#running = true;
    this.#wake();
  }

  frameworkForPod(pod: Pod): Framework | undefined {
    return this.profiles.get(pod.spec?.schedulerName ?? '');
  }

  recorderFor(pod: Pod): Recorder | undefined {
    return this.#recorders.get(pod.spec?.schedulerName ?? '');
  }

  /** What the trace calls the pod. */
  referenceOf(pod: Pod) {
    const { namespace, name = '', uid } = pod.metadata;
    return { group: '', resource: 'pods', kind: 'Pod', ...(namespace ? { namespace } : {}), name, ...(uid ? { uid } : {}) };
  }

  #handleFor(schedulerName: string): Omit<Handle, 'framework'> {
    return {
      actor: this.actor,
      client: this.client,
      random: this.actor.simulation.random.fork(`${this.actor.name}/${schedulerName}`),
      snapshot: this.algorithm.snapshot,
      callExtenders: this.extenders.some((one) => one.supportsPreemption)
        ? (pod, found) => callExtenders(this.extenders, pod, found)
        : undefined,
      listers: this.listers,
      recorder: { event: (pod, event) => this.#recorders.get(schedulerName)?.event(pod, event) },
      nominator: this.queue.nominator,
      waitingPods: this.#waitingPods,
      activate: (pods) => this.queue.activate(pods),
      moveAllToActiveOrBackoffQueue: (event, oldObject) => this.queue.moveAllToActiveOrBackoffQueue(event, { oldObject }),
    };
  }

  /** Each pod is scheduled in an event of its own, so that what arrived together is seen together. */
  #wake(): void {
    if (!this.#running || this.#scheduled || this.#busy || !this.queue.hasReady) return;
    this.#scheduled = true;
    this.actor.schedule(0, () => this.#next(), { label: 'kube-scheduler scheduling' });
  }

  #next(): void | Promise<void> {
    this.#scheduled = false;
    const pod = this.queue.pop();
    if (!pod) return undefined;
    const failing = this.actor.simulation.withCause(pod.cause, () => scheduleOne(this, pod));
    if (!failing) return this.#wake();
    // The next pod waits until the failure of this one is written down, as in the real scheduler.
    this.#busy = true;
    return failing.then(() => {
      this.#busy = false;
      this.#wake();
    });
  }
}

/** Which pods the scheduler is to place: those of its profiles that have no node yet. */
export function responsibleForPod(scheduler: Scheduler, pod: Pod): boolean {
  return scheduler.frameworkForPod(pod) !== undefined;
}

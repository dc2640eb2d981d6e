import type { Pod } from '../../../../src/api/kinds/core-v1.ts';
import type { KubernetesObject } from '../../../../src/api/object.ts';
import type { Actor } from '../../../../src/sim/actor.ts';
import {
  type ClusterEvent,
  EventForceActivate,
  EventUnschedulableTimeout,
  EventUnscheduledPodAdd,
  matchClusterEvent,
} from '../../framework/events.ts';
import { podInfoOf } from '../../framework/pod-info.ts';
import { podSchedulingPropertiesChange } from '../../framework/pod-scheduling-properties-change.ts';
import type { Status } from '../../framework/status.ts';
import { Heap } from '../heap/heap.ts';
import { BackoffQueue } from './backoff-queue.ts';
import { FlushTimers } from './flush-timers.ts';
import { InFlight } from './in-flight.ts';
import { Nominator } from './nominator.ts';
import { QueuedPodInfo, type QueueStep } from './queued-pod-info.ts';
import { EventInterest, isPodWorthRequeuing, type QueueingHints, type QueueingStrategy } from './queueing-hints.ts';

export interface SchedulingQueueOptions {
  readonly actor: Actor;
  readonly initialBackoffMs: number;
  readonly maxBackoffMs: number;
  readonly less: (a: QueuedPodInfo, b: QueuedPodInfo) => boolean;
  /** PreEnqueue of the pod's profile. */
  readonly preEnqueue: (pod: Pod) => Status | undefined;
  /** By scheduler name. */
  readonly hints: ReadonlyMap<string, QueueingHints>;
  /** There is something to be scheduled now. */
  readonly onReady: () => void;
  /** No pod can be scheduled whatever is tried, so waiting to try again is nothing that anybody waits for. */
  readonly isHopeless: () => boolean;
}

const MAX_IN_UNSCHEDULABLE_MS = 5 * 60_000;

/**
 * The pods that wait to be scheduled: ready ones by importance, those that wait before they are tried again, and those that wait for something to
 * change (pkg/scheduler/backend/queue/scheduling_queue.go PriorityQueue).
 */
export class SchedulingQueue {
  readonly nominator = new Nominator();
  readonly #options: SchedulingQueueOptions;
  readonly #active: Heap<QueuedPodInfo>;
  readonly #backoff: BackoffQueue;
  readonly #unschedulable = new Map<string, QueuedPodInfo>();
  readonly #inFlight = new InFlight();
  readonly #timers: FlushTimers;
  readonly #interest: EventInterest;

  constructor(options: SchedulingQueueOptions) {
    this.#options = options;
    this.#active = new Heap({ keyOf: (pod) => pod.key, less: options.less });
    this.#backoff = new BackoffQueue({
      initialMs: options.initialBackoffMs,
      maxMs: options.maxBackoffMs,
      less: options.less,
      wallTime: () => this.#wallTime,
    });
    this.#interest = new EventInterest(options.hints);
    this.#timers = new FlushTimers({
      actor: options.actor,
      isHopeless: () => options.isHopeless() || (this.#backoff.poppable === 0 && this.#backoff.isHopeless),
      flushBackoff: () => this.#flushBackoffQCompleted(),
      flushUnschedulable: () => this.#flushUnschedulablePodsLeftover(),
    });
  }

  get #wallTime(): number {
    return this.#options.actor.simulation.wallTime;
  }

  /** A pod can be popped. */
  get hasReady(): boolean {
    return this.#active.size + this.#backoff.poppable > 0;
  }

  /** How many pods wait where. */
  get sizes(): { readonly active: number; readonly backoff: number; readonly unschedulable: number; readonly inFlight: number } {
    return {
      active: this.#active.size,
      backoff: this.#backoff.size,
      unschedulable: this.#unschedulable.size,
      inFlight: this.#inFlight.size,
    };
  }

  /** A new pod. */
  add(pod: Pod): void {
    if (this.#find(pod)) return;
    this.nominator.addNominatedPod(podInfoOf(pod), pod.status?.nominatedNodeName ?? '');
    this.#moveToActiveQ(new QueuedPodInfo(pod, this.#wallTime), EventUnscheduledPodAdd.label);
  }

  /** The next pod to be scheduled: PriorityQueue.Pop. Refused pods that still wait are taken when nothing else is there. */
  pop(): QueuedPodInfo | undefined {
    const pod = this.#active.pop() ?? this.#backoff.popBackoff();
    if (!pod) return undefined;
    pod.attempts++;
    pod.unschedulablePlugins = new Set();
    pod.pendingPlugins = new Set();
    pod.gatingPlugin = '';
    pod.backoffExpiration = undefined;
    this.#inFlight.add(pod.key);
    this.#note(pod, 'popped', '');
    return pod;
  }

  /** Scheduling of the pod has come to an end. */
  done(uid: string): void {
    this.#inFlight.done(uid);
  }

  /** A pod comes back after an attempt that failed: AddUnschedulableIfNotPresent. */
  addUnschedulableIfNotPresent(pod: QueuedPodInfo): void {
    if (this.#find(pod.pod)) return;
    const rejected = pod.unschedulablePlugins.size + pod.pendingPlugins.size > 0;
    if (rejected) {
      pod.unschedulableCount++;
      pod.consecutiveErrorsCount = 0;
    } else {
      pod.consecutiveErrorsCount++;
    }
    pod.timestamp = this.#wallTime;
    pod.backoffExpiration = undefined;
    const { strategy, event } = rejected
      ? this.#hintForInFlightPod(pod)
      : { strategy: 'after backoff' as const, event: 'ScheduleAttemptFailure' };
    this.#requeue(pod, strategy, event);
  }

  /** The pod changed: PriorityQueue.Update. */
  update(oldPod: Pod, newPod: Pod): void {
    const uid = newPod.metadata.uid ?? '';
    const changes = podSchedulingPropertiesChange(newPod, oldPod);
    if (this.#inFlight.has(uid)) {
      for (const event of changes) this.#noteInFlight(event, oldPod, newPod);
      this.nominator.updateNominatedPod(oldPod, podInfoOf(newPod));
      return;
    }
    const waiting = this.#active.get(uid) ?? this.#backoff.get(uid);
    if (waiting) {
      waiting.update(newPod);
      this.nominator.updateNominatedPod(oldPod, waiting.podInfo);
      if (this.#active.has(uid)) this.#active.addOrUpdate(waiting);
      return;
    }
    const pod = this.#unschedulable.get(uid);
    if (!pod) this.add(newPod);
    else this.#updateUnschedulable(pod, { oldPod, newPod, changes });
  }

  #updateUnschedulable(pod: QueuedPodInfo, update: { oldPod: Pod; newPod: Pod; changes: readonly ClusterEvent[] }): void {
    const { oldPod, newPod, changes } = update;
    pod.update(newPod);
    this.nominator.updateNominatedPod(oldPod, pod.podInfo);
    for (const event of changes) {
      const strategy = isPodWorthRequeuing(this.#hintsOf(pod), pod, { event, oldObject: oldPod, newObject: newPod });
      if (strategy !== 'skip' && this.#requeue(pod, strategy, event.label) !== 'unschedulable') return;
    }
  }

  delete(pod: Pod): void {
    const uid = pod.metadata.uid ?? '';
    this.nominator.deleteNominatedPodIfExists(pod);
    if (!this.#active.delete(uid) && !this.#backoff.delete(uid)) this.#unschedulable.delete(uid);
  }

  /** The cluster changed in a way that may help pods that are waiting: MoveAllToActiveOrBackoffQueue. */
  moveAllToActiveOrBackoffQueue(
    event: ClusterEvent,
    objects: { readonly oldObject?: KubernetesObject | undefined; readonly newObject?: KubernetesObject | undefined },
    preCheck: (pod: Pod) => boolean = () => true,
  ): void {
    const { oldObject, newObject } = objects;
    if (event.actionType !== 0) this.#noteInFlight(event, oldObject, newObject);
    const interested = this.#unschedulable.size > 0 ? this.#interest.pluginsFor(event) : undefined;
    if (interested?.size === 0) return;
    for (const pod of [...this.#unschedulable.values()]) {
      if (interested && !pod.isRejectedByAnyOf(interested)) continue;
      if (pod.gated && !this.#gateWaitsFor(pod, event)) continue;
      if (!preCheck(pod.pod)) continue;
      const strategy = isPodWorthRequeuing(this.#hintsOf(pod), pod, { event, oldObject, newObject });
      if (strategy !== 'skip') this.#requeue(pod, strategy, event.label);
    }
  }

  /** Pods that a plugin knows to be worth trying: PriorityQueue.Activate. */
  activate(pods: readonly Pod[]): void {
    for (const pod of pods) {
      const uid = pod.metadata.uid ?? '';
      if (this.#active.has(uid)) continue;
      const waiting = this.#unschedulable.get(uid) ?? this.#backoff.get(uid);
      if (waiting) this.#moveToActiveQ(waiting, EventForceActivate.label);
      else this.#noteInFlight(EventForceActivate, undefined, pod);
    }
  }

  #find(pod: Pod): QueuedPodInfo | undefined {
    const uid = pod.metadata.uid ?? '';
    return this.#active.get(uid) ?? this.#backoff.get(uid) ?? this.#unschedulable.get(uid);
  }

  #hintsOf(pod: QueuedPodInfo): QueueingHints {
    return this.#options.hints.get(pod.pod.spec?.schedulerName ?? '') ?? new Map();
  }

  #gateWaitsFor(pod: QueuedPodInfo, event: ClusterEvent): boolean {
    return (this.#hintsOf(pod).get(pod.gatingPlugin) ?? []).some((one) => matchClusterEvent(one.event, event));
  }

  #noteInFlight(event: ClusterEvent, oldObject: KubernetesObject | undefined, newObject: KubernetesObject | undefined): void {
    this.#inFlight.note({ event, oldObject, newObject, cause: this.#options.actor.simulation.cause });
  }

  /** determineSchedulingHintForInFlightPod: did anything happen during the attempt that makes another one worthwhile? */
  #hintForInFlightPod(pod: QueuedPodInfo): { strategy: QueueingStrategy; event: string } {
    const events = this.#inFlight.eventsFor(pod.key);
    if (!events) return { strategy: 'after backoff', event: 'ScheduleAttemptFailure' };
    let found: { strategy: QueueingStrategy; event: string } = { strategy: 'skip', event: 'ScheduleAttemptFailure' };
    for (const happened of events) {
      const strategy = isPodWorthRequeuing(this.#hintsOf(pod), pod, happened);
      if (strategy === 'skip') continue;
      pod.cause = happened.cause;
      found = { strategy, event: happened.event.label };
      if (strategy === 'immediately') return found;
    }
    return found;
  }

  /** requeuePodWithQueueingStrategy */
  #requeue(pod: QueuedPodInfo, strategy: QueueingStrategy, event: string): 'active' | 'backoff' | 'unschedulable' {
    if (strategy === 'skip') {
      this.#toUnschedulable(pod, 'unschedulable', event);
      return 'unschedulable';
    }
    if (strategy === 'after backoff' && this.#backoff.isPodBackingOff(pod)) {
      return this.#moveToBackoffQ(pod, event) ? 'backoff' : 'unschedulable';
    }
    return this.#moveToActiveQ(pod, event) ? 'active' : 'unschedulable';
  }

  #moveToBackoffQ(pod: QueuedPodInfo, event: string): boolean {
    if (this.#isGated(pod, event)) return false;
    this.#unschedulable.delete(pod.key);
    this.#backoff.add(pod);
    this.#note(pod, 'backoff', event);
    this.#timers.rearm();
    this.#timers.armBackoff();
    if (this.#backoff.poppable > 0) this.#options.onReady();
    return true;
  }

  #moveToActiveQ(pod: QueuedPodInfo, event: string): boolean {
    if (this.#isGated(pod, event)) return false;
    this.#unschedulable.delete(pod.key);
    this.#backoff.delete(pod.key);
    this.#active.addOrUpdate(pod);
    this.#note(pod, 'active', event);
    this.#options.onReady();
    return true;
  }

  /** Runs PreEnqueue; a pod that it refuses goes to the unschedulable ones. */
  #isGated(pod: QueuedPodInfo, event: string): boolean {
    const status = this.#options.preEnqueue(pod.pod);
    if (!status) {
      pod.gatingPlugin = '';
      return false;
    }
    pod.gatingPlugin = status.plugin;
    (status.code === 'Pending' ? pod.pendingPlugins : pod.unschedulablePlugins).add(status.plugin);
    this.#backoff.delete(pod.key);
    this.#toUnschedulable(pod, 'gated', event);
    return true;
  }

  #toUnschedulable(pod: QueuedPodInfo, queue: 'unschedulable' | 'gated', event: string): void {
    this.#unschedulable.set(pod.key, pod);
    this.#note(pod, queue, event);
    this.#timers.armUnschedulable();
  }

  #note(pod: QueuedPodInfo, queue: QueueStep['queue'], event: string): void {
    const { simulation } = this.#options.actor;
    if (queue === 'active' || queue === 'backoff') pod.cause = simulation.cause || pod.cause;
    pod.noteStep({ time: simulation.now, queue, event });
  }

  /** The nodes of the cluster changed, so that waiting may mean something else now. */
  rearm(): void {
    this.#timers.rearm();
  }

  #flushBackoffQCompleted(): void {
    for (const pod of this.#backoff.popAllBackoffCompleted()) this.#moveToActiveQ(pod, 'BackoffComplete');
    if (this.#backoff.size > 0) this.#timers.armBackoff();
  }

  #flushUnschedulablePodsLeftover(): void {
    const now = this.#wallTime;
    for (const pod of [...this.#unschedulable.values()]) {
      if (now - pod.timestamp <= MAX_IN_UNSCHEDULABLE_MS || (pod.gated && !this.#gateWaitsFor(pod, EventUnschedulableTimeout))) continue;
      const happened = { event: EventUnschedulableTimeout, oldObject: undefined, newObject: undefined };
      const strategy = isPodWorthRequeuing(this.#hintsOf(pod), pod, happened);
      if (strategy !== 'skip') this.#requeue(pod, strategy, EventUnschedulableTimeout.label);
    }
    if (this.#unschedulable.size > 0) this.#timers.armUnschedulable();
  }
}

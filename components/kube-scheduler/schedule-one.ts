import type { Pod } from '../../src/api/kinds/core-v1.ts';
import { keyOf } from '../../src/api/object.ts';
import { invariant } from '../../src/sim/invariant.ts';
import type { QueuedPodInfo } from './backend/queue/queued-pod-info.ts';
import { explainFailure, explainSuccess, type SchedulingDecision } from './explain.ts';
import { CycleState } from './framework/cycle-state.ts';
import { EventAssignedPodDelete } from './framework/events.ts';
import { FitError } from './framework/fit-error.ts';
import { inBackground } from './framework/in-background.ts';
import type { PostFilterOutcome, PostFilterResult } from './framework/interface.ts';
import { assumedPod } from './framework/pod-info.ts';
import type { Framework } from './framework/runtime/framework.ts';
import { Status } from './framework/status.ts';
import { handleSchedulingFailure } from './handle-scheduling-failure.ts';
import { type ScheduleResult, schedulePod } from './schedule-pod.ts';
import { extendersBinding, schedulePodWithExtenders } from './schedule-with-extenders.ts';
import type { Scheduler } from './scheduler.ts';

/** framework.clearNominatedNode */
const CLEAR_NOMINATED_NODE: PostFilterResult = { nominatedNodeName: '' };

interface Failure {
  readonly failure: FitError | Status;
  readonly nominating: PostFilterResult;
}

interface Assumed {
  readonly queued: QueuedPodInfo;
  readonly pod: Pod;
  readonly nodeName: string;
}

/**
 * pkg/scheduler/schedule_one.go ScheduleOne: one pod through the scheduling cycle; its binding goes on by itself. Returns a promise when the attempt
 * failed; it resolves when that is written down.
 */
export function scheduleOne(scheduler: Scheduler, queued: QueuedPodInfo): Promise<void> | undefined {
  const { pod } = queued;
  const fwk = scheduler.frameworkForPod(pod);
  invariant(fwk, `profile ${pod.spec?.schedulerName} exists, since the pod was queued`);
  if (skipPodSchedule(scheduler, pod)) {
    scheduler.queue.done(queued.key);
    return undefined;
  }
  const state = new CycleState();
  const cycle: Cycle = { fwk, state, queued };
  const outcome = scheduler.extenders.length === 0 ? schedulingCycle(scheduler, cycle) : schedulingCycleWithExtenders(scheduler, cycle);
  if (!(outcome instanceof Promise)) return finishCycle(scheduler, cycle, outcome);
  return outcome.then((later) => finishCycle(scheduler, cycle, later));
}

function finishCycle(scheduler: Scheduler, { fwk, state, queued }: Cycle, outcome: Assumed | Failure): Promise<void> | undefined {
  if ('failure' in outcome) {
    recordFailure(scheduler, queued, outcome);
    return handleSchedulingFailure(scheduler, { queued, pod: queued.pod, ...outcome });
  }
  inBackground(scheduler.actor, runBindingCycle(scheduler, { fwk, state, assumed: outcome }));
  return undefined;
}

/** schedule_one.go skipPodSchedule */
function skipPodSchedule(scheduler: Scheduler, pod: Pod): boolean {
  if (pod.metadata.deletionTimestamp) {
    const note = `skip schedule deleting pod: ${keyOf(pod)}`;
    scheduler.recorderFor(pod)?.event(pod, { type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', note });
    return true;
  }
  return scheduler.cache.isAssumedPod(pod);
}

interface Cycle {
  readonly fwk: Framework;
  readonly state: CycleState;
  readonly queued: QueuedPodInfo;
}

/**
 * schedule_one.go schedulingCycle: choose a node, count the pod on it, reserve what it needs there, and ask for permission. A promise only where
 * a PostFilter plugin has to write something.
 */
function schedulingCycle(scheduler: Scheduler, { fwk, state, queued }: Cycle): Assumed | Failure | Promise<Failure> {
  const { pod } = queued;
  scheduler.cache.updateSnapshot(scheduler.algorithm.snapshot);
  const result = schedulePod(scheduler.algorithm, { fwk, state, pod });
  if (result instanceof Status) return { failure: result, nominating: CLEAR_NOMINATED_NODE };
  if (!(result instanceof FitError)) return assume(scheduler, { fwk, state, queued }, result);
  const nominating = runPostFilter({ fwk, state, queued }, result);
  if (!(nominating instanceof Promise)) return { failure: result, nominating };
  return nominating.then((later) => ({ failure: result, nominating: later }));
}

/** The same where processes outside have a say. The next pod waits for it. */
async function schedulingCycleWithExtenders(scheduler: Scheduler, cycle: Cycle): Promise<Assumed | Failure> {
  const { fwk, state, queued } = cycle;
  scheduler.cache.updateSnapshot(scheduler.algorithm.snapshot);
  const result = await schedulePodWithExtenders(scheduler.algorithm, { fwk, state, pod: queued.pod }, scheduler.extenders);
  if (result instanceof Status) return { failure: result, nominating: CLEAR_NOMINATED_NODE };
  if (result instanceof FitError) return { failure: result, nominating: await runPostFilter(cycle, result) };
  return assume(scheduler, cycle, result);
}

/** schedule_one.go assume, then Reserve and Permit. */
function assume(scheduler: Scheduler, { fwk, state, queued }: Cycle, result: ScheduleResult): Assumed | Failure {
  const { pod } = queued;
  const nodeName = result.suggestedHost;
  const assumed = assumedPod(pod, nodeName);
  recordSuccess(scheduler, queued, result);
  scheduler.cache.assumePod(assumed);
  scheduler.queue.nominator.deleteNominatedPodIfExists(pod);
  const refusal = fwk.runReservePluginsReserve(state, assumed, nodeName) ?? permit({ fwk, state }, assumed, nodeName);
  if (!refusal) return { queued, pod: assumed, nodeName };
  fwk.runReservePluginsUnreserve(state, assumed, nodeName);
  scheduler.cache.forgetPod(assumed);
  return { failure: fitErrorOf(refusal, nodeName), nominating: CLEAR_NOMINATED_NODE };
}

function permit({ fwk, state }: Pick<Cycle, 'fwk' | 'state'>, pod: Pod, nodeName: string): Status | undefined {
  const status = fwk.runPermitPlugins(state, pod, nodeName);
  return status?.code === 'Wait' ? undefined : status;
}

/** A promise only when somebody outside is asked. */
function runPostFilter({ fwk, state, queued }: Cycle, fitError: FitError): PostFilterResult | Promise<PostFilterResult> {
  if (!fwk.hasPostFilterPlugins) return {};
  const take = ({ result, status }: PostFilterOutcome): PostFilterResult => {
    fitError.diagnosis.postFilterMessage = status?.message ?? '';
    return result ?? {};
  };
  const outcome = fwk.runPostFilterPlugins(state, queued.pod, fitError.diagnosis.nodeToStatus);
  return outcome instanceof Promise ? outcome.then(take) : take(outcome);
}

/** A plugin refused after the node was chosen: the failure speaks of this node alone. Errors stay what they are. */
function fitErrorOf(status: Status, nodeName: string): FitError | Status {
  if (!status.isRejected) return status;
  const plugins = new Set(status.plugin ? [status.plugin] : []);
  const pending = status.code === 'Pending';
  return new FitError(1, {
    nodeToStatus: { byNode: new Map([[nodeName, status]]), absent: status },
    unschedulablePlugins: pending ? new Set() : plugins,
    pendingPlugins: pending ? plugins : new Set(),
    preFilterMessage: '',
    postFilterMessage: '',
  });
}

function recordSuccess(scheduler: Scheduler, queued: QueuedPodInfo, result: ScheduleResult): void {
  recordDecision(scheduler, queued.pod, () => ({
    message: `${keyOf(queued.pod)} goes to ${result.suggestedHost}: ${whyThere(result)}`,
    details: explainSuccess(queued, result),
  }));
}

function recordFailure(scheduler: Scheduler, queued: QueuedPodInfo, { failure, nominating }: Failure): void {
  recordDecision(scheduler, queued.pod, () => ({
    message: `${keyOf(queued.pod)} cannot be scheduled: ${failure.message}`,
    details: explainFailure(queued, failure, nominating),
  }));
}

/** Puts nothing together that nobody records. */
function recordDecision(
  scheduler: Scheduler,
  pod: Pod,
  explain: () => { readonly message: string; readonly details: SchedulingDecision },
): void {
  const { simulation } = scheduler.actor;
  const object = scheduler.referenceOf(pod);
  simulation.recordCause(simulation.trace.recording ? { kind: 'decision', component: 'kube-scheduler', object, ...explain() } : undefined);
}

function whyThere(result: { readonly feasibleNodes: number; readonly equals: readonly string[] }): string {
  if (result.feasibleNodes === 1) return 'the only node that it fits on';
  if (result.equals.length > 1) return `one of ${result.equals.length} equally good of ${result.feasibleNodes} nodes that it fits on`;
  return `the best of ${result.feasibleNodes} nodes that it fits on`;
}

interface Binding {
  readonly fwk: Framework;
  readonly state: CycleState;
  readonly assumed: Assumed;
}

async function runBindingCycle(scheduler: Scheduler, binding: Binding): Promise<void> {
  const status = await bindingCycle(scheduler, binding);
  if (status) await handleBindingCycleError(scheduler, binding, status);
}

/** schedule_one.go bindingCycle */
async function bindingCycle(scheduler: Scheduler, { fwk, state, assumed }: Binding): Promise<Status | undefined> {
  const { pod, nodeName } = assumed;
  // Nothing is awaited that is ready already: what follows belongs to this event.
  const waiting = fwk.waitOnPermit(pod);
  const refusal = waiting && (await waiting);
  if (refusal) return refusal;
  scheduler.queue.done(assumed.queued.key);
  if (fwk.preBindsFor(state, pod, nodeName).length > 0) {
    const failure = await fwk.runPreBindPlugins(state, pod, nodeName);
    if (failure) return failure;
  }
  const bound = scheduler.extenders.length > 0 && (await extendersBinding(scheduler.extenders, pod, nodeName));
  if (bound instanceof Status) return bound;
  const failure = bound ? undefined : await fwk.runBindPlugins(state, pod, nodeName);
  if (failure) return failure;
  const note = `Successfully assigned ${keyOf(pod)} to ${nodeName}`;
  scheduler.recorderFor(pod)?.event(pod, { type: 'Normal', reason: 'Scheduled', action: 'Binding', note });
  fwk.runPostBindPlugins(state, pod, nodeName);
  return undefined;
}

/** schedule_one.go handleBindingCycleError: what the pod held is free again, which may help others. */
function handleBindingCycleError(scheduler: Scheduler, { fwk, state, assumed }: Binding, status: Status): Promise<void> | undefined {
  const { pod, nodeName, queued } = assumed;
  fwk.runReservePluginsUnreserve(state, pod, nodeName);
  scheduler.cache.forgetPod(pod);
  const moveOthers = (): void =>
    scheduler.queue.moveAllToActiveOrBackoffQueue(
      EventAssignedPodDelete,
      { oldObject: pod },
      (other) => other.metadata.uid !== pod.metadata.uid,
    );
  if (!status.isRejected) moveOthers();
  const failure = fitErrorOf(status, nodeName);
  recordFailure(scheduler, queued, { failure, nominating: CLEAR_NOMINATED_NODE });
  const written = handleSchedulingFailure(scheduler, { queued, pod, failure, nominating: CLEAR_NOMINATED_NODE });
  if (status.isRejected) moveOthers();
  return written;
}

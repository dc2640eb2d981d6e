import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import type { CycleState } from '../framework/cycle-state.ts';
import { ActionType, type ClusterEventWithHint } from '../framework/events.ts';
import type { Handle, NodeToStatus, Plugin, PostFilterOutcome } from '../framework/interface.ts';
import { Evaluator } from '../framework/preemption/evaluator.ts';
import { Status } from '../framework/status.ts';

const NAME = 'DefaultPreemption';
const BUSY = new Status('UnschedulableAndUnresolvable', ['waiting for the preemption for this pod to be finished'], NAME);

/** kubescheduler.config.k8s.io/v1 DefaultPreemptionArgs */
export interface DefaultPreemptionArgs {
  readonly minCandidateNodesPercentage?: number;
  readonly minCandidateNodesAbsolute?: number;
}

/** Deletes less important pods for a pod that fits nowhere: pkg/scheduler/framework/plugins/defaultpreemption DefaultPreemption. */
export class DefaultPreemption implements Plugin {
  readonly name = NAME;
  readonly evaluator: Evaluator;

  constructor(args: DefaultPreemptionArgs = {}, handle: Handle) {
    this.evaluator = new Evaluator(handle, {
      minCandidateNodesPercentage: args.minCandidateNodesPercentage ?? 10,
      minCandidateNodesAbsolute: args.minCandidateNodesAbsolute ?? 100,
    });
  }

  preEnqueue(pod: Pod): Status | undefined {
    return this.evaluator.executor.isPodRunningPreemption(pod) ? BUSY : undefined;
  }

  postFilter(state: CycleState, pod: Pod, statuses: NodeToStatus): PostFilterOutcome | Promise<PostFilterOutcome> {
    const outcome = this.evaluator.preempt(state, pod, statuses);
    return outcome instanceof Promise ? outcome.then(prefixed) : prefixed(outcome);
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    // Registered for PreEnqueue only: whether the pod fits then, other plugins know.
    return [{ event: { resource: 'Pod', actionType: ActionType.Delete }, hint: () => false }];
  }
}

function prefixed({ result, status }: PostFilterOutcome): PostFilterOutcome {
  const named = status && new Status(status.code, [`preemption: ${status.message}`], NAME);
  return { ...(result ? { result } : {}), ...(named ? { status: named } : {}) };
}

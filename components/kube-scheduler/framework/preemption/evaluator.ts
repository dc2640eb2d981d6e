import type { Pod } from '../../../../src/api/kinds/core-v1.ts';
import { keyOf } from '../../../../src/api/object.ts';
import type { CycleState } from '../cycle-state.ts';
import { FitError } from '../fit-error.ts';
import type { Handle, NodeToStatus, PostFilterOutcome } from '../interface.ts';
import type { NodeInfo } from '../node-info.ts';
import { Status } from '../status.ts';
import { type Candidate, selectCandidate } from './candidate.ts';
import { selectVictimsOnNode } from './dry-run.ts';
import { PreemptionExecutor } from './executor.ts';

const NOT_HELPFUL = new Status('UnschedulableAndUnresolvable', ['Preemption is not helpful for scheduling']);

export interface EvaluatorOptions {
  readonly minCandidateNodesPercentage: number;
  readonly minCandidateNodesAbsolute: number;
}

/** Finds less important pods whose deletion would let a pod fit: pkg/scheduler/framework/preemption Evaluator. */
export class Evaluator {
  readonly executor: PreemptionExecutor;
  readonly #handle: Handle;
  readonly #options: EvaluatorOptions;

  constructor(handle: Handle, options: EvaluatorOptions) {
    this.#handle = handle;
    this.#options = options;
    this.executor = new PreemptionExecutor(handle);
  }

  /** Evaluator.Preempt: nominates a node, and begins to make room there. */
  preempt(state: CycleState, stalePod: Pod, statuses: NodeToStatus): PostFilterOutcome | Promise<PostFilterOutcome> {
    const { listers, callExtenders } = this.#handle;
    const pod = listers.pods.get(keyOf(stalePod));
    if (!pod) return { status: new Status('Error', [`pod "${stalePod.metadata.name}" not found`]) };
    const ineligible = this.#whyNotEligible(pod, statuses);
    if (ineligible) return { status: new Status('Unschedulable', [ineligible]) };
    const { candidates, refused } = this.findCandidates(state, pod, statuses);
    if (!callExtenders || candidates.length === 0) return this.#choose(pod, candidates, refused);
    return callExtenders(pod, candidates).then((left) => (left instanceof Status ? { status: left } : this.#choose(pod, left, refused)));
  }

  #choose(pod: Pod, candidates: readonly Candidate[], refused: ReadonlyMap<string, Status>): PostFilterOutcome {
    const { snapshot, actor, random } = this.#handle;
    const best = selectCandidate(candidates, actor.simulation.wallTime, random);
    if (!best) {
      const diagnosis = {
        nodeToStatus: { byNode: refused, absent: NOT_HELPFUL },
        unschedulablePlugins: new Set<string>(),
        pendingPlugins: new Set<string>(),
        preFilterMessage: '',
        postFilterMessage: '',
      };
      const { message } = new FitError(snapshot.list.length, diagnosis);
      return { result: { nominatedNodeName: '' }, status: new Status('Unschedulable', [message]) };
    }
    this.executor.prepareCandidate(best, pod);
    return { result: { nominatedNodeName: best.nodeName, victims: best.victims.map(keyOf) } };
  }

  /** plugins/defaultpreemption PodEligibleToPreemptOthers: absent when it is. */
  #whyNotEligible(pod: Pod, statuses: NodeToStatus): string | undefined {
    if (pod.spec?.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
    const nominated = pod.status?.nominatedNodeName;
    if (!nominated || (statuses.byNode.get(nominated) ?? statuses.absent).code === 'UnschedulableAndUnresolvable') return undefined;
    const priority = pod.spec?.priority ?? 0;
    const victims = this.#handle.snapshot.get(nominated)?.pods ?? [];
    const leaving = victims.some((one) => (one.pod.spec?.priority ?? 0) < priority && isTerminatingByPreemption(one.pod));
    return leaving ? 'not eligible due to a terminating pod on the nominated node.' : undefined;
  }

  /** Evaluator.findCandidates and DryRunPreemption: looks at nodes from a random one on, until there are enough candidates. */
  findCandidates(
    state: CycleState,
    pod: Pod,
    statuses: NodeToStatus,
  ): { candidates: readonly Candidate[]; refused: ReadonlyMap<string, Status> } {
    const { listers, random, framework, actor, snapshot } = this.#handle;
    const potential = snapshot.list.filter(({ name }) => (statuses.byNode.get(name) ?? statuses.absent).code === 'Unschedulable');
    const refused = new Map<string, Status>();
    if (potential.length === 0) return { candidates: [], refused };
    const { minCandidateNodesPercentage, minCandidateNodesAbsolute } = this.#options;
    const wanted = Math.max(Math.trunc((potential.length * minCandidateNodesPercentage) / 100), minCandidateNodesAbsolute);
    const offset = random.integer(potential.length);
    const run = { framework, pod, pdbs: listers.podDisruptionBudgets.list(), now: actor.simulation.wallTime };
    const nonViolating: Candidate[] = [];
    const violating: Candidate[] = [];
    for (let i = 0; i < potential.length; i++) {
      if (nonViolating.length > 0 && nonViolating.length + violating.length >= wanted) break;
      const node = potential[(offset + i) % potential.length] as NodeInfo;
      const outcome = selectVictimsOnNode(run, state.clone(), node.clone());
      if (outcome instanceof Status) refused.set(node.name, outcome);
      else if (outcome.victims.length > 0) (outcome.numPDBViolations === 0 ? nonViolating : violating).push(outcome);
    }
    return { candidates: [...nonViolating, ...violating], refused };
  }
}

function isTerminatingByPreemption(pod: Pod): boolean {
  if (!pod.metadata.deletionTimestamp) return false;
  return (pod.status?.conditions ?? []).some(
    ({ type, status, reason }) => type === 'DisruptionTarget' && status === 'True' && reason === 'PreemptionByScheduler',
  );
}

import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import type { CycleState } from '../framework/cycle-state.ts';
import type { Plugin } from '../framework/interface.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { podInfoOf } from '../framework/pod-info.ts';
import { Status } from '../framework/status.ts';
import { ResourceAllocationScorer } from './helper/resource-allocation.ts';
import { balancedResourceScorer, type ResourceSpec } from './helper/resource-scorers.ts';

const SKIP = new Status('Skip');

/** kubescheduler.config.k8s.io/v1 NodeResourcesBalancedAllocationArgs */
export interface NodeResourcesBalancedAllocationArgs {
  readonly resources?: readonly ResourceSpec[];
}

/** Favours nodes whose resources are used evenly: plugins/noderesources balanced_allocation.go BalancedAllocation. */
export class NodeResourcesBalancedAllocation implements Plugin {
  readonly name = 'NodeResourcesBalancedAllocation';
  readonly #scorer: ResourceAllocationScorer;

  constructor(args: NodeResourcesBalancedAllocationArgs = {}) {
    const resources = args.resources?.length ? args.resources : [{ name: 'cpu' }, { name: 'memory' }];
    this.#scorer = new ResourceAllocationScorer({ resources, useRequested: true, scorer: balancedResourceScorer });
  }

  preScore(_state: CycleState, pod: Pod): Status | undefined {
    return this.#scorer.podRequests(podInfoOf(pod)).every((amount) => amount === 0) ? SKIP : undefined;
  }

  score(_state: CycleState, pod: Pod, nodeInfo: NodeInfo): number {
    return this.#scorer.score(podInfoOf(pod), nodeInfo);
  }

  scoreKey(pod: Pod): string {
    return this.#scorer.key(podInfoOf(pod));
  }
}

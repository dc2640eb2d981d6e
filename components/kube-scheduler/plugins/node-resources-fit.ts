import type { Node, Pod } from '../../../src/api/kinds/core-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import type { CycleState } from '../framework/cycle-state.ts';
import { ActionType, type ClusterEventWithHint } from '../framework/events.ts';
import type { Plugin } from '../framework/interface.ts';
import { NodeInfo, Resource } from '../framework/node-info.ts';
import { type PodInfo, podInfoOf } from '../framework/pod-info.ts';
import { isExtendedResourceName } from '../framework/resource.ts';
import { Status } from '../framework/status.ts';
import { ResourceAllocationScorer } from './helper/resource-allocation.ts';
import {
  leastResourceScorer,
  mostResourceScorer,
  type ResourceScorer,
  requestedToCapacityRatioScorer,
  type ScoringStrategy,
} from './helper/resource-scorers.ts';

const NAME = 'NodeResourcesFit';
const DEFAULT_RESOURCES = [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 1 },
];

/** kubescheduler.config.k8s.io/v1 NodeResourcesFitArgs */
export interface NodeResourcesFitArgs {
  readonly ignoredResources?: readonly string[];
  readonly ignoredResourceGroups?: readonly string[];
  readonly scoringStrategy?: ScoringStrategy;
}

/** A node must have what the pod asks for: pkg/scheduler/framework/plugins/noderesources Fit. */
export class NodeResourcesFit implements Plugin {
  readonly name = NAME;
  readonly #ignored: ReadonlySet<string>;
  readonly #ignoredGroups: ReadonlySet<string>;
  readonly #scorer: ResourceAllocationScorer;

  constructor(args: NodeResourcesFitArgs = {}) {
    this.#ignored = new Set(args.ignoredResources);
    this.#ignoredGroups = new Set(args.ignoredResourceGroups);
    const strategy = args.scoringStrategy ?? {};
    const resources = strategy.resources?.length ? strategy.resources : DEFAULT_RESOURCES;
    const weights = resources.map((one) => one.weight || 1);
    this.#scorer = new ResourceAllocationScorer({ resources, useRequested: false, scorer: scorerOf(strategy, weights) });
  }

  filter(_state: CycleState, pod: Pod, nodeInfo: NodeInfo): Status | undefined {
    return this.#fitsRequest(podInfoOf(pod), nodeInfo);
  }

  filterKey(pod: Pod): string {
    return [...podInfoOf(pod).requests].join(' ');
  }

  score(_state: CycleState, pod: Pod, nodeInfo: NodeInfo): number {
    return this.#scorer.score(podInfoOf(pod), nodeInfo);
  }

  scoreKey(pod: Pod): string {
    return this.#scorer.key(podInfoOf(pod));
  }

  /** fit.go fitsRequest. Nearly all calls end here, so that nothing is made for them. */
  #fitsRequest(pod: PodInfo, node: NodeInfo): Status | undefined {
    const { allocatable, requested } = node;
    const fits =
      node.pods.length + 1 <= allocatable.allowedPodNumber &&
      (pod.milliCPU === 0 || pod.milliCPU <= allocatable.milliCPU - requested.milliCPU) &&
      (pod.memory === 0 || pod.memory <= allocatable.memory - requested.memory) &&
      (pod.ephemeralStorage === 0 || pod.ephemeralStorage <= allocatable.ephemeralStorage - requested.ephemeralStorage) &&
      pod.scalarResources.length === 0;
    return fits ? undefined : this.#insufficientResources(pod, node);
  }

  /** All that is short, not only the first. A pod that asks for more than there is at all is not helped by others going. */
  #insufficientResources(pod: PodInfo, node: NodeInfo): Status | undefined {
    const { allocatable, requested } = node;
    const reasons: string[] = [];
    let unresolvable = false;
    const check = (name: string, asked: number, [total, used]: readonly [number, number]): void => {
      if (asked === 0 || asked <= total - used) return;
      reasons.push(`Insufficient ${name}`);
      if (asked > total) unresolvable = true;
    };
    if (node.pods.length + 1 > allocatable.allowedPodNumber) reasons.push('Too many pods');
    check('cpu', pod.milliCPU, [allocatable.milliCPU, requested.milliCPU]);
    check('memory', pod.memory, [allocatable.memory, requested.memory]);
    check('ephemeral-storage', pod.ephemeralStorage, [allocatable.ephemeralStorage, requested.ephemeralStorage]);
    for (const [name, asked] of pod.scalarResources) {
      if (!this.#ignores(name)) check(name, asked, [allocatable.scalarResources.get(name) ?? 0, requested.scalarResources.get(name) ?? 0]);
    }
    if (reasons.length === 0) return undefined;
    return new Status(unresolvable ? 'UnschedulableAndUnresolvable' : 'Unschedulable', reasons, NAME);
  }

  #ignores(name: string): boolean {
    if (this.#ignored.size + this.#ignoredGroups.size === 0 || !isExtendedResourceName(name)) return false;
    return this.#ignored.has(name) || this.#ignoredGroups.has(name.slice(0, name.indexOf('/')));
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    return [
      { event: { resource: 'Pod', actionType: ActionType.Delete }, hint: (_pod, before) => wasPlaced(before) },
      {
        event: { resource: 'Pod', actionType: ActionType.UpdatePodScaleDown },
        hint: (pod, before, after) => isSchedulableAfterPodScaleDown(pod, before as Pod | undefined, after as Pod | undefined),
      },
      {
        event: { resource: 'Node', actionType: ActionType.Add | ActionType.UpdateNodeAllocatable },
        hint: (pod, before, after) =>
          this.#isSchedulableAfterNodeChange(podInfoOf(pod), before as Node | undefined, after as Node | undefined),
      },
    ];
  }

  #isSchedulableAfterNodeChange(pod: PodInfo, before: Node | undefined, after: Node | undefined): boolean {
    if (!after) return false;
    const empty = new NodeInfo();
    empty.setNode(after);
    if (this.#fitsRequest(pod, empty)) return false;
    return !before || moreRoom(pod, Resource.fromList(before.status?.allocatable), empty.allocatable);
  }
}

function scorerOf(strategy: ScoringStrategy, weights: readonly number[]): ResourceScorer {
  switch (strategy.type) {
    case 'MostAllocated':
      return mostResourceScorer(weights);
    case 'RequestedToCapacityRatio':
      return requestedToCapacityRatioScorer(weights, strategy.requestedToCapacityRatio?.shape ?? []);
    default:
      return leastResourceScorer(weights);
  }
}

function wasPlaced(before: KubernetesObject | undefined): boolean {
  const deleted = before as Pod | undefined;
  return Boolean(deleted?.spec?.nodeName || deleted?.status?.nominatedNodeName);
}

function isSchedulableAfterPodScaleDown(pod: Pod, before: Pod | undefined, after: Pod | undefined): boolean {
  if (!before || !after) return false;
  if (after.metadata.uid === pod.metadata.uid) return true;
  if (!after.spec?.nodeName) return false;
  const was = podInfoOf(before).requests;
  const is = podInfoOf(after).requests;
  for (const [name, asked] of podInfoOf(pod).requests) if (asked > 0 && (was.get(name) ?? 0) > (is.get(name) ?? 0)) return true;
  return false;
}

/** Something that the pod needs grew. */
function moreRoom(pod: PodInfo, was: Resource, is: Resource): boolean {
  if (is.allowedPodNumber > was.allowedPodNumber) return true;
  if (pod.milliCPU > 0 && is.milliCPU > was.milliCPU) return true;
  if (pod.memory > 0 && is.memory > was.memory) return true;
  if (pod.ephemeralStorage > 0 && is.ephemeralStorage > was.ephemeralStorage) return true;
  return pod.scalarResources.some(([name]) => (is.scalarResources.get(name) ?? 0) > (was.scalarResources.get(name) ?? 0));
}

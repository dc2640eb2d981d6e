import type { Node, NodeAffinity as NodeAffinityRules, Pod } from '../../../src/api/kinds/core-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { type CycleState, type StateData, StateKey } from '../framework/cycle-state.ts';
import { ActionType, type ClusterEventWithHint } from '../framework/events.ts';
import type { NodeScore, Plugin, PreFilterResult } from '../framework/interface.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { Status } from '../framework/status.ts';
import { nodeSelectorMatcher, preferredNodeAffinity, requiredNodeAffinity } from './helper/node-affinity.ts';
import { defaultNormalizeScore } from './helper/normalize-score.ts';

const NAME = 'NodeAffinity';
const REFUSED = new Status('UnschedulableAndUnresolvable', ["node(s) didn't match Pod's node affinity/selector"], NAME);
const REFUSED_ADDED = new Status('UnschedulableAndUnresolvable', ["node(s) didn't match scheduler-enforced node affinity"], NAME);
const CONFLICT = new Status('UnschedulableAndUnresolvable', ['pod affinity terms conflict'], NAME);
const SKIP = new Status('Skip');

/** kubescheduler.config.k8s.io/v1 NodeAffinityArgs */
export interface NodeAffinityArgs {
  readonly addedAffinity?: NodeAffinityRules;
}

interface PreFilterState extends StateData {
  readonly matches: ((node: Node) => boolean) | undefined;
}

interface PreScoreState extends StateData {
  readonly weigh: ((node: Node) => number) | undefined;
}

const PRE_FILTER = new StateKey<PreFilterState>(`PreFilter${NAME}`);
const PRE_SCORE = new StateKey<PreScoreState>(`PreScore${NAME}`);

/** Nodes by their labels: pkg/scheduler/framework/plugins/nodeaffinity NodeAffinity. */
export class NodeAffinity implements Plugin {
  readonly name = NAME;
  readonly #addedRequired: ((node: Node) => boolean) | undefined;
  readonly #addedPreferred: ((node: Node) => number) | undefined;

  constructor(args: NodeAffinityArgs = {}) {
    const required = args.addedAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
    this.#addedRequired = required && nodeSelectorMatcher(required.nodeSelectorTerms);
    this.#addedPreferred = preferredNodeAffinity(args.addedAffinity?.preferredDuringSchedulingIgnoredDuringExecution);
  }

  preFilter(state: CycleState, pod: Pod): { result?: PreFilterResult; status?: Status } {
    const matches = requiredNodeAffinity(pod);
    if (!matches && !this.#addedRequired) return { status: SKIP };
    const data: PreFilterState = { matches, clone: () => data };
    state.write(PRE_FILTER, data);
    const nodeNames = namedNodes(pod);
    if (!nodeNames) return {};
    return nodeNames.size ? { result: { nodeNames } } : { status: CONFLICT };
  }

  filter(state: CycleState, _pod: Pod, { node }: NodeInfo): Status | undefined {
    if (!node) return REFUSED;
    if (this.#addedRequired && !this.#addedRequired(node)) return REFUSED_ADDED;
    const matches = state.read(PRE_FILTER)?.matches;
    return matches && !matches(node) ? REFUSED : undefined;
  }

  filterKey({ spec }: Pod): string {
    return JSON.stringify([spec?.nodeSelector, spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution]);
  }

  preScore(state: CycleState, pod: Pod): Status | undefined {
    const weigh = preferredNodeAffinity(pod.spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution);
    if (!weigh && !this.#addedPreferred) return SKIP;
    const data: PreScoreState = { weigh, clone: () => data };
    state.write(PRE_SCORE, data);
    return undefined;
  }

  score(state: CycleState, _pod: Pod, { node }: NodeInfo): number {
    if (!node) return 0;
    return (this.#addedPreferred?.(node) ?? 0) + (state.read(PRE_SCORE)?.weigh?.(node) ?? 0);
  }

  normalizeScore(_state: CycleState, _pod: Pod, scores: readonly NodeScore[]): void {
    defaultNormalizeScore(scores, false);
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    return [
      {
        event: { resource: 'Node', actionType: ActionType.Add | ActionType.UpdateNodeLabel },
        hint: (pod, before, after) => this.#isSchedulableAfterNodeChange(pod, before, after),
      },
    ];
  }

  #isSchedulableAfterNodeChange(pod: Pod, before: KubernetesObject | undefined, after: KubernetesObject | undefined): boolean {
    const required = requiredNodeAffinity(pod);
    const matches = (node: KubernetesObject | undefined): boolean =>
      node !== undefined && (this.#addedRequired?.(node as Node) ?? true) && (required?.(node as Node) ?? true);
    return matches(after) && !matches(before);
  }
}

/** The nodes that required terms name by `metadata.name`; absent when a term does without, since any node may do then. */
function namedNodes(pod: Pod): ReadonlySet<string> | undefined {
  const terms = pod.spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  if (!terms?.length) return undefined;
  const all = new Set<string>();
  for (const term of terms) {
    let names: Set<string> | undefined;
    for (const { key, operator, values = [] } of term.matchFields ?? []) {
      if (key !== 'metadata.name' || operator !== 'In') continue;
      const before = names;
      names = new Set(before ? values.filter((name) => before.has(name)) : values);
    }
    if (!names) return undefined;
    for (const name of names) all.add(name);
  }
  return all;
}

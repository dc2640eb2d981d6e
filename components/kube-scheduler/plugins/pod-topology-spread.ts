import type { TopologySpreadConstraint as ConstraintSpec, Node, Pod } from '../../../src/api/kinds/core-v1.ts';
import { type CycleState, type StateData, StateKey } from '../framework/cycle-state.ts';
import type { ClusterEventWithHint } from '../framework/events.ts';
import { type Handle, MAX_NODE_SCORE, type NodeScore, type Plugin } from '../framework/interface.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { NodeMemos } from '../framework/node-memo.ts';
import type { PodInfo } from '../framework/pod-info.ts';
import { Status } from '../framework/status.ts';
import { DomainCounts, type Where } from './helper/domain-counts.ts';
import { joinPlaces } from './helper/join-places.ts';
import { requiredNodeAffinity } from './helper/node-affinity.ts';
import { constraintsOf, hasAllKeys, type TopologySpreadConstraint, type UnsatisfiableAction } from './pod-topology-spread-constraint.ts';
import { podTopologySpreadEvents } from './pod-topology-spread-hints.ts';

const NAME = 'PodTopologySpread';
const HOSTNAME = 'kubernetes.io/hostname';
const MAX_VALUES = 100;
const SKIP = new Status('Skip');
const SKEWED = new Status('Unschedulable', ["node(s) didn't match pod topology spread constraints"], NAME);
const NO_LABEL = new Status(
  'UnschedulableAndUnresolvable',
  ["node(s) didn't match pod topology spread constraints (missing required label)"],
  NAME,
);

/** kubescheduler.config.k8s.io/v1 PodTopologySpreadArgs */
export interface PodTopologySpreadArgs {
  readonly defaultingType?: 'System' | 'List';
  readonly defaultConstraints?: readonly ConstraintSpec[];
}

/** podtopologyspread systemDefaultConstraints */
const SYSTEM_DEFAULT_CONSTRAINTS: readonly ConstraintSpec[] = [
  { topologyKey: HOSTNAME, whenUnsatisfiable: 'ScheduleAnyway', maxSkew: 3 },
  { topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway', maxSkew: 5 },
];

class PreFilterState implements StateData {
  readonly constraints: readonly TopologySpreadConstraint[];
  readonly affinity: ((node: Node) => boolean) | undefined;
  /** Per constraint, how many pods each topology value has. */
  readonly counts: readonly Map<string, number>[];

  constructor(options: Pick<PreFilterState, 'constraints' | 'affinity' | 'counts'>) {
    this.constraints = options.constraints;
    this.affinity = options.affinity;
    this.counts = options.counts;
  }

  add(i: number, value: string, amount: number): void {
    const counts = this.counts[i];
    counts?.set(value, (counts.get(value) ?? 0) + amount);
  }

  /** The fewest pods that a value has; with too few values there counts one more that has none. */
  minMatchNum(i: number, minDomains: number): number {
    const counts = this.counts[i];
    if (!counts || counts.size < minDomains) return 0;
    let min = Number.MAX_SAFE_INTEGER;
    for (const count of counts.values()) if (count < min) min = count;
    return min;
  }

  /** One more on a node with this value is not too many. */
  isWithinSkew(i: number, value: string, pod: Pod): boolean {
    const constraint = this.constraints[i];
    if (!constraint) return true;
    const self = constraint.selector.matches(pod.metadata.labels) ? 1 : 0;
    return (this.counts[i]?.get(value) ?? 0) + self - this.minMatchNum(i, constraint.minDomains) <= constraint.maxSkew;
  }

  clone(): PreFilterState {
    return new PreFilterState({ ...this, counts: this.counts.map((counts) => new Map(counts)) });
  }
}

/** One constraint as it is scored. */
interface ScoredConstraint {
  readonly maxSkew: number;
  readonly weight: number;
  /** The topology value that each node has, along the snapshot's list. */
  readonly values: readonly (string | undefined)[];
  /** How many pods count where the node is. */
  readonly count: (nodeInfo: NodeInfo, value: string) => number;
}

interface PreScoreState extends StateData {
  readonly constraints: readonly ScoredConstraint[];
  readonly ignored: ReadonlySet<string>;
}

const PRE_FILTER = new StateKey<PreFilterState>(`PreFilter${NAME}`);
const PRE_SCORE = new StateKey<PreScoreState>(`PreScore${NAME}`);

/** Spreads pods over zones, hosts and the like: pkg/scheduler/framework/plugins/podtopologyspread PodTopologySpread. */
export class PodTopologySpread implements Plugin {
  readonly name = NAME;
  readonly #handle: Pick<Handle, 'snapshot' | 'listers'>;
  readonly #defaults: readonly ConstraintSpec[];
  readonly #systemDefaulted: boolean;
  readonly #domains: DomainCounts;
  /** Pods of each node, by what is counted. */
  readonly #podsOfNodes = new NodeMemos();

  constructor(args: PodTopologySpreadArgs = {}, handle: Pick<Handle, 'snapshot' | 'listers'>) {
    this.#handle = handle;
    this.#domains = new DomainCounts(handle.snapshot);
    this.#systemDefaulted = (args.defaultingType ?? 'System') === 'System';
    this.#defaults = this.#systemDefaulted ? SYSTEM_DEFAULT_CONSTRAINTS : (args.defaultConstraints ?? []);
  }

  #constraintsOf(pod: Pod, action: UnsatisfiableAction): readonly TopologySpreadConstraint[] {
    return constraintsOf(pod, action, { constraints: this.#defaults, listers: this.#handle.listers });
  }

  preFilter(state: CycleState, pod: Pod): { status?: Status } {
    const constraints = this.#constraintsOf(pod, 'DoNotSchedule');
    if (constraints.length === 0) return { status: SKIP };
    const affinity = requiredNodeAffinity(pod);
    const keys = constraints.map((one) => one.topologyKey);
    const counts = constraints.map((constraint) => this.#domains.podsByValue(constraint, { keys, affinity }));
    const data = new PreFilterState({ constraints, affinity, counts });
    state.write(PRE_FILTER, data);
    return {};
  }

  addPod(state: CycleState, _pod: Pod, { pod, nodeInfo }: { readonly pod: PodInfo; readonly nodeInfo: NodeInfo }): undefined {
    updateWithPod(state.read(PRE_FILTER), { pod: pod.pod, node: nodeInfo.node, amount: 1 });
  }

  removePod(state: CycleState, _pod: Pod, { pod, nodeInfo }: { readonly pod: PodInfo; readonly nodeInfo: NodeInfo }): undefined {
    updateWithPod(state.read(PRE_FILTER), { pod: pod.pod, node: nodeInfo.node, amount: -1 });
  }

  filter(state: CycleState, pod: Pod, { node }: NodeInfo): Status | undefined {
    const data = state.read(PRE_FILTER);
    if (!data) return undefined;
    for (let i = 0; i < data.constraints.length; i++) {
      const value = node?.metadata.labels?.[data.constraints[i]?.topologyKey ?? ''];
      if (value === undefined) return NO_LABEL;
      if (!data.isWithinSkew(i, value, pod)) return SKEWED;
    }
    return undefined;
  }

  /** Nodes of the values that the first constraint leaves. */
  candidatePlaces(state: CycleState, limit: number): readonly number[] | undefined {
    const data = state.read(PRE_FILTER);
    const [constraint] = data?.constraints ?? [];
    if (!data || !constraint) return undefined;
    const places = this.#handle.snapshot.placesByLabel(constraint.topologyKey);
    // Walking over as many values as there are nodes would spare nothing.
    if (places.size > MAX_VALUES) return undefined;
    return joinPlaces(
      [...places].flatMap(([value, of]) => (data.isWithinSkew(0, value, constraint.pod) ? [of] : [])),
      limit,
    );
  }

  preScore(state: CycleState, pod: Pod, nodes: readonly NodeInfo[]): Status | undefined {
    const constraints = this.#constraintsOf(pod, 'ScheduleAnyway');
    if (constraints.length === 0) return SKIP;
    // Without zones in the cluster default constraints still spread over hosts.
    const requireAll = (pod.spec?.topologySpreadConstraints?.length ?? 0) > 0 || !this.#systemDefaulted;
    const ignored = new Set<string>();
    if (requireAll) for (const { node, name } of nodes) if (!node || !hasAllKeys(node, constraints)) ignored.add(name);
    const where: Where = { affinity: requiredNodeAffinity(pod), keys: requireAll ? constraints.map((one) => one.topologyKey) : [] };
    const data: PreScoreState = {
      constraints: constraints.map((one) =>
        one.topologyKey === HOSTNAME
          ? this.#hostConstraint(one, nodes.length - ignored.size)
          : this.#domainConstraint(one, { nodes, ignored, where }),
      ),
      ignored,
      clone: () => data,
    };
    state.write(PRE_SCORE, data);
    return undefined;
  }

  #hostConstraint(constraint: TopologySpreadConstraint, hosts: number): ScoredConstraint {
    const memo = this.#podsOfNodes.get(constraint.countKey);
    const compute = (nodeInfo: NodeInfo): number => constraint.count(nodeInfo);
    return {
      maxSkew: constraint.maxSkew,
      weight: topologyNormalizingWeight(hosts),
      values: this.#handle.snapshot.valuesOfLabel(HOSTNAME),
      count: (nodeInfo) => memo.of(nodeInfo, compute),
    };
  }

  /** Adds up pods over all nodes, for values that a node in question has. */
  #domainConstraint(
    constraint: TopologySpreadConstraint,
    { nodes, ignored, where }: { readonly nodes: readonly NodeInfo[]; readonly ignored: ReadonlySet<string>; readonly where: Where },
  ): ScoredConstraint {
    const { snapshot } = this.#handle;
    const values = snapshot.valuesOfLabel(constraint.topologyKey);
    const present = new Set<string | undefined>();
    // Where no node has the label, as zones are missing in many clusters, all are of one kind.
    const differ = snapshot.placesByLabel(constraint.topologyKey).size > 0;
    for (const { place, name } of differ ? nodes : nodes.slice(0, 1))
      if (ignored.size === 0 || !ignored.has(name)) present.add(values[place]);
    const pods = this.#domains.podsByValue(constraint, where);
    return {
      maxSkew: constraint.maxSkew,
      weight: topologyNormalizingWeight(present.size),
      values,
      count: (_nodeInfo, value) => pods.get(value) ?? 0,
    };
  }

  score(state: CycleState, _pod: Pod, nodeInfo: NodeInfo): number {
    const data = state.read(PRE_SCORE);
    if (!data || (data.ignored.size > 0 && data.ignored.has(nodeInfo.name))) return 0;
    let score = 0;
    for (const { maxSkew, weight, values, count } of data.constraints) {
      const value = values[nodeInfo.place];
      if (value !== undefined) score += count(nodeInfo, value) * weight + (maxSkew - 1);
    }
    return Math.round(score);
  }

  normalizeScore(state: CycleState, _pod: Pod, scores: readonly NodeScore[]): void {
    const ignored = state.read(PRE_SCORE)?.ignored;
    let min = Number.POSITIVE_INFINITY;
    let max = 0;
    for (const { name, score } of scores) {
      if (ignored?.has(name)) continue;
      min = Math.min(min, score);
      max = Math.max(max, score);
    }
    for (const one of scores) {
      if (ignored?.has(one.name)) one.score = 0;
      else one.score = max === 0 ? MAX_NODE_SCORE : Math.trunc((MAX_NODE_SCORE * (max + min - one.score)) / max);
    }
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    return podTopologySpreadEvents((pod) => this.#constraintsOf(pod, 'DoNotSchedule'));
  }
}

/** podtopologyspread topologyNormalizingWeight: many values are less of a difference each. */
function topologyNormalizingWeight(values: number): number {
  return Math.log(values + 2);
}

function updateWithPod(
  data: PreFilterState | undefined,
  change: { readonly pod: Pod; readonly node: Node | undefined; readonly amount: 1 | -1 },
): void {
  const { pod, node, amount } = change;
  if (!data || !node || !hasAllKeys(node, data.constraints)) return;
  data.constraints.forEach((constraint, i) => {
    if (constraint.selects(pod) && constraint.includes(node, data.affinity)) {
      data.add(i, node.metadata.labels?.[constraint.topologyKey] ?? '', amount);
    }
  });
}

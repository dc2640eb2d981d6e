import { HostPortInfo } from '../../../src/api/host-ports.ts';
import type { Node, Pod, Taint } from '../../../src/api/kinds/core-v1.ts';
import { invariant } from '../../../src/sim/invariant.ts';
import type { PodInfo } from './pod-info.ts';
import { amountsOf, isScalarResourceName } from './resource.ts';

/** An image and the nodes that have it: framework.ImageStateSummary. Shared by all of them. */
interface ImageState {
  readonly size: number;
  readonly nodes: ReadonlySet<string>;
}

/** Amounts on a node: framework.Resource. */
export class Resource {
  milliCPU = 0;
  memory = 0;
  ephemeralStorage = 0;
  allowedPodNumber = 0;
  readonly scalarResources: Map<string, number>;

  constructor(scalarResources: Map<string, number> = new Map()) {
    this.scalarResources = scalarResources;
  }

  static fromList(list: Readonly<Record<string, string>> | undefined): Resource {
    const amounts = amountsOf(list);
    const resource = new Resource(new Map([...amounts].filter(([name]) => isScalarResourceName(name))));
    resource.milliCPU = amounts.get('cpu') ?? 0;
    resource.memory = amounts.get('memory') ?? 0;
    resource.ephemeralStorage = amounts.get('ephemeral-storage') ?? 0;
    resource.allowedPodNumber = amounts.get('pods') ?? 0;
    return resource;
  }

  /** Adds (`sign` 1) or takes away (-1) what the pod asks for. */
  account(info: PodInfo, sign: 1 | -1): void {
    this.milliCPU += sign * info.milliCPU;
    this.memory += sign * info.memory;
    this.ephemeralStorage += sign * info.ephemeralStorage;
    for (const [name, amount] of info.scalarResources) {
      this.scalarResources.set(name, (this.scalarResources.get(name) ?? 0) + sign * amount);
    }
  }

  clone(): Resource {
    const copy = new Resource(this.scalarResources.size ? new Map(this.scalarResources) : new Map());
    copy.milliCPU = this.milliCPU;
    copy.memory = this.memory;
    copy.ephemeralStorage = this.ephemeralStorage;
    copy.allowedPodNumber = this.allowedPodNumber;
    return copy;
  }
}

interface PodCount {
  readonly matches: (pod: Pod) => boolean;
  count: number;
}

/** Selectors come and go with ReplicaSets; the counts of old ones are dropped now and then. */
const MAX_POD_COUNTS = 50;

const NO_IMAGES: ReadonlyMap<string, ImageState> = new Map();
const NO_RESOURCES = new Resource();

/** Pods that have the same namespace, labels and affinity. */
export interface PodClass {
  readonly info: PodInfo;
  readonly count: number;
}

function classesOf(pods: readonly PodInfo[]): readonly PodClass[] {
  const classes = new Map<string, { info: PodInfo; count: number }>();
  for (const info of pods) {
    const one = classes.get(info.affinityClass);
    if (one) one.count++;
    else classes.set(info.affinityClass, { info, count: 1 });
  }
  return [...classes.values()];
}

/** A node and what is on it, added up: framework.NodeInfo (pkg/scheduler/framework/types.go). */
export class NodeInfo {
  /** Absent while only pods of the node are known. */
  node: Node | undefined;
  name = '';
  /** Of the node's spec; here because every cycle asks hundreds of nodes for them. */
  taints: readonly Taint[] | undefined;
  unschedulable = false;
  pods: PodInfo[] = [];
  podsWithAffinity: PodInfo[] = [];
  podsWithRequiredAntiAffinity: PodInfo[] = [];
  usedPorts = new HostPortInfo();
  requested = new Resource();
  nonZeroMilliCPU = 0;
  nonZeroMemory = 0;
  allocatable = NO_RESOURCES;
  imageStates = NO_IMAGES;
  /** How many pods of the node use a claim, by `namespace/name`. */
  pvcRefCounts = new Map<string, number>();
  /** Given by who keeps the node, anew after every change and never twice; 0 for states that nobody numbers, as in what-if runs. */
  generation = 0;
  /** Where the node is in the list of its snapshot. */
  place = 0;
  readonly #podCounts = new Map<string, PodCount>();
  /** How often pods came or went. */
  #podChanges = 0;
  /** What this is a copy of, as long as both have the same pods. */
  #original: { readonly info: NodeInfo; readonly podChanges: number } | undefined;
  #podClasses: readonly PodClass[] | undefined;

  setNode(node: Node): void {
    this.generation = 0;
    this.node = node;
    this.name = node.metadata.name ?? '';
    this.taints = node.spec?.taints;
    this.unschedulable = node.spec?.unschedulable === true;
    this.allocatable = Resource.fromList(node.status?.allocatable);
  }

  addPodInfo(info: PodInfo): void {
    this.pods.push(info);
    if (info.hasAffinity) this.podsWithAffinity.push(info);
    if (info.requiredAntiAffinityTerms.length) this.podsWithRequiredAntiAffinity.push(info);
    this.#account(info, 1);
  }

  removePod(pod: Pod): void {
    const removed = removeByUid(this.pods, pod);
    invariant(removed, `pod ${pod.metadata.namespace}/${pod.metadata.name} is on node ${this.name}`);
    removeByUid(this.podsWithAffinity, pod);
    removeByUid(this.podsWithRequiredAntiAffinity, pod);
    this.#account(removed, -1);
  }

  /** A copy that can be changed without changing this one: NodeInfo.Snapshot. */
  clone(): NodeInfo {
    const copy = new NodeInfo();
    copy.node = this.node;
    copy.name = this.name;
    copy.taints = this.taints;
    copy.unschedulable = this.unschedulable;
    copy.pods = this.pods.slice();
    copy.podsWithAffinity = this.podsWithAffinity.slice();
    copy.podsWithRequiredAntiAffinity = this.podsWithRequiredAntiAffinity.slice();
    if (!this.usedPorts.isEmpty) copy.usedPorts = this.usedPorts.clone();
    copy.requested = this.requested.clone();
    copy.nonZeroMilliCPU = this.nonZeroMilliCPU;
    copy.nonZeroMemory = this.nonZeroMemory;
    copy.allocatable = this.allocatable;
    copy.imageStates = this.imageStates;
    if (this.pvcRefCounts.size) copy.pvcRefCounts = new Map(this.pvcRefCounts);
    copy.generation = this.generation;
    copy.#original = { info: this, podChanges: this.#podChanges };
    return copy;
  }

  /** How many pods here satisfy `matches`; remembered under `key`, and kept up to date as pods come and go. */
  countPods(key: string, matches: (pod: Pod) => boolean): number {
    let known = this.#podCounts.get(key);
    if (!known) {
      known = { matches, count: this.#count(key, matches) };
      if (this.#podCounts.size >= MAX_POD_COUNTS) this.#podCounts.clear();
      this.#podCounts.set(key, known);
    }
    return known.count;
  }

  #count(key: string, matches: (pod: Pod) => boolean): number {
    const original = this.#original;
    if (original && original.podChanges === original.info.#podChanges) return original.info.countPods(key, matches);
    let count = 0;
    for (const { pod } of this.pods) if (matches(pod)) count++;
    return count;
  }

  /** Its pods, those together that are the same to inter-pod affinity: replicas mostly are. */
  get podClasses(): readonly PodClass[] {
    this.#podClasses ??= classesOf(this.pods);
    return this.#podClasses;
  }

  #account(info: PodInfo, sign: 1 | -1): void {
    this.#podChanges++;
    this.generation = 0;
    this.#original = undefined;
    for (const known of this.#podCounts.values()) if (known.matches(info.pod)) known.count += sign;
    this.#podClasses = undefined;
    this.requested.account(info, sign);
    this.nonZeroMilliCPU += sign * info.nonZeroMilliCPU;
    this.nonZeroMemory += sign * info.nonZeroMemory;
    for (const port of info.hostPorts) {
      if (sign > 0) this.usedPorts.add(port);
      else this.usedPorts.remove(port);
    }
    for (const claim of info.claims) {
      const count = (this.pvcRefCounts.get(claim) ?? 0) + sign;
      if (count > 0) this.pvcRefCounts.set(claim, count);
      else this.pvcRefCounts.delete(claim);
    }
  }
}

/** Takes the pod out by its UID; the last one takes its place, as upstream does. */
function removeByUid(infos: PodInfo[], pod: Pod): PodInfo | undefined {
  const index = infos.findIndex((info) => info.pod.metadata.uid === pod.metadata.uid);
  if (index < 0) return undefined;
  const removed = infos[index];
  const last = infos.pop();
  if (last && index < infos.length) infos[index] = last;
  return removed;
}

import type { DaemonSet } from '../../../src/api/kinds/apps-v1.ts';
import type { Node, Pod } from '../../../src/api/kinds/core-v1.ts';
import { isPodAvailable } from '../controller/controller-utils.ts';
import { isPodUpdated, nodeShouldRunDaemonPod, rollingUpdateLimits } from './daemonset-util.ts';

/** What is to change on the nodes. */
export interface NodeChanges {
  readonly podsToDelete: readonly string[];
  readonly nodesNeedingDaemonPods: readonly string[];
}

export interface RollingUpdateOptions {
  readonly ds: DaemonSet;
  readonly nodes: readonly Node[];
  readonly podsByNode: ReadonlyMap<string, readonly Pod[]>;
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The pods of one node that are not being deleted. */
interface PodsOnNode {
  readonly node: Node;
  readonly newPod: Pod | undefined;
  readonly oldPod: Pod | undefined;
  /** More than one of a kind, which the next `manage` cleans up. */
  readonly ambiguous: boolean;
}

/** Which pods a rolling update takes away, and where it adds some: pkg/controller/daemon/update.go rollingUpdate */
export function rollingUpdate(options: RollingUpdateOptions): NodeChanges {
  const { ds, nodes, podsByNode } = options;
  const wanted = nodes.filter((node) => nodeShouldRunDaemonPod(node, ds).shouldRun);
  const limits = rollingUpdateLimits(ds, wanted.length);
  const isWanted = new Set(wanted);
  const relevant = nodes.filter((node) => isWanted.has(node) || podsByNode.has(node.metadata.name ?? ''));
  const found = relevant.map((node) => findUpdatedPodsOnNode(options, node));
  return limits.maxSurge === 0
    ? replaceInPlace(options, found, limits.maxUnavailable)
    : replaceBySurge(options, found, { maxSurge: limits.maxSurge, desired: wanted.length });
}

/** pkg/controller/daemon/update.go findUpdatedPodsOnNode */
function findUpdatedPodsOnNode({ ds, podsByNode, hash }: RollingUpdateOptions, node: Node): PodsOnNode {
  const pods = (podsByNode.get(node.metadata.name ?? '') ?? []).filter((pod) => pod.metadata.deletionTimestamp === undefined);
  const updated = pods.filter((pod) => isPodUpdated(pod, hash, ds));
  const outdated = pods.filter((pod) => !updated.includes(pod));
  return { node, newPod: updated[0], oldPod: outdated[0], ambiguous: updated.length > 1 || outdated.length > 1 };
}

function nameOf(pod: Pod): string {
  return pod.metadata.name ?? '';
}

function isAvailable({ ds, now }: RollingUpdateOptions, pod: Pod): boolean {
  return isPodAvailable(pod, ds.spec?.minReadySeconds ?? 0, now);
}

/** Old pods go first, at most so many that `maxUnavailable` pods are missing. Differs: nodes are taken in the order of the cache, not at random. */
function replaceInPlace(options: RollingUpdateOptions, found: readonly PodsOnNode[], maxUnavailable: number): NodeChanges {
  let unavailable = 0;
  const replaced: string[] = [];
  const candidates: string[] = [];
  for (const { newPod, oldPod, ambiguous } of found) {
    if (ambiguous || Boolean(newPod) === Boolean(oldPod)) unavailable++;
    else if (newPod) unavailable += isAvailable(options, newPod) ? 0 : 1;
    else if (oldPod && !isAvailable(options, oldPod)) {
      replaced.push(nameOf(oldPod));
      unavailable++;
    } else if (oldPod && unavailable < maxUnavailable) candidates.push(nameOf(oldPod));
  }
  const remaining = Math.max(0, maxUnavailable - unavailable);
  return { podsToDelete: [...replaced, ...candidates.slice(0, remaining)], nodesNeedingDaemonPods: [] };
}

/** New pods come first, beside at most `maxSurge` old ones that still work. */
function replaceBySurge(
  options: RollingUpdateOptions,
  found: readonly PodsOnNode[],
  { maxSurge, desired }: { maxSurge: number; desired: number },
): NodeChanges {
  let surge = 0;
  let available = 0;
  const outdated: string[] = [];
  const misplaced: string[] = [];
  const allowed: string[] = [];
  const candidates: string[] = [];
  for (const { node, newPod, oldPod, ambiguous } of found) {
    const counted = oldPod ?? newPod;
    if (!ambiguous && counted && isAvailable(options, counted)) available++;
    if (ambiguous) surge++;
    else if (oldPod && newPod) {
      if (isAvailable(options, newPod)) outdated.push(nameOf(oldPod));
      else surge++;
    } else if (oldPod) {
      const works = isAvailable(options, oldPod);
      const nodeName = node.metadata.name ?? '';
      if (!nodeShouldRunDaemonPod(node, options.ds).shouldRun) (works ? misplaced : outdated).push(nameOf(oldPod));
      else if (!works) allowed.push(nodeName);
      else if (surge < maxSurge) candidates.push(nodeName);
    }
  }
  return {
    podsToDelete: [...outdated, ...misplaced.slice(0, Math.max(0, available - desired))],
    nodesNeedingDaemonPods: [...allowed, ...candidates.slice(0, Math.max(0, maxSurge - surge))],
  };
}

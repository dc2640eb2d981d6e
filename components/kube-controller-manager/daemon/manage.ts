import type { DaemonSet } from '../../../src/api/kinds/apps-v1.ts';
import type { Node, Pod } from '../../../src/api/kinds/core-v1.ts';
import { isPodAvailable, isPodReady } from '../controller/controller-utils.ts';
import { allowsSurge, nodeShouldRunDaemonPod, REVISION_HASH_LABEL, sortDaemonPods } from './daemonset-util.ts';
import type { NodeChanges } from './update.ts';

export interface ManageOptions {
  readonly ds: DaemonSet;
  readonly nodes: readonly Node[];
  readonly podsByNode: ReadonlyMap<string, readonly Pod[]>;
  readonly hash: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether the pod that has ended is to be deleted now; says so in an event. */
  readonly mayDeleteEnded: (pod: Pod, nodeName: string) => boolean;
}

/** Mutable lists of what is to change. */
interface Changes {
  readonly podsToDelete: string[];
  readonly nodesNeedingDaemonPods: string[];
}

/** Where pods are missing, and which are too many: pkg/controller/daemon/daemon_controller.go manage */
export function manage(options: ManageOptions): NodeChanges {
  const changes: Changes = { podsToDelete: [], nodesNeedingDaemonPods: [] };
  for (const node of options.nodes) podsShouldBeOnNode(options, node, changes);
  const names = new Set(options.nodes.map((node) => node.metadata.name));
  for (const [nodeName, pods] of options.podsByNode) {
    if (!names.has(nodeName)) changes.podsToDelete.push(...pods.filter((pod) => !pod.spec?.nodeName).map(nameOf));
  }
  return changes;
}

function nameOf(pod: Pod): string {
  return pod.metadata.name ?? '';
}

/** pkg/controller/daemon/daemon_controller.go podsShouldBeOnNode */
function podsShouldBeOnNode(options: ManageOptions, node: Node, changes: Changes): void {
  const name = node.metadata.name ?? '';
  const { shouldRun, shouldContinueRunning } = nodeShouldRunDaemonPod(node, options.ds);
  const pods = options.podsByNode.get(name);
  if (shouldRun && !pods) {
    changes.nodesNeedingDaemonPods.push(name);
    return;
  }
  if (!pods) return;
  const present = pods.filter((pod) => pod.metadata.deletionTimestamp === undefined);
  if (!shouldContinueRunning) {
    changes.podsToDelete.push(...present.map(nameOf));
    return;
  }
  const running = present.filter((pod) => !hasEnded(pod));
  const ended = present.filter((pod) => hasEnded(pod) && options.mayDeleteEnded(pod, name));
  changes.podsToDelete.push(...ended.map(nameOf));
  if (!allowsSurge(options.ds)) changes.podsToDelete.push(...sortDaemonPods(running).slice(1).map(nameOf));
  else if (running.length > 1) changes.podsToDelete.push(...surplusOfSurge(options, running).map(nameOf));
  else if (running.length === 0 && shouldRun) changes.nodesNeedingDaemonPods.push(name);
}

function hasEnded(pod: Pod): boolean {
  return pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded';
}

/** Two may stay: the oldest new one, while it is not available, beside the oldest old one, while that is ready. */
function surplusOfSurge({ ds, hash, now }: ManageOptions, running: readonly Pod[]): Pod[] {
  const sorted = sortDaemonPods(running);
  const isNew = (pod: Pod): boolean => pod.metadata.labels?.[REVISION_HASH_LABEL] === hash;
  const newest = sorted.find(isNew);
  const old = sorted.find((pod) => !isNew(pod));
  const surplus = sorted.filter((pod) => pod !== newest && pod !== old);
  if (newest && old && (!isPodReady(old) || isPodAvailable(newest, ds.spec?.minReadySeconds ?? 0, now))) surplus.push(old);
  return surplus;
}

import { getCondition } from '../../../src/api/conditions.ts';
import type { Lease } from '../../../src/api/kinds/coordination-v1.ts';
import type { Node, NodeCondition } from '../../../src/api/kinds/core-v1.ts';
import { formatTime, parseTime } from '../../../src/api/time.ts';

/** --node-monitor-grace-period and --node-startup-grace-period */
const MONITOR_GRACE_PERIOD_MS = 50_000;
const STARTUP_GRACE_PERIOD_MS = 60_000;

/** What the controller last saw of a node. Times are of its own clock. pkg/controller/nodelifecycle nodeHealthData */
export interface NodeHealth {
  /** When the node last gave a sign of life. */
  probeTimestamp: number;
  ready: NodeCondition | undefined;
  renewTime: string | undefined;
}

/** pkg/controller/nodelifecycle getNodeCondition of Ready */
export function readyCondition(node: Node): NodeCondition | undefined {
  return getCondition(node.status?.conditions, 'Ready');
}

/** What the controller knows of a node after it has looked at its status and its lease. pkg/controller/nodelifecycle tryUpdateNodeHealth, first half */
export function observeNode(
  node: Node,
  lease: Lease | undefined,
  { before, now }: { before: NodeHealth | undefined; now: number },
): NodeHealth {
  const ready = readyCondition(node);
  const renewTime = lease?.spec?.renewTime;
  let probeTimestamp = before?.probeTimestamp ?? (ready ? now : (parseTime(node.metadata.creationTimestamp) ?? now));
  if (before && (before.ready === undefined) !== (ready === undefined)) probeTimestamp = now;
  else if (before?.ready && ready && before.ready.lastHeartbeatTime !== ready.lastHeartbeatTime) probeTimestamp = now;
  // A kubelet that renews its lease is alive, even if it never posted a status.
  if (renewTime !== undefined && (before?.renewTime === undefined || before.renewTime < renewTime)) probeTimestamp = now;
  return { probeTimestamp, ready, renewTime: renewTime ?? before?.renewTime };
}

/** How long the node has been silent, in milliseconds, if that is longer than it may be. */
export function silentFor(node: Node, health: NodeHealth, now: number): number | undefined {
  const silence = now - health.probeTimestamp;
  return silence > (readyCondition(node) ? MONITOR_GRACE_PERIOD_MS : STARTUP_GRACE_PERIOD_MS) ? silence : undefined;
}

const MONITORED_CONDITIONS = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'];

/**
 * The node with the conditions of one that nobody has heard of; undefined when Ready says so already.
 * pkg/controller/nodelifecycle tryUpdateNodeHealth, second half
 */
export function withUnknownConditions(node: Node, wallTime: number): Node | undefined {
  if (readyCondition(node)?.status === 'Unknown') return undefined;
  const now = formatTime(wallTime);
  const conditions = [...(node.status?.conditions ?? [])];
  for (const type of MONITORED_CONDITIONS) {
    const index = conditions.findIndex((condition) => condition.type === type);
    const before = conditions[index];
    if (!before) conditions.push(neverUpdated(type, node.metadata.creationTimestamp ?? now, now));
    else if (before.status !== 'Unknown') {
      const message = 'Kubelet stopped posting node status.';
      conditions[index] = { ...before, status: 'Unknown', lastTransitionTime: now, reason: 'NodeStatusUnknown', message };
    }
  }
  return { ...node, status: { ...node.status, conditions } };
}

function neverUpdated(type: string, created: string, now: string): NodeCondition {
  const message = 'Kubelet never posted node status.';
  return { type, status: 'Unknown', lastHeartbeatTime: created, lastTransitionTime: now, reason: 'NodeStatusNeverUpdated', message };
}

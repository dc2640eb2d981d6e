import type { Node } from '../../../src/api/kinds/core-v1.ts';
import { matchTaint } from '../../../src/api/taints.ts';
import type { TaintKey } from './node-taints.ts';

const PREFIX = 'node.kubernetes.io/';
const UNSCHEDULABLE = `${PREFIX}unschedulable`;

export const NOT_READY_TAINT: TaintKey = { key: `${PREFIX}not-ready`, effect: 'NoExecute' };
export const UNREACHABLE_TAINT: TaintKey = { key: `${PREFIX}unreachable`, effect: 'NoExecute' };

/** Which taint stands for which status of a condition. pkg/controller/nodelifecycle nodeConditionToTaintKeyStatusMap */
const TAINT_OF_CONDITION: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: { False: `${PREFIX}not-ready`, Unknown: `${PREFIX}unreachable` },
  MemoryPressure: { True: `${PREFIX}memory-pressure` },
  DiskPressure: { True: `${PREFIX}disk-pressure` },
  NetworkUnavailable: { True: `${PREFIX}network-unavailable` },
  PIDPressure: { True: `${PREFIX}pid-pressure` },
};
const CONTROLLED_KEYS = new Set([UNSCHEDULABLE, ...Object.values(TAINT_OF_CONDITION).flatMap((taints) => Object.values(taints))]);

/** Which NoSchedule taints a node lacks, and which it has for no reason. pkg/controller/nodelifecycle doNoScheduleTaintingPass */
export function noScheduleTaintDiff(node: Node): { add: TaintKey[]; remove: TaintKey[] } {
  const wanted: TaintKey[] = [];
  for (const { type, status } of node.status?.conditions ?? []) {
    const key = TAINT_OF_CONDITION[type]?.[status];
    if (key) wanted.push({ key, effect: 'NoSchedule' });
  }
  if (node.spec?.unschedulable) wanted.push({ key: UNSCHEDULABLE, effect: 'NoSchedule' });
  const present = (node.spec?.taints ?? []).filter(({ key, effect }) => effect === 'NoSchedule' && CONTROLLED_KEYS.has(key));
  return {
    add: wanted.filter((taint) => !present.some((other) => matchTaint(other, taint))),
    remove: present.filter((taint) => !wanted.some((other) => matchTaint(other, taint))),
  };
}

/** Deprecated labels that have to say the same as their successors. pkg/controller/nodelifecycle labelReconcileInfo */
const RECONCILED_LABELS: readonly (readonly [primary: string, secondary: string])[] = [
  ['kubernetes.io/os', 'beta.kubernetes.io/os'],
  ['kubernetes.io/arch', 'beta.kubernetes.io/arch'],
];

/** The labels that a node should get; empty when all is well. pkg/controller/nodelifecycle reconcileNodeLabels */
export function labelsToUpdate({ metadata: { labels } }: Node): Record<string, string> {
  const updates: Record<string, string> = {};
  for (const [primary, secondary] of RECONCILED_LABELS) {
    const value = labels?.[primary];
    if (value !== undefined && labels?.[secondary] !== value) updates[secondary] = value;
  }
  return updates;
}

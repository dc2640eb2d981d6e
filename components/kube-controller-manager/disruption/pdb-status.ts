import { getCondition } from '../../../src/api/conditions.ts';
import { semanticDeepEqual } from '../../../src/api/deep-equal.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import type { Condition } from '../../../src/api/kinds/meta-v1.ts';
import type { PodDisruptionBudget, PodDisruptionBudgetStatus } from '../../../src/api/kinds/policy-v1.ts';
import { formatTime, parseTime } from '../../../src/api/time.ts';
import { isPodReady } from '../controller/controller-utils.ts';

const DISRUPTION_ALLOWED = 'DisruptionAllowed';
/** How long a pod that was evicted may take until it is being deleted. pkg/controller/disruption DeletionTimeout */
const DELETION_TIMEOUT_MS = 2 * 60_000;

/** Evicted pods that are not being deleted yet, those for which that has taken too long, and when to look again. */
export interface DisruptedPods {
  readonly disrupted: Readonly<Record<string, string>>;
  readonly overdue: readonly Pod[];
  readonly recheckAt: number | undefined;
}

/** pkg/controller/disruption buildDisruptedPodMap */
export function buildDisruptedPodMap(pods: readonly Pod[], { status }: PodDisruptionBudget, wallTime: number): DisruptedPods {
  const disrupted: Record<string, string> = {};
  const overdue: Pod[] = [];
  let recheckAt: number | undefined;
  for (const pod of pods) {
    const { name = '', deletionTimestamp } = pod.metadata;
    const time = status?.disruptedPods?.[name];
    if (deletionTimestamp || time === undefined) continue;
    const expected = (parseTime(time) ?? 0) + DELETION_TIMEOUT_MS;
    if (expected < wallTime) overdue.push(pod);
    else {
      disrupted[name] = time;
      recheckAt = Math.min(recheckAt ?? expected, expected);
    }
  }
  return { disrupted, overdue, recheckAt };
}

/** pkg/controller/disruption countHealthyPods */
export function countHealthyPods(pods: readonly Pod[], disrupted: Readonly<Record<string, string>>): number {
  return pods.filter((pod) => !pod.metadata.deletionTimestamp && !(pod.metadata.name && disrupted[pod.metadata.name]) && isPodReady(pod))
    .length;
}

interface Counts {
  readonly currentHealthy: number;
  readonly desiredHealthy: number;
  readonly expectedPods: number;
  readonly disruptedPods: Readonly<Record<string, string>>;
}

/** The budget with its new status; undefined when it has it already. pkg/controller/disruption updatePdbStatus */
export function withStatus(pdb: PodDisruptionBudget, counts: Counts, wallTime: number): PodDisruptionBudget | undefined {
  const { generation = 0 } = pdb.metadata;
  const { currentHealthy, desiredHealthy, expectedPods, disruptedPods } = counts;
  const disruptionsAllowed = expectedPods > 0 ? Math.max(0, currentHealthy - desiredHealthy) : 0;
  const isAllowed = disruptionsAllowed > 0;
  const condition = { status: isAllowed ? 'True' : 'False', reason: isAllowed ? 'SufficientPods' : 'InsufficientPods', message: '' };
  const status: PodDisruptionBudgetStatus = {
    ...(Object.keys(disruptedPods).length > 0 ? { disruptedPods: { ...disruptedPods } } : {}),
    disruptionsAllowed,
    currentHealthy,
    desiredHealthy,
    expectedPods,
    observedGeneration: generation,
    conditions: setCondition(pdb.status?.conditions, condition, { generation, wallTime }),
  };
  return semanticDeepEqual(pdb.status, status) ? undefined : { ...pdb, status };
}

/** The budget that allows nothing because its status could not be worked out. pkg/controller/disruption failSafe */
export function withSyncFailure(pdb: PodDisruptionBudget, message: string, wallTime: number): PodDisruptionBudget {
  const generation = pdb.status?.observedGeneration ?? 0;
  const conditions = setCondition(pdb.status?.conditions, { status: 'False', reason: 'SyncFailed', message }, { generation, wallTime });
  const { currentHealthy = 0, desiredHealthy = 0, expectedPods = 0, ...rest } = pdb.status ?? {};
  return { ...pdb, status: { ...rest, currentHealthy, desiredHealthy, expectedPods, disruptionsAllowed: 0, conditions } };
}

function setCondition(
  conditions: readonly Condition[] = [],
  wanted: Pick<Condition, 'status' | 'reason' | 'message'>,
  { generation, wallTime }: { generation: number; wallTime: number },
): Condition[] {
  const old = getCondition(conditions, DISRUPTION_ALLOWED);
  const lastTransitionTime = old?.status === wanted.status ? old.lastTransitionTime : formatTime(wallTime);
  const next: Condition = {
    type: DISRUPTION_ALLOWED,
    status: wanted.status,
    ...(generation ? { observedGeneration: generation } : {}),
    lastTransitionTime,
    reason: wanted.reason,
    message: wanted.message,
  };
  return old ? conditions.map((condition) => (condition === old ? next : condition)) : [...conditions, next];
}

import type {
  Job,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
} from '../../../src/api/kinds/batch-v1.ts';
import type { ContainerStatus, Pod, PodCondition } from '../../../src/api/kinds/core-v1.ts';
import { keyOf } from '../../../src/api/object.ts';
import { isPodFailed } from './job-utils.ts';

/** What the first rule that matches says about a failed pod. */
export interface PolicyDecision {
  /** Counts towards backoffLimit. */
  readonly countFailed: boolean;
  /** `Ignore`, `Count`, `FailIndex` or `FailJob`; undefined when no rule matches. */
  readonly action?: string;
  /** Of FailJob. */
  readonly message?: string;
}

/** pkg/controller/job/pod_failure_policy.go matchPodFailurePolicy */
export function matchPodFailurePolicy(job: Job, pod: Pod): PolicyDecision {
  const rules = job.spec?.podFailurePolicy?.rules ?? [];
  for (const [index, { action, onExitCodes, onPodConditions }] of rules.entries()) {
    const container = onExitCodes && matchOnExitCodes(pod, onExitCodes);
    const condition = onExitCodes ? undefined : matchOnPodConditions(pod, onPodConditions ?? []);
    if (!container && !condition) continue;
    if (action === 'Ignore') return { countFailed: false, action };
    if (action !== 'FailJob') return { countFailed: true, action };
    const what = container
      ? `Container ${container.name} for pod ${keyOf(pod)} failed with exit code ${container.state?.terminated?.exitCode}`
      : `Pod ${keyOf(pod)} has condition ${condition?.type}`;
    return { countFailed: true, action, message: `${what} matching ${action} rule at index ${index}` };
  }
  return { countFailed: true };
}

/** Why the whole Job fails; undefined when no pod says so. pkg/controller/job/job_controller.go getFailJobMessage */
export function getFailJobMessage(job: Job, pods: readonly Pod[]): string | undefined {
  if (!job.spec?.podFailurePolicy) return undefined;
  for (const pod of pods) {
    const message = isPodFailed(pod, job) ? matchPodFailurePolicy(job, pod).message : undefined;
    if (message !== undefined) return message;
  }
  return undefined;
}

/** pkg/controller/job/pod_failure_policy.go matchOnExitCodes */
function matchOnExitCodes(pod: Pod, requirement: PodFailurePolicyOnExitCodesRequirement): ContainerStatus | undefined {
  const matches = ({ name, state }: ContainerStatus): boolean => {
    const exitCode = state?.terminated?.exitCode;
    if (!exitCode) return false;
    if (requirement.containerName !== undefined && requirement.containerName !== name) return false;
    return requirement.values.includes(exitCode) === (requirement.operator === 'In');
  };
  return pod.status?.containerStatuses?.find(matches) ?? pod.status?.initContainerStatuses?.find(matches);
}

/** pkg/controller/job/pod_failure_policy.go matchOnPodConditions */
function matchOnPodConditions(pod: Pod, patterns: readonly PodFailurePolicyOnPodConditionsPattern[]): PodCondition | undefined {
  return pod.status?.conditions?.find(({ type, status }) => patterns.some((pattern) => pattern.type === type && pattern.status === status));
}

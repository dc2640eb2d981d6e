import type { Pod } from '../../../../src/api/kinds/core-v1.ts';
import type { KindRules } from '../kind-strategy.ts';
import { setDefaultsPod } from './pod-defaults.ts';
import { mergeMatchLabelKeys } from './pod-match-label-keys.ts';
import { computePodQOS } from './pod-qos.ts';
import { validatePod } from './pod-spec-validation.ts';

const GATED = {
  type: 'PodScheduled',
  status: 'False',
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
};

/** kubernetes pkg/registry/core/pod podStrategy */
export const podRules: KindRules<Pod> = {
  defaults: setDefaultsPod,
  validate: validatePod,
  hasStatus: true,
  generation: true,
  prepareForCreate: (pod) => {
    const status = {
      phase: 'Pending',
      qosClass: computePodQOS(pod),
      ...(pod.spec?.schedulingGates?.length ? { conditions: [GATED] } : {}),
    };
    return mergeMatchLabelKeys({ ...pod, status });
  },
};

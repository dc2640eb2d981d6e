import type { HorizontalPodAutoscaler, HPAScalingRules } from '../../../../src/api/kinds/autoscaling-v2.ts';

/** kubernetes pkg/apis/autoscaling/v2 SetDefaults_HorizontalPodAutoscaler */
export function setDefaultsHorizontalPodAutoscaler({ spec }: HorizontalPodAutoscaler): void {
  if (!spec) return;
  spec.minReplicas ??= 1;
  if (!spec.metrics?.length)
    spec.metrics = [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }];
  if (!spec.behavior) return;
  const scaleUp = { stabilizationWindowSeconds: 0, ...defaultRules(SCALE_UP), ...spec.behavior.scaleUp };
  const scaleDown = { ...defaultRules(SCALE_DOWN), ...spec.behavior.scaleDown };
  if (!scaleUp.policies?.length) scaleUp.policies = SCALE_UP.map((policy) => ({ ...policy }));
  if (!scaleDown.policies?.length) scaleDown.policies = SCALE_DOWN.map((policy) => ({ ...policy }));
  spec.behavior = { ...spec.behavior, scaleUp, scaleDown };
}

const SCALE_UP = [
  { type: 'Pods', value: 4, periodSeconds: 15 },
  { type: 'Percent', value: 100, periodSeconds: 15 },
];
const SCALE_DOWN = [{ type: 'Percent', value: 100, periodSeconds: 15 }];

function defaultRules(policies: readonly { type: string; value: number; periodSeconds: number }[]): HPAScalingRules {
  return { selectPolicy: 'Max', policies: policies.map((policy) => ({ ...policy })) };
}

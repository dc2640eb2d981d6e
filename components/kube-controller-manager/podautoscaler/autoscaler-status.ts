import type {
  HorizontalPodAutoscalerCondition,
  HorizontalPodAutoscalerStatus,
  MetricStatus,
} from '../../../src/api/kinds/autoscaling-v2.ts';
import { formatTime } from '../../../src/api/time.ts';

/** A condition without its time. */
export interface ConditionChange {
  readonly type: 'AbleToScale' | 'ScalingActive' | 'ScalingLimited';
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
}

/** What a sync makes of an autoscaler's status; it is written once, at the end. pkg/controller/podautoscaler/horizontal.go setCondition, setStatus */
export class AutoscalerStatus {
  readonly #wallTime: () => number;
  #status: HorizontalPodAutoscalerStatus;

  constructor(status: HorizontalPodAutoscalerStatus | undefined, wallTime: () => number) {
    this.#status = status ?? { desiredReplicas: 0 };
    this.#wallTime = wallTime;
  }

  get value(): HorizontalPodAutoscalerStatus {
    return this.#status;
  }

  /** The time of a condition changes only with its status; conditions stay in the order in which they came. horizontal.go setConditionInList */
  setCondition(change: ConditionChange): void {
    const conditions: HorizontalPodAutoscalerCondition[] = [...(this.#status.conditions ?? [])];
    const index = conditions.findIndex(({ type }) => type === change.type);
    const before = conditions[index];
    const same = before?.status === change.status ? before.lastTransitionTime : undefined;
    const condition = { ...change, lastTransitionTime: same ?? formatTime(this.#wallTime()) };
    if (before) conditions[index] = condition;
    else conditions.push(condition);
    this.#status = { ...this.#status, conditions };
  }

  setReplicas(what: {
    currentReplicas: number;
    desiredReplicas?: number;
    metrics: readonly MetricStatus[] | undefined;
    rescaled?: boolean;
  }): void {
    const { currentReplicas, desiredReplicas = this.#status.desiredReplicas, metrics, rescaled } = what;
    const { conditions, lastScaleTime } = this.#status;
    const scaleTime = rescaled ? formatTime(this.#wallTime()) : lastScaleTime;
    this.#status = {
      currentReplicas,
      desiredReplicas,
      ...(metrics ? { currentMetrics: [...metrics] } : {}),
      ...(scaleTime ? { lastScaleTime: scaleTime } : {}),
      ...(conditions ? { conditions } : {}),
    };
  }
}

import type { HorizontalPodAutoscalerBehavior, HPAScalingPolicy, HPAScalingRules } from '../../../src/api/kinds/autoscaling-v2.ts';
import type { AutoscalerStatus } from './autoscaler-status.ts';

const SCALE_UP_LIMIT_FACTOR = 2;
const SCALE_UP_LIMIT_MINIMUM = 4;

const STABILIZED = {
  up: 'recent recommendations were lower than current one, applying the lowest recent recommendation',
  down: 'recent recommendations were higher than current one, applying the highest recent recommendation',
} as const;
const LIMITS = {
  ScaleUpLimit: 'the desired replica count is increasing faster than the maximum scale rate',
  ScaleDownLimit: 'the desired replica count is decreasing faster than the maximum scale rate',
  TooManyReplicas: 'the desired replica count is more than the maximum replica count',
  TooFewReplicas: 'the desired replica count is less than the minimum replica count',
  DesiredWithinRange: 'the desired count is within the acceptable range',
} as const;

interface Recommendation {
  readonly time: number;
  readonly replicas: number;
}

interface ScaleEvent {
  readonly time: number;
  readonly change: number;
}

/** What is wanted for one autoscaler, and within which bounds. */
export interface Wish {
  readonly currentReplicas: number;
  readonly desiredReplicas: number;
  readonly minReplicas: number;
  readonly maxReplicas: number;
}

interface Limited {
  readonly replicas: number;
  readonly reason: keyof typeof LIMITS;
}

/** What one autoscaler wanted and did of late: that slows down what it does next. pkg/controller/podautoscaler/horizontal.go recommendations, scaleUpEvents, scaleDownEvents */
export class Recommendations {
  readonly #downscaleStabilizationMs: number;
  #recommendations: Recommendation[];
  #up: ScaleEvent[] = [];
  #down: ScaleEvent[] = [];

  /** horizontal.go recordInitialRecommendation */
  constructor(initial: Recommendation, downscaleStabilizationMs: number) {
    this.#downscaleStabilizationMs = downscaleStabilizationMs;
    this.#recommendations = [initial];
  }

  /** horizontal.go normalizeDesiredReplicas */
  normalize(wish: Wish, status: AutoscalerStatus, now: number): number {
    const recent = this.#recommendations.filter(({ time }) => time >= now - this.#downscaleStabilizationMs);
    const stabilized = Math.max(wish.desiredReplicas, ...recent.map(({ replicas }) => replicas));
    this.#recommendations = [...recent, { time: now, replicas: wish.desiredReplicas }];
    reportStability(status, stabilized === wish.desiredReplicas ? undefined : 'down');
    const limited = limitWithRules({ ...wish, desiredReplicas: stabilized });
    reportLimit(status, limited, stabilized);
    return limited.replicas;
  }

  /** horizontal.go normalizeDesiredReplicasWithBehaviors */
  normalizeWithBehaviors(
    wish: Wish,
    behavior: HorizontalPodAutoscalerBehavior,
    { status, now }: { status: AutoscalerStatus; now: number },
  ): number {
    const stabilized = this.#stabilizeWithBehaviors(wish, behavior, now);
    const direction = wish.desiredReplicas >= wish.currentReplicas ? 'up' : 'down';
    reportStability(status, stabilized === wish.desiredReplicas ? undefined : direction);
    const limited = this.#limitWithBehaviors({ ...wish, desiredReplicas: stabilized }, behavior, now);
    reportLimit(status, limited, stabilized);
    return limited.replicas;
  }

  /** horizontal.go stabilizeRecommendationWithBehaviors */
  #stabilizeWithBehaviors({ currentReplicas, desiredReplicas }: Wish, behavior: HorizontalPodAutoscalerBehavior, now: number): number {
    const windowOf = (rules: HPAScalingRules | undefined, standard: number): number =>
      rules?.stabilizationWindowSeconds === undefined ? standard : rules.stabilizationWindowSeconds * 1000;
    const upFrom = now - windowOf(behavior.scaleUp, 0);
    const downFrom = now - windowOf(behavior.scaleDown, this.#downscaleStabilizationMs);
    const since = (from: number): number[] => this.#recommendations.filter(({ time }) => time > from).map(({ replicas }) => replicas);
    const lowest = Math.min(desiredReplicas, ...since(upFrom));
    const highest = Math.max(desiredReplicas, ...since(downFrom));
    const kept = this.#recommendations.filter(({ time }) => time >= Math.min(upFrom, downFrom));
    this.#recommendations = [...kept, { time: now, replicas: desiredReplicas }];
    return Math.min(Math.max(currentReplicas, lowest), highest);
  }

  /** horizontal.go convertDesiredReplicasWithBehaviorRate */
  #limitWithBehaviors(
    { currentReplicas, desiredReplicas, minReplicas, maxReplicas }: Wish,
    behavior: HorizontalPodAutoscalerBehavior,
    now: number,
  ): Limited {
    const limitOf = (rules: HPAScalingRules | undefined, direction: 'up' | 'down'): number =>
      this.#rateLimit(rules ?? {}, { direction, current: currentReplicas, now });
    if (desiredReplicas > currentReplicas) {
      const limit = Math.max(limitOf(behavior.scaleUp, 'up'), currentReplicas);
      const allowed = Math.min(maxReplicas, limit);
      if (desiredReplicas > allowed) return { replicas: allowed, reason: maxReplicas > limit ? 'ScaleUpLimit' : 'TooManyReplicas' };
    } else if (desiredReplicas < currentReplicas) {
      const limit = Math.min(limitOf(behavior.scaleDown, 'down'), currentReplicas);
      const allowed = Math.max(minReplicas, limit);
      if (desiredReplicas < allowed) return { replicas: allowed, reason: minReplicas < limit ? 'ScaleDownLimit' : 'TooFewReplicas' };
    }
    return { replicas: desiredReplicas, reason: 'DesiredWithinRange' };
  }

  /** horizontal.go calculateScaleUpLimitWithScalingRules, calculateScaleDownLimitWithBehaviors */
  #rateLimit(rules: HPAScalingRules, { direction, current, now }: { direction: 'up' | 'down'; current: number; now: number }): number {
    if (rules.selectPolicy === 'Disabled') return current;
    const limits = (rules.policies ?? []).map((policy) => {
      const since = now - policy.periodSeconds * 1000;
      return limitOf(policy, direction, current - changeSince(this.#up, since) + changeSince(this.#down, since));
    });
    if (limits.length === 0) return current;
    const isLargest = (direction === 'up') === (rules.selectPolicy !== 'Min');
    return isLargest ? Math.max(...limits) : Math.min(...limits);
  }

  /** horizontal.go storeScaleEvent */
  storeScaleEvent(
    behavior: HorizontalPodAutoscalerBehavior | undefined,
    { from, to, now }: { from: number; to: number; now: number },
  ): void {
    if (!behavior) return;
    const longest = (rules: HPAScalingRules | undefined): number =>
      Math.max(0, ...(rules?.policies ?? []).map(({ periodSeconds }) => periodSeconds));
    const oldest = now - Math.max(longest(behavior.scaleUp), longest(behavior.scaleDown)) * 1000;
    const add = (events: readonly ScaleEvent[], change: number): ScaleEvent[] => [
      ...events.filter(({ time }) => time >= oldest),
      { time: now, change },
    ];
    if (to > from) this.#up = add(this.#up, to - from);
    else this.#down = add(this.#down, from - to);
  }
}

/** horizontal.go convertDesiredReplicasWithRules */
function limitWithRules({ currentReplicas, desiredReplicas, minReplicas, maxReplicas }: Wish): Limited {
  const rate = Math.max(SCALE_UP_LIMIT_FACTOR * currentReplicas, SCALE_UP_LIMIT_MINIMUM);
  const upper = Math.min(maxReplicas, rate);
  if (desiredReplicas < minReplicas) return { replicas: minReplicas, reason: 'TooFewReplicas' };
  if (desiredReplicas > upper) return { replicas: upper, reason: maxReplicas > rate ? 'ScaleUpLimit' : 'TooManyReplicas' };
  return { replicas: desiredReplicas, reason: 'DesiredWithinRange' };
}

function limitOf({ type, value }: HPAScalingPolicy, direction: 'up' | 'down', start: number): number {
  if (type === 'Pods') return direction === 'up' ? start + value : start - value;
  return direction === 'up' ? Math.ceil(start * (1 + value / 100)) : Math.trunc(start * (1 - value / 100));
}

function changeSince(events: readonly ScaleEvent[], since: number): number {
  return events.reduce((sum, { time, change }) => (time > since ? sum + change : sum), 0);
}

function reportStability(status: AutoscalerStatus, stabilized: 'up' | 'down' | undefined): void {
  const reason = stabilized ? (stabilized === 'up' ? 'ScaleUpStabilized' : 'ScaleDownStabilized') : 'ReadyForNewScale';
  const message = stabilized ? STABILIZED[stabilized] : 'recommended size matches current size';
  status.setCondition({ type: 'AbleToScale', status: 'True', reason, message });
}

function reportLimit(status: AutoscalerStatus, { replicas, reason }: Limited, wanted: number): void {
  status.setCondition({ type: 'ScalingLimited', status: replicas === wanted ? 'False' : 'True', reason, message: LIMITS[reason] });
}

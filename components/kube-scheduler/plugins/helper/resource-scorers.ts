import { MAX_NODE_SCORE } from '../../framework/interface.ts';

/** kubescheduler.config.k8s.io/v1 ResourceSpec */
export interface ResourceSpec {
  readonly name: string;
  readonly weight?: number;
}

/** kubescheduler.config.k8s.io/v1 UtilizationShapePoint */
export interface UtilizationShapePoint {
  readonly utilization: number;
  readonly score: number;
}

/** kubescheduler.config.k8s.io/v1 ScoringStrategy */
export interface ScoringStrategy {
  readonly type?: 'LeastAllocated' | 'MostAllocated' | 'RequestedToCapacityRatio';
  readonly resources?: readonly ResourceSpec[];
  readonly requestedToCapacityRatio?: { readonly shape?: readonly UtilizationShapePoint[] };
}

/** Scores a node by what is requested and what is allocatable of each resource, side by side. */
export type ResourceScorer = (requested: readonly number[], allocatable: readonly number[]) => number;

const MAX_CUSTOM_SCORE = 10;
const MAX_UTILIZATION = 100;

/** plugins/noderesources least_allocated.go leastResourceScorer */
export function leastResourceScorer(weights: readonly number[]): ResourceScorer {
  return weightedMean(weights, (requested, capacity) =>
    requested > capacity ? 0 : Math.trunc(((capacity - requested) * MAX_NODE_SCORE) / capacity),
  );
}

/** plugins/noderesources most_allocated.go mostResourceScorer. Pods without requests count as a little, so more than all can be requested. */
export function mostResourceScorer(weights: readonly number[]): ResourceScorer {
  return weightedMean(weights, (requested, capacity) => Math.trunc((Math.min(requested, capacity) * MAX_NODE_SCORE) / capacity));
}

function weightedMean(weights: readonly number[], scoreOf: (requested: number, capacity: number) => number): ResourceScorer {
  return (requested, allocatable) => {
    let sum = 0;
    let weightSum = 0;
    for (let i = 0; i < weights.length; i++) {
      const capacity = allocatable[i] ?? 0;
      const weight = weights[i] ?? 0;
      if (capacity === 0) continue;
      sum += scoreOf(requested[i] ?? 0, capacity) * weight;
      weightSum += weight;
    }
    return weightSum === 0 ? 0 : Math.trunc(sum / weightSum);
  };
}

/** plugins/noderesources requested_to_capacity_ratio.go requestedToCapacityRatioScorer. Resources that score 0 do not count. */
export function requestedToCapacityRatioScorer(weights: readonly number[], shape: readonly UtilizationShapePoint[]): ResourceScorer {
  const points = shape.map(({ utilization, score }) => ({ utilization, score: score * (MAX_NODE_SCORE / MAX_CUSTOM_SCORE) }));
  return (requested, allocatable) => {
    let sum = 0;
    let weightSum = 0;
    for (let i = 0; i < weights.length; i++) {
      const capacity = allocatable[i] ?? 0;
      const used = requested[i] ?? 0;
      if (capacity === 0) continue;
      const score = brokenLinear(points, used > capacity ? MAX_UTILIZATION : Math.trunc((used * MAX_UTILIZATION) / capacity));
      if (score <= 0) continue;
      sum += score * (weights[i] ?? 0);
      weightSum += weights[i] ?? 0;
    }
    return weightSum === 0 ? 0 : Math.round(sum / weightSum);
  };
}

/** plugins/helper BuildBrokenLinearFunction */
function brokenLinear(points: readonly UtilizationShapePoint[], utilization: number): number {
  let before: UtilizationShapePoint | undefined;
  for (const point of points) {
    if (utilization <= point.utilization) {
      if (!before) return point.score;
      const rise = (point.score - before.score) * (utilization - before.utilization);
      return before.score + Math.trunc(rise / (point.utilization - before.utilization));
    }
    before = point;
  }
  return before?.score ?? 0;
}

/** plugins/noderesources balanced_allocation.go balancedResourceScorer: how evenly the resources are used. */
export function balancedResourceScorer(requested: readonly number[], allocatable: readonly number[]): number {
  const [capacity0 = 0, capacity1 = 0] = allocatable;
  if (requested.length === 2 && capacity0 !== 0 && capacity1 !== 0) {
    const difference = Math.min(1, (requested[0] ?? 0) / capacity0) - Math.min(1, (requested[1] ?? 0) / capacity1);
    return Math.trunc((1 - Math.abs(difference / 2)) * MAX_NODE_SCORE);
  }
  const fractions: number[] = [];
  for (let i = 0; i < requested.length; i++) {
    const capacity = allocatable[i] ?? 0;
    if (capacity !== 0) fractions.push(Math.min(1, (requested[i] ?? 0) / capacity));
  }
  return Math.trunc((1 - deviation(fractions)) * MAX_NODE_SCORE);
}

function deviation(fractions: readonly number[]): number {
  if (fractions.length === 2) return Math.abs(((fractions[0] ?? 0) - (fractions[1] ?? 0)) / 2);
  if (fractions.length < 2) return 0;
  const mean = fractions.reduce((sum, one) => sum + one, 0) / fractions.length;
  return Math.sqrt(fractions.reduce((sum, one) => sum + (one - mean) * (one - mean), 0) / fractions.length);
}

import type { Cluster } from '../cluster/cluster.ts';
import type { LessonCluster } from './lesson.ts';
import type { TruthCache } from './truth.ts';

export interface SessionOptions {
  /** Which cluster of the lesson. Default: its own, not a variant. */
  readonly cluster?: LessonCluster;
  /** Truths that are known already. */
  readonly truths?: TruthCache;
  /** Verdicts are told at once, whatever the lesson says: for a question that is asked alone. */
  readonly atOnce?: boolean;
  /** Keep a digest over the run, to compare it with another. Default true. */
  readonly digest?: boolean;
  /** Called once, before anything has happened: subscribe to the trace here. */
  readonly onCluster?: (cluster: Cluster) => void;
}

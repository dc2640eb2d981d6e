import type { Cluster } from '../../../src/cluster/cluster.ts';
import type { CreateClusterOptions } from '../../../src/cluster/config.ts';
import type { GoldenCase } from '../compare.mjs';

/** A request to a program around the cluster. */
export interface LabRequest {
  readonly cluster: Cluster;
  readonly query: URLSearchParams;
  /** What was sent, parsed; `{}` if nothing. */
  readonly body: unknown;
}

/** One system around the recorded cluster: what it adds to it, and what it does when a case asks for it. */
export interface LabSystem {
  /** What the cluster of this case is besides. */
  readonly clusterFor?: (testCase: GoldenCase) => CreateClusterOptions;
  /** Once, when the cluster has come to rest, before the case. */
  readonly prepare?: (cluster: Cluster, testCase: GoldenCase) => void | Promise<void>;
  /** By path. What it answers is the body; `{"ok":true}` if that is undefined. An error is answered with 500 and its message. */
  readonly routes: Readonly<Record<string, (request: LabRequest) => unknown>>;
}

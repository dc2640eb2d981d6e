import type { Deployment, DeploymentStatus, ReplicaSet } from '../../../src/api/kinds/apps-v1.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { deployments as DEPLOYMENTS } from '../../../src/api/resources.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import type { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import type { Simulation } from '../../../src/sim/simulation.ts';
import type { ObjectReference } from '../../../src/sim/trace.ts';

/** What the deployment controller works with. */
export interface DeploymentServices {
  readonly simulation: Simulation;
  readonly deployments: ResourceClient<Deployment>;
  readonly replicaSets: ResourceClient<ReplicaSet>;
  readonly recorder: EventRecorder;
  readonly queue: RateLimitingQueue;
  readonly dLister: Indexer<Deployment>;
  readonly rsLister: Indexer<ReplicaSet>;
  readonly podLister: Indexer<Pod>;
}

/**
 * One sync of one Deployment. `d` is the sync's own version, as upstream's deep copy is: it takes what the sync changes, and keeps the resourceVersion
 * that it began with, so that a second status update of one sync loses the race against the first and the key comes again.
 */
export class DeploymentSync {
  readonly services: DeploymentServices;
  /** The claimed ReplicaSets, old and new. */
  readonly rsList: readonly ReplicaSet[];
  /** Replaced, never mutated. */
  d: Deployment;

  constructor(services: DeploymentServices, d: Deployment, rsList: readonly ReplicaSet[]) {
    this.services = services;
    this.d = d;
    this.rsList = rsList;
  }

  /** Milliseconds since 1970. */
  get now(): number {
    return this.services.simulation.wallTime;
  }

  get status(): DeploymentStatus {
    return this.d.status ?? {};
  }

  setStatus(status: DeploymentStatus): void {
    this.d = { ...this.d, status };
  }

  /** Sends `d` to the status endpoint, which takes annotations too. */
  async updateStatus(): Promise<void> {
    await this.services.deployments.updateStatus(this.d);
  }

  event(type: 'Normal' | 'Warning', reason: string, message: string): void {
    this.services.recorder.event(this.d, type, reason, message);
  }

  /** Records in the trace why the sync does what it does next. */
  decide(message: string): void {
    this.services.simulation.recordCause({ kind: 'decision', component: 'deployment-controller', object: referenceTo(this.d), message });
  }
}

function referenceTo(d: Deployment): ObjectReference {
  const { namespace = '', name = '', uid = '' } = d.metadata;
  return { group: DEPLOYMENTS.group, resource: DEPLOYMENTS.resource, kind: DEPLOYMENTS.kind, namespace, name, uid };
}

import type { ReplicaSet } from '../../../src/api/kinds/apps-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import type { Resource } from '../../../src/api/resource.ts';
import { replicasets } from '../../../src/api/resources.ts';

/** A kind that keeps a number of pods as ReplicaSet does: ReplicaSet itself, or ReplicationController behind an adapter. */
export interface ReplicaSetKind<T extends KubernetesObject> {
  /** The source of events, e.g. `replicaset-controller`. */
  readonly component: string;
  /** The account it acts as. */
  readonly account: string;
  readonly resource: Resource<T>;
  /** How owner references name it. */
  readonly apiVersion: string;
  /** A view of the object as a ReplicaSet; the same one for the same object. */
  asReplicaSet(object: T): ReplicaSet;
  /** The inverse. */
  fromReplicaSet(rs: ReplicaSet): T;
}

/** pkg/controller/replicaset/replica_set.go NewReplicaSetController */
export const REPLICA_SET: ReplicaSetKind<ReplicaSet> = {
  component: 'replicaset-controller',
  account: 'replicaset-controller',
  resource: replicasets,
  apiVersion: 'apps/v1',
  asReplicaSet: (rs) => rs,
  fromReplicaSet: (rs) => rs,
};

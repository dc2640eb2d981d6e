import type { ReplicaSet } from '../../../src/api/kinds/apps-v1.ts';
import type { ReplicationController } from '../../../src/api/kinds/core-v1.ts';
import { replicationcontrollers } from '../../../src/api/resources.ts';
import type { ReplicaSetKind } from '../replicaset/replica-set-kind.ts';

const views = new WeakMap<ReplicationController, ReplicaSet>();

/** ReplicationController behind the ReplicaSet controller: pkg/controller/replication/conversion.go */
export const REPLICATION_CONTROLLER: ReplicaSetKind<ReplicationController> = {
  component: 'replication-controller',
  account: 'replication-controller',
  resource: replicationcontrollers,
  apiVersion: 'v1',
  asReplicaSet,
  fromReplicaSet,
};

/** pkg/controller/replication/conversion.go convertRCtoRS */
function asReplicaSet(rc: ReplicationController): ReplicaSet {
  const known = views.get(rc);
  if (known) return known;
  const { selector, ...spec } = rc.spec ?? {};
  const view: ReplicaSet = {
    apiVersion: 'v1',
    kind: 'ReplicationController',
    metadata: rc.metadata,
    spec: { ...spec, selector: { matchLabels: selector ?? {} } },
    ...(rc.status ? { status: rc.status } : {}),
  };
  views.set(rc, view);
  return view;
}

/** pkg/controller/replication/conversion.go convertRStoRC */
function fromReplicaSet(rs: ReplicaSet): ReplicationController {
  const { selector, ...spec } = rs.spec ?? { selector: {} };
  return {
    apiVersion: 'v1',
    kind: 'ReplicationController',
    metadata: rs.metadata,
    spec: { ...spec, ...(selector.matchLabels ? { selector: selector.matchLabels } : {}) },
    ...(rs.status ? { status: rs.status } : {}),
  };
}

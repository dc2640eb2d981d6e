import type { StartController } from './controller-context.ts';
import { startDeploymentController } from './deployment/deployment-controller.ts';
import { startReplicaSetController } from './replicaset/replica-set.ts';
import { startReplicationController } from './replicationcontroller/replication-controller.ts';

/**
 * Every controller by its upstream name, in the order in which they are started: cmd/kube-controller-manager/names.
 * To add one: export `start<Name>(context: ControllerContext)` from its folder and add a line.
 */
export const CONTROLLERS: ReadonlyMap<string, StartController> = new Map<string, StartController>([
  ['deployment-controller', startDeploymentController],
  ['replicaset-controller', startReplicaSetController],
  ['replicationcontroller-controller', startReplicationController],
]);

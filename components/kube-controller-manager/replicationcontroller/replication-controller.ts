import type { ControllerContext } from '../controller-context.ts';
import { startController } from '../replicaset/replica-set.ts';
import { REPLICATION_CONTROLLER } from './conversion.ts';

/** The ReplicaSet controller for ReplicationControllers: pkg/controller/replication/replication_controller.go NewReplicationManager */
export function startReplicationController(context: ControllerContext): void {
  startController(context, REPLICATION_CONTROLLER);
}

import type { Client } from '../../src/client/client.ts';
import type { UserController } from '../../src/client/controller-runtime.ts';
import { defineManager } from '../../src/client/manager.ts';
import type { Actor } from '../../src/sim/actor.ts';
import { GROUP } from './api.ts';
import { backupController } from './backup-controller.ts';
import { databaseController } from './database-controller.ts';

/** How one replica of the operator is started: its flags. */
export interface DatabaseOperatorConfig {
  /** Only this namespace is looked after; all if absent. */
  readonly namespace?: string;
  /** Several replicas: one works, the others wait. */
  readonly leaderElection?: {
    /** Where the Lease is. */
    readonly namespace: string;
    readonly releaseOnCancel?: boolean;
  };
}

/** The process of one replica of the operator. */
export function runDatabaseOperator(options: {
  readonly actor: Actor;
  readonly client: Client;
  readonly config?: DatabaseOperatorConfig;
}): Promise<void> | void {
  return databaseOperator(options.config).start(options);
}

function databaseOperator({ namespace, leaderElection }: DatabaseOperatorConfig = {}): UserController {
  return defineManager({
    name: 'database-operator',
    controllers: [databaseController, backupController],
    ...(namespace === undefined ? {} : { namespace }),
    ...(leaderElection ? { leaderElection: { id: `database-operator.${GROUP}`, ...leaderElection } } : {}),
  });
}

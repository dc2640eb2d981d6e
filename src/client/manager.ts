import { ApiStatusError } from '../api/status-error.ts';
import type { Actor } from '../sim/actor.ts';
import { ActorUnavailable } from '../sim/actor-unavailable.ts';
import type { Client } from './client.ts';
import type { Controller, ControllerHost, UserController } from './controller-runtime.ts';
import { EventRecorder } from './event-recorder.ts';
import { SharedInformerFactory } from './informer-factory.ts';
import { LeaderElector } from './leader-election.ts';

/** How the replicas of a manager agree who works. Names as in controller-runtime's manager.Options. */
export interface LeaderElectionConfig {
  /** The name of the Lease: LeaderElectionID. */
  readonly id: string;
  /** Where the Lease is: LeaderElectionNamespace. */
  readonly namespace: string;
  /** On a clean end the Lease is given back, so that the next one need not wait until it runs out: LeaderElectionReleaseOnCancel. */
  readonly releaseOnCancel?: boolean;
  readonly leaseDurationMs?: number;
  readonly renewDeadlineMs?: number;
  readonly retryPeriodMs?: number;
}

/** A process that runs several controllers. */
export interface ManagerDefinition {
  readonly name: string;
  readonly controllers: readonly Controller[];
  /** Only objects of this namespace are cached and watched; all if absent. cache.Options DefaultNamespaces */
  readonly namespace?: string;
  /** None if absent: whoever runs works. */
  readonly leaderElection?: LeaderElectionConfig;
}

/** A leader that lost its Lease exits, and is started again as the container of a pod would be. */
const RESTART_MS = 1_000;

/**
 * Several controllers in one process: they share their caches, and stand for leadership together. controller-runtime pkg/manager controllerManager.
 * @example const operator = defineManager({ name: 'operator', controllers: [databases, backups], leaderElection: { id: 'operator.example.com', namespace: 'kube-system' } });
 */
export function defineManager(definition: ManagerDefinition): UserController {
  return { name: definition.name, start: (options) => startManager(definition, options) };
}

async function startManager(definition: ManagerDefinition, { actor, client }: { actor: Actor; client: Client }): Promise<void> {
  const { controllers, namespace, leaderElection } = definition;
  const informers = new SharedInformerFactory(client, namespace === undefined ? {} : { namespace });
  const stops: (() => void)[] = [];
  const host: ControllerHost = { actor, client, informers, onStop: (stop) => stops.push(stop) };
  const startAll = async (): Promise<void> => {
    for (const controller of controllers) await controller.startIn(host);
  };
  const elector = leaderElection && elect(leaderElection, { actor, client, onStartedLeading: startAll });
  actor.onTerminate(async () => {
    for (const stop of stops) stop();
    if (elector && leaderElection.releaseOnCancel) await release(elector);
  });
  if (elector) elector.run();
  else await startAll();
}

/** controller-runtime pkg/leaderelection NewResourceLock, and controllerManager.initLeaderElector */
function elect(
  config: LeaderElectionConfig,
  { actor, client, onStartedLeading }: { actor: Actor; client: Client; onStartedLeading: () => Promise<void> },
): LeaderElector {
  const { id, namespace, releaseOnCancel: _, ...times } = config;
  const identity = `${actor.name}_${actor.simulation.random.fork(`${actor.name} identity/${actor.incarnation}`).uuid()}`;
  return new LeaderElector({
    client,
    lock: { namespace, name: id },
    identity,
    recorder: new EventRecorder({ client, component: identity }),
    ...times,
    onStartedLeading,
    onStoppedLeading: () => {
      actor.crash();
      actor.start(RESTART_MS);
    },
  });
}

/** Who cannot give the Lease back ends all the same; it runs out. */
async function release(elector: LeaderElector): Promise<void> {
  try {
    await elector.release();
  } catch (error) {
    if (!(error instanceof ApiStatusError || error instanceof ActorUnavailable)) throw error;
  }
}

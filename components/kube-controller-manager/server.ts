import type { Client } from '../../src/client/client.ts';
import { EventRecorder } from '../../src/client/event-recorder.ts';
import { SharedInformerFactory } from '../../src/client/informer-factory.ts';
import { canonicalNames, isControllerEnabled } from '../../src/client/is-controller-enabled.ts';
import { LeaderElector } from '../../src/client/leader-election.ts';
import type { Actor } from '../../src/sim/actor.ts';
import { DEFAULT_KUBE_CONTROLLER_MANAGER_CONFIGURATION, type KubeControllerManagerConfiguration } from './config.ts';
import { newControllerContext } from './controller-context.ts';
import { ALIASES } from './controller-names.ts';
import { CONTROLLERS } from './controllers.ts';

const NAME = 'kube-controller-manager';
const LOCK = { namespace: 'kube-system', name: NAME };
const HOSTNAME = 'control-plane';
/** How long it takes until a process that has exited is started anew, as the kubelet does with a static pod. */
const RESTART_MS = 1000;

export interface KubeControllerManagerOptions {
  readonly actor: Actor;
  /** Logged in as `system:kube-controller-manager`. */
  readonly client: Client;
  readonly config?: Partial<KubeControllerManagerConfiguration>;
}

/**
 * The program of kube-controller-manager: becomes leader, then runs the controllers. cmd/kube-controller-manager/app/controllermanager.go Run
 * @example simulation.actor('kube-controller-manager', (actor) => runKubeControllerManager({ actor, client: clientOf(actor) }));
 */
export function runKubeControllerManager({ actor, client, config: given = {} }: KubeControllerManagerOptions): void | Promise<void> {
  const config = { ...DEFAULT_KUBE_CONTROLLER_MANAGER_CONFIGURATION, ...given };
  const run = (): Promise<void> => startControllers(actor, client, config);
  if (!config.leaderElect) return run();
  const id = actor.simulation.random.fork(`${NAME}/${actor.incarnation}`).uuid();
  new LeaderElector({
    client,
    lock: LOCK,
    identity: `${HOSTNAME}_${id}`,
    recorder: new EventRecorder({ client, component: NAME }),
    onStartedLeading: run,
    onStoppedLeading: () => exit(actor),
  }).run();
}

/** cmd/kube-controller-manager/app/controllermanager.go StartControllers */
async function startControllers(actor: Actor, client: Client, config: KubeControllerManagerConfiguration): Promise<void> {
  const informers = new SharedInformerFactory(client, { watchList: true });
  const afterSync: (() => void | Promise<void>)[] = [];
  const context = newControllerContext({ actor, client, config, informers, onceSynced: (run) => afterSync.push(run) });
  const enabled = canonicalNames(config.controllers, ALIASES);
  for (const [name, start] of CONTROLLERS) if (isControllerEnabled(name, enabled)) start(context);
  informers.start();
  await informers.waitForCacheSync();
  await Promise.all(afterSync.map((run) => run()));
}

/** A process that lost its leadership ends, so that never two of them act. */
function exit(actor: Actor): void {
  actor.crash();
  actor.start(RESTART_MS);
}

import type { Client } from '../../src/client/client.ts';
import { EventRecorder } from '../../src/client/event-recorder.ts';
import { SharedInformerFactory } from '../../src/client/informer-factory.ts';
import { type ControllerAliases, canonicalNames, isControllerEnabled, unknownController } from '../../src/client/is-controller-enabled.ts';
import { LeaderElector } from '../../src/client/leader-election.ts';
import type { Actor } from '../../src/sim/actor.ts';
import { type CloudControllerManagerConfiguration, DEFAULT_CLOUD_CONTROLLER_MANAGER_CONFIGURATION } from './config.ts';
import type { StartController } from './controller-context.ts';
import { startCloudNodeController } from './node/node-controller.ts';
import { startCloudNodeLifecycleController } from './nodelifecycle/node-lifecycle-controller.ts';
import { startRouteController } from './route/route-controller.ts';
import { startServiceController } from './service/service-controller.ts';

const NAME = 'cloud-controller-manager';
const LOCK = { namespace: 'kube-system', name: NAME };
const HOSTNAME = 'control-plane';
/** How long it takes until a process that has exited is started anew. */
const RESTART_MS = 1_000;

/** k8s.io/cloud-provider app DefaultInitFuncConstructors, by the names that `--controllers` takes. */
const CONTROLLERS: Readonly<Record<string, StartController>> = {
  'cloud-node-controller': startCloudNodeController,
  'cloud-node-lifecycle-controller': startCloudNodeLifecycleController,
  'service-lb-controller': startServiceController,
  'node-route-controller': startRouteController,
};

/** Older names: k8s.io/cloud-provider names CCMControllerAliases */
const ALIASES: ControllerAliases = {
  'cloud-node': 'cloud-node-controller',
  'cloud-node-lifecycle': 'cloud-node-lifecycle-controller',
  service: 'service-lb-controller',
  route: 'node-route-controller',
};

/** What is wrong with flag `--controllers`; undefined when nothing is. */
export function problemWithCloudControllers(controllers: readonly string[]): string | undefined {
  const unknown = unknownController(controllers, { known: new Set(Object.keys(CONTROLLERS)), aliases: ALIASES });
  return unknown === undefined ? undefined : `"${unknown}" is not in the list of known controllers`;
}

type Required = 'cloud' | 'clusterCIDR';

export interface CloudControllerManagerOptions {
  readonly actor: Actor;
  readonly client: Client;
  readonly config: Pick<CloudControllerManagerConfiguration, Required> & Partial<CloudControllerManagerConfiguration>;
}

/**
 * The program of cloud-controller-manager: becomes leader, then runs the controllers that know the cloud. k8s.io/cloud-provider app Run
 * @example simulation.actor('cloud-controller-manager', (actor) => runCloudControllerManager({ actor, client: clientOf(actor), config: { cloud, clusterCIDR } }));
 */
export function runCloudControllerManager({ actor, client, config: given }: CloudControllerManagerOptions): void {
  const config = { ...DEFAULT_CLOUD_CONTROLLER_MANAGER_CONFIGURATION, ...given };
  const id = actor.simulation.random.fork(`${NAME}/${actor.incarnation}`).uuid();
  new LeaderElector({
    client,
    lock: LOCK,
    identity: `${HOSTNAME}_${id}`,
    recorder: new EventRecorder({ client, component: NAME }),
    onStartedLeading: () => startControllers({ actor, client, config }),
    onStoppedLeading: () => {
      actor.crash();
      actor.start(RESTART_MS);
    },
  }).run();
}

async function startControllers({
  actor,
  client,
  config,
}: CloudControllerManagerOptions & { config: CloudControllerManagerConfiguration }) {
  const informers = new SharedInformerFactory(client, { watchList: true });
  const afterSync: (() => void | Promise<void>)[] = [];
  const context = { actor, client, config, informers, onceSynced: (run: () => void | Promise<void>) => void afterSync.push(run) };
  const enabled = canonicalNames(config.controllers, ALIASES);
  for (const [name, start] of Object.entries(CONTROLLERS)) if (isControllerEnabled(name, enabled)) start(context);
  informers.start();
  await informers.waitForCacheSync();
  await Promise.all(afterSync.map((run) => run()));
}

import type { Outbound } from '../../src/api/outbound.ts';
import { parseDuration } from '../../src/api/time.ts';
import type { Client } from '../../src/client/client.ts';
import { EventRecorder } from '../../src/client/event-recorder.ts';
import { EventsV1Recorder } from '../../src/client/events-v1-recorder.ts';
import { LeaderElector } from '../../src/client/leader-election.ts';
import type { Actor } from '../../src/sim/actor.ts';
import { completeConfiguration, type KubeSchedulerConfiguration } from './apis/config/kube-scheduler-configuration.ts';
import { addAllEventHandlers } from './eventhandlers.ts';
import type { PluginFactory } from './framework/interface.ts';
import { listersOf, newInformers, startInformersAndWaitForSync } from './informers.ts';
import { newInTreeRegistry } from './plugins/registry.ts';
import { Scheduler } from './scheduler.ts';

/** How long the node's kubelet takes to start the process again after it has exited. */
const RESTART_MS = 1000;
/** The machine that the control plane runs on. */
const HOST = 'control-plane';

/**
 * kube-scheduler: finds a node for each pod that has none (cmd/kube-scheduler/app/server.go Run). To be called from the actor's program.
 * @example simulation.actor('kube-scheduler', (actor) => runKubeScheduler({ actor, client, config: {} })).start();
 */
export async function runKubeScheduler(options: {
  readonly actor: Actor;
  readonly client: Client;
  readonly config: KubeSchedulerConfiguration;
  /** Sends requests to extenders. */
  readonly outbound?: Outbound | undefined;
  /** Plugins of the user's own, by name: app.WithPlugin. They run when the configuration enables them. */
  readonly plugins?: Readonly<Record<string, PluginFactory>>;
}): Promise<void> {
  const { actor, client } = options;
  const config = completeConfiguration(options.config);
  const informers = newInformers(client);
  const scheduler = new Scheduler({
    actor,
    client,
    config,
    registry: new Map([...newInTreeRegistry(), ...Object.entries(options.plugins ?? {})]),
    listers: listersOf(informers),
    outbound: options.outbound,
    recorderFor: (controller) => new EventsV1Recorder({ client, controller, instance: `${controller}-${HOST}` }),
  });
  addAllEventHandlers(scheduler, informers);
  await startInformersAndWaitForSync(informers);
  const election = config.leaderElection;
  if (!election.leaderElect) return scheduler.run();
  new LeaderElector({
    client,
    lock: { namespace: election.resourceNamespace, name: election.resourceName },
    identity: `${HOST}_${actor.simulation.random.fork(`${actor.name} identity/${actor.incarnation}`).uuid()}`,
    recorder: new EventRecorder({ client, component: 'kube-scheduler' }),
    leaseDurationMs: parseDuration(election.leaseDuration) ?? 0,
    renewDeadlineMs: parseDuration(election.renewDeadline) ?? 0,
    retryPeriodMs: parseDuration(election.retryPeriod) ?? 0,
    onStartedLeading: () => scheduler.run(),
    // A scheduler that lost its lease exits, and is started again.
    onStoppedLeading: () => {
      actor.crash();
      actor.start(RESTART_MS);
    },
  }).run();
}

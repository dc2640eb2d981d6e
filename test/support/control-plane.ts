import { Etcd } from '../../components/etcd/etcd.ts';
import { createKubeApiserver, type KubeApiserver } from '../../components/kube-apiserver/server.ts';
import { runKubeControllerManager } from '../../components/kube-controller-manager/server.ts';
import type { UserInfo } from '../../src/api/request.ts';
import { Client } from '../../src/client/client.ts';
import { DEFAULT_TIMING } from '../../src/client/timing.ts';
import { InProcessTransport } from '../../src/cluster/in-process-transport.ts';
import { Network } from '../../src/cluster/network.ts';
import type { Actor } from '../../src/sim/actor.ts';
import { invariant } from '../../src/sim/invariant.ts';
import { Simulation } from '../../src/sim/simulation.ts';

const ADMIN: UserInfo = { username: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
const CONTROLLER_MANAGER: UserInfo = { username: 'system:kube-controller-manager', groups: ['system:authenticated'] };

/** A kube-apiserver, some controllers, and a person: for tests of controllers that need nothing else. */
export class ControlPlane {
  readonly simulation = new Simulation({ seed: '1' });
  readonly #network = new Network();
  readonly #server: Actor;
  readonly #apiserver: KubeApiserver;
  readonly #person: Actor;
  /** Runs the controllers, if there are any. */
  readonly controllerManager: Actor | undefined;

  /** @param controllers names of controllers to run */
  constructor(controllers: readonly string[], options: { readonly leaderElect?: boolean } = {}) {
    const { simulation } = this;
    this.#server = simulation.actor('kube-apiserver', () => {});
    this.#server.start();
    this.#apiserver = createKubeApiserver({ simulation, etcd: new Etcd(), config: { actor: this.#server } });
    this.#person = simulation.actor('kubernetes-admin', () => {});
    this.#person.start();
    if (controllers.length === 0) return;
    const config = { controllers, leaderElect: options.leaderElect ?? false };
    this.controllerManager = simulation.actor('kube-controller-manager', (actor) =>
      runKubeControllerManager({ actor, client: this.client(actor, CONTROLLER_MANAGER), config }),
    );
    this.controllerManager.start(10);
  }

  client(actor: Actor, user: UserInfo): Client {
    const handler = (): KubeApiserver => this.#apiserver;
    const transport = new InProcessTransport({ actor, server: this.#server, network: this.#network, timing: DEFAULT_TIMING, handler });
    return new Client({ actor, transport, user });
  }

  /** What the person does; runs the simulation until it is done, and no further. */
  async act<T>(body: (client: Client) => Promise<T>): Promise<T> {
    let outcome: { value: T } | { error: unknown } | undefined;
    this.#person.schedule(0, async () => {
      try {
        outcome = { value: await body(this.client(this.#person, ADMIN)) };
      } catch (error) {
        outcome = { error };
      }
    });
    await this.simulation.runUntil(() => outcome !== undefined, 60_000);
    invariant(outcome, 'the person is answered');
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  }

  /** Writes of components since the start as lines `time ms  user  verb  resource/name`, refused ones left out. */
  writes(resource: string): string[] {
    return this.simulation.trace.entries.flatMap((entry) => {
      if (entry.kind !== 'write' || entry.object.resource !== resource) return [];
      const { verb, object, subresource, user } = entry;
      return [`${entry.time} ${user.split(':').at(-1)} ${verb} ${object.name}${subresource ? `/${subresource}` : ''}`];
    });
  }
}

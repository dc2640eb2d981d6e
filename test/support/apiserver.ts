import { Etcd } from '../../components/etcd/etcd.ts';
import type { KubeApiserverConfig } from '../../components/kube-apiserver/config.ts';
import { createKubeApiserver, type KubeApiserver } from '../../components/kube-apiserver/server.ts';
import type { Actor } from '../../src/sim/actor.ts';
import { Simulation } from '../../src/sim/simulation.ts';

/** What a test looks at of an answer. */
export interface TestAnswer {
  readonly code: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read answers of every shape.
  readonly body: any;
  readonly warnings: readonly string[];
}

/** A kube-apiserver with nothing around it, reached over `fetch`; the sender is an administrator unless the test says otherwise. */
export class TestApiserver {
  readonly simulation: Simulation;
  readonly etcd: Etcd;
  readonly apiserver: KubeApiserver;
  readonly #server: Actor;

  /** @param earlier whose store it goes on with, as after a restart */
  constructor(config: KubeApiserverConfig = {}, earlier?: TestApiserver) {
    this.simulation = earlier?.simulation ?? new Simulation({ seed: '1' });
    this.etcd = earlier?.etcd ?? new Etcd({ actor: started(this.simulation, 'etcd') });
    this.#server = earlier ? earlier.#server : started(this.simulation, 'kube-apiserver');
    const authenticate = () => ({ username: 'admin', groups: ['system:masters', 'system:authenticated'] });
    this.apiserver = createKubeApiserver({
      simulation: this.simulation,
      etcd: this.etcd,
      config: { actor: this.#server, authenticate, ...config },
    });
  }

  /** Sends a request as `METHOD /path`; virtual time goes on until it is answered. */
  async send(line: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<TestAnswer> {
    const [method = 'GET', path = '/'] = line.split(' ');
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const init = {
      method,
      headers: { 'content-type': type, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    };
    let response: Response | undefined;
    const pending = this.apiserver.fetch(new Request(`http://apiserver${path}`, init)).then((answer) => {
      response = answer;
    });
    for (let round = 0; !response && round < 1000; round++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (!response) await this.simulation.advance(10);
    }
    await pending;
    const text = (await response?.text()) ?? '';
    const warnings = response?.headers.get('warning')?.split(/, (?=299 )/) ?? [];
    return { code: response?.status ?? 0, body: text.startsWith('{') ? JSON.parse(text) : text, warnings };
  }
}

function started(simulation: Simulation, name: string): Actor {
  const actor = simulation.actor(name, () => {});
  actor.start();
  return actor;
}

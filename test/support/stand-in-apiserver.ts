import { type KubernetesObject, keyOf } from '../../src/api/object.ts';
import type { ApiHandler, ApiRequest, ApiResponse, WatchEvent, WatchSink } from '../../src/api/request.ts';
import { type ApiStatusError, newAlreadyExists, newConflict, newNotFound } from '../../src/api/status-error.ts';
import { Client } from '../../src/client/client.ts';
import { DEFAULT_TIMING } from '../../src/client/timing.ts';
import type { Transport } from '../../src/client/transport.ts';
import { InProcessTransport } from '../../src/cluster/in-process-transport.ts';
import { Network } from '../../src/cluster/network.ts';
import type { Actor } from '../../src/sim/actor.ts';
import { Simulation } from '../../src/sim/simulation.ts';

interface Watcher {
  readonly collection: string;
  readonly sink: WatchSink;
}

/** Just enough of kube-apiserver for tests of clients: keeps objects, answers with what a test tells it to, and can close or spoil watches. */
export class StandInApiserver implements ApiHandler {
  readonly requests: ApiRequest[] = [];
  /** Answers in place of the stand-in when it returns something. */
  intercept: (request: ApiRequest) => ApiResponse | undefined = () => undefined;
  readonly #objects = new Map<string, KubernetesObject>();
  readonly #watchers = new Set<Watcher>();
  #revision = 100;

  /** How the requests read, e.g. `list pods`. */
  get log(): string[] {
    return this.requests.map(({ info }) => [info.verb, info.resource, info.subresource, info.name].filter(Boolean).join(' '));
  }

  handle(request: ApiRequest): ApiResponse {
    this.requests.push(request);
    return this.intercept(request) ?? this.#answer(request);
  }

  /** Puts an object in as if somebody had written it; `silent` keeps it from watchers. */
  put(resource: string, object: KubernetesObject, silent = false): KubernetesObject {
    const key = `${resource}/${keyOf(object)}`;
    const before = this.#objects.get(key);
    const metadata = {
      uid: `uid-${this.#revision + 1}`,
      ...before?.metadata,
      ...object.metadata,
      resourceVersion: String(++this.#revision),
    };
    const stored = Object.freeze({ ...object, metadata });
    this.#objects.set(key, stored);
    if (!silent) this.#tell(resource, { type: before ? 'MODIFIED' : 'ADDED', object: stored, revision: this.#revision });
    return stored;
  }

  remove(resource: string, key: string, silent = false): void {
    const before = this.#objects.get(`${resource}/${key}`);
    if (!before) return;
    this.#objects.delete(`${resource}/${key}`);
    const object = { ...before, metadata: { ...before.metadata, resourceVersion: String(++this.#revision) } };
    if (!silent) this.#tell(resource, { type: 'DELETED', object, revision: this.#revision });
  }

  get<T extends KubernetesObject>(resource: string, key: string): T | undefined {
    return this.#objects.get(`${resource}/${key}`) as T | undefined;
  }

  all<T extends KubernetesObject>(resource: string): T[] {
    return [...this.#objects].flatMap(([key, object]) => (key.startsWith(`${resource}/`) ? [object as T] : []));
  }

  /** Ends all watches, with an ERROR event first if one is given. */
  endWatches(error?: ApiStatusError): void {
    for (const watcher of [...this.#watchers]) {
      if (error) watcher.sink.next({ type: 'ERROR', object: error.status, revision: this.#revision });
      this.#watchers.delete(watcher);
      watcher.sink.end();
    }
  }

  #tell(collection: string, event: WatchEvent): void {
    for (const watcher of this.#watchers) if (watcher.collection === collection) watcher.sink.next(event);
  }

  #answer(request: ApiRequest): ApiResponse {
    const { info, body } = request;
    const { verb, resource } = info;
    const key = info.namespace ? `${info.namespace}/${info.name}` : info.name;
    const current = this.#objects.get(`${resource}/${key}`);
    if (verb === 'list') return { code: 200, body: { metadata: { resourceVersion: String(this.#revision) }, items: this.all(resource) } };
    if (verb === 'watch') return this.#watch(resource, request.query.sendInitialEvents === 'true');
    if (verb === 'create') {
      const object = body as KubernetesObject;
      if (this.#objects.has(`${resource}/${keyOf(object)}`)) return refusal(newAlreadyExists(info, object.metadata.name ?? ''));
      return { code: 201, body: this.put(resource, object) };
    }
    if (!current) return refusal(newNotFound(info, info.name));
    if (verb === 'get') return { code: 200, body: current };
    if (verb === 'patch') return { code: 200, body: this.put(resource, { ...current, ...(body as object) }) };
    if (verb === 'update') {
      const object = body as KubernetesObject;
      const { resourceVersion } = object.metadata;
      if (resourceVersion && resourceVersion !== current.metadata.resourceVersion)
        return refusal(newConflict(info, info.name, 'the object has been modified'));
      return { code: 200, body: this.put(resource, object) };
    }
    this.remove(resource, key);
    return { code: 200, body: current };
  }

  #sendInitialEvents(collection: string, sink: WatchSink): void {
    const revision = this.#revision;
    for (const object of this.all(collection)) sink.next({ type: 'ADDED', object, revision });
    const metadata = { resourceVersion: String(revision), annotations: { 'k8s.io/initial-events-end': 'true' } };
    sink.next({ type: 'BOOKMARK', object: { metadata }, revision });
  }

  #watch(collection: string, sendInitialEvents: boolean): ApiResponse {
    let watcher: Watcher | undefined;
    const start = (sink: WatchSink): void => {
      if (sendInitialEvents) this.#sendInitialEvents(collection, sink);
      watcher = { collection, sink };
      this.#watchers.add(watcher);
    };
    const stop = (): void => {
      if (watcher) this.#watchers.delete(watcher);
    };
    return { code: 200, watch: { start, stop } };
  }
}

export function refusal(error: ApiStatusError): ApiResponse {
  return { code: error.code, body: error.status };
}

export interface ClientTest {
  readonly simulation: Simulation;
  readonly api: StandInApiserver;
  readonly network: Network;
  readonly server: Actor;
  readonly actor: Actor;
  readonly client: Client;
  readonly transport: Transport;
}

/** A simulation with a stand-in apiserver and one process, which runs `program` when the simulation runs. */
export function clientTest(program: (test: ClientTest) => void | Promise<void> = () => {}): ClientTest {
  const simulation = new Simulation({ seed: '1' });
  const api = new StandInApiserver();
  const network = new Network();
  const server = simulation.actor('kube-apiserver', () => network.restoreAll());
  server.start();
  const actor: Actor = simulation.actor('tester', () => program(test));
  const transport = new InProcessTransport({ actor, server, handler: () => api, network, timing: DEFAULT_TIMING });
  const client = new Client({ actor, transport, user: { username: 'tester', groups: [] } });
  const test: ClientTest = { simulation, api, network, server, actor, client, transport };
  actor.start();
  return test;
}

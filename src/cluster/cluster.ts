import type { Aws } from '../../components/aws/aws.ts';
import type { SimulatedCloud } from '../../components/cloud-controller-manager/simulated/cloud.ts';
import { Registries } from '../../components/containerd/registries.ts';
import { Etcd } from '../../components/etcd/etcd.ts';
import { createKubeApiserver, type KubeApiserver } from '../../components/kube-apiserver/server.ts';
import type { Outbound, OutboundRequest } from '../api/outbound.ts';
import type { UserInfo } from '../api/request.ts';
import type { ClientMessage, ServerMessage } from '../api/streams.ts';
import { Client } from '../client/client.ts';
import { DEFAULT_TIMING, type Timing } from '../client/timing.ts';
import { Interrupt } from '../kubectl/interrupt.ts';
import { Kubeconfig } from '../kubectl/kubeconfig.ts';
import { type KubectlResult, type RunKubectlOptions, runKubectl } from '../kubectl/kubectl.ts';
import type { Actor, Program } from '../sim/actor.ts';
import { invariant } from '../sim/invariant.ts';
import { type Bounds, Simulation } from '../sim/simulation.ts';
import { hasEksWebhooks, onAws } from './aws.ts';
import { addComponents } from './components.ts';
import type { ClusterConfig, CreateClusterOptions } from './config.ts';
import { describeInput } from './describe-input.ts';
import { dialService } from './dial-service.ts';
import { applyFault, type Fault } from './faults.ts';
import { kubeApiserverFlags } from './flags.ts';
import { HttpEntrance, type HttpInput, inputOf } from './http-entrance.ts';
import { importObjects } from './import-objects.ts';
import { InProcessTransport } from './in-process-transport.ts';
import { KubeletConnections } from './kubelet-connections.ts';
import { type Load, LoadGenerator } from './load.ts';
import { Localhost } from './localhost.ts';
import type { Machine } from './machine.ts';
import { Network } from './network.ts';
import { OutboundCalls, type OutboundListener, type OutboundOutcome, withinVirtualTime } from './outbound-calls.ts';
import { addressed, connectionText, unbalanced } from './reached-by.ts';
import { ServiceNetwork, type Visit, type VisitResult } from './service-network.ts';
import { KUBERNETES_ADMIN } from './users.ts';

/** kube-apiserver --etcd-compaction-interval */
const COMPACTION_INTERVAL_MS = 5 * 60_000;

/** A command typed by a person, with the files it names. */
export interface KubectlInput {
  readonly args: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
}

interface Pending<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A whole cluster in one process: a simulation with kube-apiserver on its etcd, and the components that the config names. Everything that comes from outside
 * enters through `kubectl`, `http`, `fault` or `call`; it is recorded with the moment at which it entered.
 * @example const cluster = await createCluster({ nodes: 3 }); await cluster.kubectl(['create', 'deployment', 'web', '--image=nginx']); await cluster.settle();
 */
export class Cluster {
  readonly config: ClusterConfig;
  readonly simulation: Simulation;
  readonly etcd: Etcd;
  readonly apiserver: KubeApiserver;
  readonly network = new Network();
  readonly serviceNetwork: ServiceNetwork;
  readonly kubelets: KubeletConnections;
  readonly registries = new Registries();
  /** The nodes that a kubelet runs on. */
  readonly machines = new Map<string, Machine>();
  /** What the cluster runs on, when its config says so. */
  cloud: SimulatedCloud | undefined;
  /** The same, when it runs on AWS. */
  aws: Aws | undefined;
  /** Who listens beside kube-apiserver. */
  readonly localhost = new Localhost();
  readonly timing: Timing;
  /** Sends requests that leave the cluster: to webhooks, extension API servers, extenders of schedulers. */
  readonly outbound: Outbound | undefined;
  readonly #kubeconfig = new Kubeconfig();
  readonly #entrance = new HttpEntrance(KUBERNETES_ADMIN, (close) => this.network.register('kubectl', close));
  readonly #server: Actor;
  readonly #person: Actor;
  readonly #outbound: OutboundCalls;
  readonly #pending = new Map<number, Pending<unknown>>();
  /** kubectl commands that have not ended yet, and who hears what they print. */
  readonly #interrupts = new Map<number, Interrupt>();
  readonly #lines = new Map<number, NonNullable<RunKubectlOptions['onLine']>>();
  #loads: LoadGenerator | undefined;
  #calls = 0;

  /** @internal Use `createCluster`. */
  constructor(options: CreateClusterOptions) {
    const {
      trace = 'full',
      digest = false,
      ties = 'insertion',
      stages,
      history,
      audit,
      userControllers = [],
      schedulerPlugins = {},
      programs = {},
      outbound,
      ...given
    } = options;
    const config = onAws(given);
    this.config = config;
    this.timing = { ...DEFAULT_TIMING, ...options.timing };
    this.simulation = new Simulation({
      seed: options.seed ?? '1',
      trace,
      digest,
      ties,
      ...(options.epoch === undefined ? {} : { epoch: options.epoch }),
    });
    this.serviceNetwork = new ServiceNetwork(this.simulation.random.fork('network'));
    this.kubelets = new KubeletConnections(this.timing);
    const keepHistory = history ?? trace === 'full';
    this.etcd = new Etcd({ actor: this.#addActor('etcd'), compactEveryMs: COMPACTION_INTERVAL_MS, keepHistory });
    this.#server = this.#addActor('kube-apiserver', ({ incarnation }) => {
      this.network.restoreAll();
      if (incarnation > 1) this.apiserver.runPostStartHooks();
    });
    this.#outbound = new OutboundCalls(this.#server);
    const outside = (request: OutboundRequest) => this.#outbound.send(request);
    const beyond = outbound ? withinVirtualTime(this.#server, outbound) : config.outside ? outside : undefined;
    this.outbound = hasEksWebhooks(config) ? this.localhost.outbound(this.#server, beyond) : beyond;
    this.apiserver = createKubeApiserver({
      simulation: this.simulation,
      etcd: this.etcd,
      config: {
        actor: this.#server,
        watchCacheMs: this.timing.watchCacheMs,
        nodeProxy: (node, request) => this.kubelets.proxy(this.#server, node, request),
        authenticate: (request) => this.#entrance.userOf(request),
        ...(this.outbound ? { outbound: this.outbound } : {}),
        localhost: this.localhost.outbound(this.#server),
        dialService: (address, request) => dialService({ cluster: this, from: this.#server }, address, request),
        ...kubeApiserverFlags(config.flags ?? {}),
        stages: (stages ?? trace === 'full') ? 'all' : 'refused',
        ...(audit ? { audit } : {}),
      },
    });
    if (config.snapshot) importObjects(this.etcd, config.snapshot, this.simulation.random.fork('snapshot'));
    this.#person = this.#addActor('kubectl');
    addComponents(this, { userControllers, schedulerPlugins, programs });
    this.#takeInputs();
  }

  /** A process that only answers. */
  #addActor(name: string, program: Program = () => {}): Actor {
    const actor = this.simulation.actor(name, program);
    actor.start();
    return actor;
  }

  /** Adds a process with a client of its own that logs in as `user`. */
  addProcess(name: string, user: UserInfo, program: (actor: Actor, client: Client) => void | Promise<void>): Actor {
    const actor: Actor = this.simulation.actor(name, ((self) => program(self, this.clientOf(self, user))) satisfies Program);
    return actor;
  }

  /** A client for code that runs in `actor`. */
  clientOf(actor: Actor, user: UserInfo): Client {
    const transport = new InProcessTransport({
      actor,
      server: this.#server,
      handler: () => this.apiserver,
      network: this.network,
      timing: this.timing,
    });
    return new Client({ actor, transport, user });
  }

  /** Runs a kubectl command and the simulation until it has ended (at most `withinMs`). */
  async kubectl(args: readonly string[], files: Readonly<Record<string, string>> = {}, withinMs = 3600_000): Promise<KubectlResult> {
    return this.#finish(this.startKubectl({ args, files }), withinMs);
  }

  /** A kubectl command enters; the promise resolves while somebody runs the simulation. */
  startKubectl(input: KubectlInput): Promise<KubectlResult> {
    return this.openKubectl(input).response;
  }

  /** The same with the number of the call, by which it can be interrupted. */
  openKubectl(
    input: KubectlInput,
    onLine?: RunKubectlOptions['onLine'],
  ): { readonly call: number; readonly response: Promise<KubectlResult> } {
    if (onLine) this.#lines.set(this.#calls + 1, onLine);
    return this.#enter<KubectlResult>('kubectl', input);
  }

  /** Ctrl-C for a kubectl command that goes on. */
  interruptKubectl(call: number): void {
    const payload = { interrupts: call };
    this.simulation.input('kubectl-interrupt', payload, describeInput('kubectl-interrupt', payload));
  }

  /** A request over HTTP enters; the promise resolves while somebody runs the simulation. */
  startHttp(input: HttpInput): Promise<Response> {
    return this.openHttp(input).response;
  }

  /** The same with the number of the call, by which its connection is known. Whoever reads the answer calls `closeHttp` or `finishHttp` in the end. */
  openHttp(input: HttpInput): { readonly call: number; readonly response: Promise<Response> } {
    return this.#enter('http', input);
  }

  /** The sender of a request goes away before its answer has ended: what streams to it ends. */
  closeHttp(call: number): void {
    const payload = { closes: call };
    this.simulation.input('http-close', payload, describeInput('http-close', payload));
  }

  /** Something is said on a connection that a request has taken over (exec, attach, portforward). */
  messageHttp(call: number, message: ClientMessage): void {
    const payload = { to: call, message };
    this.simulation.input('http-message', payload, describeInput('http-message', payload));
  }

  /** Hears what is said on such a connection, from its beginning. */
  listenHttp(call: number, listener: (message: ServerMessage) => void): void {
    this.#entrance.listen(call, listener);
  }

  /** The answer of a request has been read to its end. */
  finishHttp(call: number): void {
    this.#entrance.forget(call);
  }

  /**
   * Sends a request to something in the cluster, by name or address, and runs the simulation until it is answered.
   * @example (await cluster.visit({ node: 'n1', namespace: 'default', host: 'web', port: 80, path: '/' })).status // 200
   */
  visit(visit: Visit): Promise<VisitResult> {
    return this.#finish(this.#enter<VisitResult>('visit', { visit }).response, 60_000);
  }

  /** Hears of each request that leaves the cluster, if its config lets any (`outside`). A replay has no need to. */
  onOutbound(listener: OutboundListener): void {
    this.#outbound.listener = listener;
  }

  /** What came of a request outside enters. */
  answerOutbound(call: number, outcome: OutboundOutcome): void {
    const payload = { answers: call, outcome };
    this.simulation.input('outbound-answer', payload, describeInput('outbound-answer', payload));
  }

  /**
   * Sends requests to something in the cluster at a steady rate, in place of the rate so far; 0 ends them.
   * @example cluster.load({ service: 'web', requestsPerSecond: 200 });
   */
  load(load: Load): void {
    this.simulation.input('load', load, describeInput('load', load));
  }

  /** A fault is injected or lifted. */
  fault(fault: Fault): void {
    this.simulation.input('fault', fault, describeInput('fault', fault));
  }

  /** An input of a recording enters again. */
  repeat(input: string, payload: unknown): void {
    const { call } = payload as { call?: number };
    if (call !== undefined) this.#calls = Math.max(this.#calls, call);
    this.simulation.input(input, payload, describeInput(input, payload));
  }

  /**
   * Makes API calls on behalf of a person (or another user) and runs the simulation until they are answered. Not recorded as an input: for tests and for looking at
   * things, not for scenarios.
   */
  async call<T>(body: (client: Client) => Promise<T>, user: UserInfo = KUBERNETES_ADMIN): Promise<T> {
    const client = this.clientOf(this.#person, user);
    const result = new Promise<T>((resolve, reject) => {
      this.#person.schedule(0, () => body(client).then(resolve, reject));
    });
    return this.#finish(result, 3600_000);
  }

  settle(bounds?: Bounds): Promise<void> {
    return this.simulation.settle(bounds);
  }

  advance(ms: number, bounds?: Bounds): Promise<void> {
    return this.simulation.advance(ms, bounds);
  }

  async #finish<T>(result: Promise<T>, withinMs: number): Promise<T> {
    let done = false;
    const watched = result.finally(() => {
      done = true;
    });
    watched.catch(() => {});
    await this.simulation.runUntil(() => done, withinMs);
    invariant(done, `what was asked ends within ${withinMs} ms of virtual time`);
    return watched;
  }

  #enter<T>(input: string, payload: object): { readonly call: number; readonly response: Promise<T> } {
    const call = ++this.#calls;
    const response = new Promise<T>((resolve, reject) => {
      this.#pending.set(call, { resolve: resolve as (value: unknown) => void, reject });
    });
    this.simulation.input(input, { call, ...payload }, describeInput(input, payload));
    return { call, response };
  }

  /** Names what each kind of input does; a replay hands the recorded payloads to the same. */
  #takeInputs(): void {
    this.simulation.onInput('kubectl', (payload) => {
      const { call, args, files = {} } = payload as KubectlInput & { call: number };
      this.#person.schedule(0, () => this.#answer(call, this.#kubectl(call, { args, files })));
    });
    this.simulation.onInput('kubectl-interrupt', (payload) => {
      const { interrupts } = payload as { interrupts: number };
      this.#person.schedule(0, () => this.#interrupts.get(interrupts)?.raise());
    });
    this.simulation.onInput('http', (payload) => {
      const { call, ...request } = payload as HttpInput & { call: number };
      this.#person.schedule(0, () => this.#answer(call, this.#http(call, request)));
    });
    this.simulation.onInput('http-close', (payload) => {
      const { closes } = payload as { closes: number };
      this.#person.schedule(this.timing.requestMs, () => this.#entrance.close(closes));
    });
    this.simulation.onInput('http-message', (payload) => {
      const { to, message } = payload as { to: number; message: ClientMessage };
      this.#person.schedule(this.timing.requestMs, () => this.#entrance.receive(to, message));
    });
    this.simulation.onInput('outbound-answer', (payload) => {
      const { answers, outcome } = payload as { answers: number; outcome: OutboundOutcome };
      this.#outbound.receive(answers, outcome);
    });
    this.simulation.onInput('visit', (payload) => {
      const { call, visit } = payload as { readonly call: number; readonly visit: Visit };
      this.#person.schedule(0, () => this.#answer(call, this.#visit(visit)));
    });
    this.simulation.onInput('load', (payload) => {
      this.#loads ??= new LoadGenerator(this);
      this.#loads.set(payload as Load);
    });
    this.simulation.onInput('fault', (payload) => applyFault(this, payload as Fault));
  }

  async #kubectl(call: number, { args, files = {} }: KubectlInput): Promise<KubectlResult> {
    const interrupt = new Interrupt();
    this.#interrupts.set(call, interrupt);
    const result = await runKubectl(args, {
      client: this.clientOf(this.#person, KUBERNETES_ADMIN),
      files,
      interrupt,
      onLine: this.#lines.get(call),
      kubeconfig: this.#kubeconfig,
      fetch: (request) => this.#entrance.once(call, this.#http(call, inputOf(request))),
    });
    this.#interrupts.delete(call);
    this.#lines.delete(call);
    return result;
  }

  async #http(call: number, input: HttpInput): Promise<Response> {
    const request = this.#entrance.open(call, input);
    const { requestMs, responseMs } = this.timing;
    const response = await this.#person.call(this.#server, () => this.apiserver.fetch(request), { requestMs, responseMs });
    this.#entrance.answered(call, response);
    return response;
  }

  async #visit(asked: Visit): Promise<VisitResult> {
    const visit = await addressed(this.clientOf(this.#person, KUBERNETES_ADMIN), asked);
    const result = visit ? await this.serviceNetwork.visit(this.#person, visit) : unbalanced(asked);
    const message = connectionText(visit ?? asked, result);
    this.simulation.trace.record({ kind: 'runtime', what: 'connection', message, details: result.way });
    return result;
  }

  async #answer(call: number, result: Promise<unknown>): Promise<void> {
    const pending = this.#pending.get(call);
    this.#pending.delete(call);
    await result.then(
      (value) => pending?.resolve(value),
      (error: unknown) => pending?.reject(error),
    );
  }
}

/** Makes a cluster and runs it until its nodes are ready and nothing is left to do. */
export async function createCluster(options: CreateClusterOptions = {}): Promise<Cluster> {
  const cluster = new Cluster(options);
  await cluster.settle();
  return cluster;
}

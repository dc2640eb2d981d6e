import { CloudError, instanceNotFound, type Route } from '../../../src/api/cloud-provider.ts';
import type { LoadBalancerStatus, NodeAddress } from '../../../src/api/kinds/core-v1.ts';
import type { BalancerTarget, Forwarding, IncomingRequest, LoadBalancers } from '../../../src/api/load-balancer.ts';
import type { Actor } from '../../../src/sim/actor.ts';

/** A machine of the cloud. */
export interface Instance {
  readonly providerID: string;
  readonly type?: string;
  readonly zone?: string;
  readonly region?: string;
  readonly addresses: readonly NodeAddress[];
  /** It exists and is switched off. */
  readonly shutdown?: boolean;
}

/** What the cloud was asked to change. */
export interface CloudCall {
  readonly call: string;
  /** A Service's `namespace/name`, or a node. */
  readonly about: string;
  readonly nodes?: readonly string[];
}

export interface CloudOptions {
  /** How long a request takes, there and back. */
  readonly latencyMs: number;
  /** What load balancers are reached by. */
  readonly addressOf: (service: BalancedService) => { readonly ip: string; readonly status: LoadBalancerStatus };
  /** What health checks of load balancers find at a node: whether it is up, and, for a Service that wants it so, has one of its pods. */
  readonly isHealthy: (node: string, port: BalancedPort) => boolean;
}

/** A port of a load balancer, and the one on the nodes that it stands for. */
export interface BalancedPort {
  readonly port: number;
  readonly nodePort: number;
  /** externalTrafficPolicy: Local */
  readonly isLocal: boolean;
}

/** What a load balancer is made for. */
export interface BalancedService {
  readonly namespace: string;
  readonly name: string;
  readonly ports: readonly BalancedPort[];
}

interface CloudLoadBalancer {
  readonly ip: string;
  readonly status: LoadBalancerStatus;
  readonly nodes: readonly string[];
  readonly ports: readonly BalancedPort[];
}

/** `InstanceExists`, `EnsureLoadBalancer`, …: the methods of cloud-provider, as failures name them. */
export type CloudMethod = string;

/** A cloud: machines, load balancers and routes, which anybody outside of the cluster may change as well. Its actor is what stops when the cloud is down. */
export class SimulatedCloud implements LoadBalancers {
  readonly actor: Actor;
  readonly options: CloudOptions;
  /** By the name of the node that runs on it. */
  readonly instances = new Map<string, Instance>();
  /** By `namespace/name` of the Service. */
  readonly loadBalancers = new Map<string, CloudLoadBalancer>();
  readonly routes = new Map<string, Route>();
  /** Methods that are refused, with what the cloud says. */
  readonly failures = new Map<CloudMethod, string>();
  readonly #listeners = new Set<(call: CloudCall) => void>();
  #routes = 0;

  constructor(actor: Actor, options: CloudOptions) {
    this.actor = actor;
    this.options = options;
  }

  /** Hears of each call that asks for a change. */
  onCall(listener: (call: CloudCall) => void): void {
    this.#listeners.add(listener);
  }

  instance(node: string): Instance {
    const instance = this.instances.get(node);
    if (!instance) throw instanceNotFound();
    return instance;
  }

  ensureLoadBalancer(service: BalancedService, nodes: readonly string[]): LoadBalancerStatus {
    const key = `${service.namespace}/${service.name}`;
    this.#note('EnsureLoadBalancer', { about: key, nodes });
    const { ip, status } = this.loadBalancers.get(key) ?? this.options.addressOf(service);
    this.loadBalancers.set(key, { ip, status, nodes, ports: service.ports });
    return status;
  }

  updateLoadBalancer(key: string, nodes: readonly string[]): void {
    this.#note('UpdateLoadBalancer', { about: key, nodes });
    const balancer = this.loadBalancers.get(key);
    if (balancer) this.loadBalancers.set(key, { ...balancer, nodes });
  }

  deleteLoadBalancer(key: string): void {
    this.#note('EnsureLoadBalancerDeleted', { about: key });
    this.loadBalancers.delete(key);
  }

  resolve(name: string): readonly string[] | undefined {
    const found = [...this.loadBalancers.values()].find(({ status }) => status.ingress?.some(({ hostname }) => hostname === name));
    return found && [found.ip];
  }

  /**
   * To one of the healthy nodes. A load balancer that has an address hands packets on as they are: kube-proxy knows the address. One that has only a name
   * makes connections of its own to the ports of nodes.
   */
  forward(ip: string, { port }: IncomingRequest): Forwarding | undefined {
    const [key, balancer] = [...this.loadBalancers].find(([, each]) => each.ip === ip) ?? [];
    if (!balancer) return undefined;
    const what = `load balancer of ${key}`;
    const open = balancer.ports.find((each) => each.port === port);
    if (!open) return { verdict: 'timeout', what: `${what}: nothing at port ${port}` };
    const healthy = balancer.nodes.filter((node) => this.options.isHealthy(node, open));
    const counted = `${what}, port ${port}: ${healthy.length} of ${balancer.nodes.length} nodes healthy`;
    const targets = healthy.flatMap((node) => this.#target(node, { balancer, open }));
    return targets.length === 0 ? { verdict: 'timeout', what: counted } : { verdict: 'forward', targets, proxies: false, what: counted };
  }

  #target(node: string, { balancer, open }: { readonly balancer: CloudLoadBalancer; readonly open: BalancedPort }): BalancerTarget[] {
    const ip = this.instances.get(node)?.addresses.find(({ type }) => type === 'InternalIP')?.address;
    if (ip === undefined) return [];
    const handsOn = balancer.status.ingress?.some((each) => each.ip === balancer.ip);
    return [handsOn ? { ip, port: open.port, keepsDestination: true } : { ip, port: open.nodePort, from: balancer.ip }];
  }

  createRoute(route: Omit<Route, 'name'>): void {
    this.#note('CreateRoute', { about: route.targetNode });
    const name = `route-${++this.#routes}`;
    this.routes.set(name, { ...route, name });
  }

  deleteRoute({ name, targetNode }: Route): void {
    this.#note('DeleteRoute', { about: targetNode });
    this.routes.delete(name);
  }

  /** @throws CloudError when the method is to fail */
  check(method: CloudMethod): void {
    const text = this.failures.get(method);
    if (text !== undefined) throw new CloudError(text);
  }

  #note(call: string, rest: Omit<CloudCall, 'call'>): void {
    const { nodes } = rest;
    const message = `the cloud is asked: ${call} ${rest.about}${nodes ? ` to ${nodes.join(', ') || 'no node'}` : ''}`;
    this.actor.simulation.trace.record({ kind: 'runtime', what: 'cloud', message });
    for (const listener of this.#listeners) listener({ call, ...rest });
    this.check(call);
  }
}

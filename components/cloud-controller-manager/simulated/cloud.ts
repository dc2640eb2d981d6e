import { CloudError, instanceNotFound, type Route } from '../../../src/api/cloud-provider.ts';
import type { LoadBalancerStatus, NodeAddress } from '../../../src/api/kinds/core-v1.ts';
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
  readonly addressOf: (service: { readonly namespace: string; readonly name: string }) => LoadBalancerStatus;
}

/** `InstanceExists`, `EnsureLoadBalancer`, …: the methods of cloud-provider, as failures name them. */
export type CloudMethod = string;

/** A cloud: machines, load balancers and routes, which anybody outside of the cluster may change as well. Its actor is what stops when the cloud is down. */
export class SimulatedCloud {
  readonly actor: Actor;
  readonly options: CloudOptions;
  /** By the name of the node that runs on it. */
  readonly instances = new Map<string, Instance>();
  /** By `namespace/name` of the Service. */
  readonly loadBalancers = new Map<string, { readonly status: LoadBalancerStatus; readonly nodes: readonly string[] }>();
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

  ensureLoadBalancer(service: { readonly namespace: string; readonly name: string }, nodes: readonly string[]): LoadBalancerStatus {
    const key = `${service.namespace}/${service.name}`;
    this.#note('EnsureLoadBalancer', { about: key, nodes });
    const status = this.loadBalancers.get(key)?.status ?? this.options.addressOf(service);
    this.loadBalancers.set(key, { status, nodes });
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

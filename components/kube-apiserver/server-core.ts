import type { PolicyRule } from '../../src/api/kinds/rbac-v1.ts';
import type { KubernetesObject } from '../../src/api/object.ts';
import type { RequestInfo, UserInfo } from '../../src/api/request.ts';
import type { Resource } from '../../src/api/resource.ts';
import { formatTime } from '../../src/api/time.ts';
import type { Random } from '../../src/sim/random.ts';
import type { Simulation } from '../../src/sim/simulation.ts';
import type { Etcd } from '../etcd/etcd.ts';
import { AdmissionChain } from './admission/chain.ts';
import type { Aggregator } from './aggregator/aggregator.ts';
import { ServiceAccountTokens } from './authentication/service-account-token.ts';
import { type Authorizer, allowAll } from './authorization/authorizer.ts';
import { forbiddenByAuthorizer } from './authorization/forbidden.ts';
import type { KubeApiserverConfig } from './config.ts';
import type { PriorityAndFairness } from './flowcontrol/priority-and-fairness.ts';
import type { RequestContext, RequestScope } from './request-context.ts';
import { ResourceStorage } from './storage/resource-storage.ts';
import type { Strategy } from './storage/strategy.ts';
import { WatchCacheLag } from './storage/watch-cache-lag.ts';

/** Something taken for a write (addresses, ports) that is kept when the write succeeds and given back when it fails. */
export interface Reservation<T> {
  readonly object: T;
  /** With the object as it was stored; undefined when nothing was. */
  finish(stored: T | undefined): void;
}

/** What a resource does around its writes. apiserver pkg/registry/generic/registry.Store BeginCreate, BeginUpdate, AfterDelete */
export interface StorageHooks<T extends KubernetesObject = KubernetesObject> {
  beginCreate?(context: RequestContext<T>, object: T): Reservation<T>;
  beginUpdate?(context: RequestContext<T>, object: T, old: T): Reservation<T>;
  afterDelete?(context: RequestContext<T>, object: T): void;
}

/** What the stages of the pipeline share: the store of each resource, the clock, the sources of chance. */
export class ServerCore {
  readonly simulation: Simulation;
  readonly etcd: Etcd;
  readonly config: KubeApiserverConfig;
  readonly uids: Random;
  readonly names: Random;
  readonly auditIds: Random;
  readonly random: Random;
  /** Ids of what webhooks are asked. */
  readonly webhookIds: Random;
  /** Set once by `createKubeApiserver`. */
  admission = new AdmissionChain([]);
  authorizer: Authorizer = allowAll;
  /** Servers behind this one; set once like the authorizer. */
  aggregator: Aggregator | undefined;
  /** Sends requests away while there are too many; absent as long as there never were. */
  flowControl: PriorityAndFairness | undefined;
  readonly tokens: ServiceAccountTokens;
  readonly watchCacheLag: WatchCacheLag;
  readonly #storages = new Map<string, ResourceStorage>();
  #nowSecond = -1;
  #nowText = '';
  readonly #resources = new Map<string, Resource>();
  readonly #groups = new Set<string>();
  readonly #hooks = new Map<string, StorageHooks>();

  constructor(options: { simulation: Simulation; etcd: Etcd; config: KubeApiserverConfig }) {
    this.simulation = options.simulation;
    this.etcd = options.etcd;
    this.config = options.config;
    this.random = options.simulation.random.fork('kube-apiserver');
    this.watchCacheLag = new WatchCacheLag(options.config.watchCacheMs ?? 0);
    this.tokens = new ServiceAccountTokens(this);
    this.auditIds = options.simulation.random.fork('kube-apiserver/audit');
    this.webhookIds = options.simulation.random.fork('kube-apiserver/webhook');
    this.uids = options.simulation.random.fork('kube-apiserver/uid');
    this.names = options.simulation.random.fork('kube-apiserver/name');
  }

  /** The present time as the API writes it. */
  get now(): string {
    const second = Math.floor(this.simulation.wallTime / 1000);
    if (second !== this.#nowSecond) {
      this.#nowSecond = second;
      this.#nowText = formatTime(second * 1000);
    }
    return this.#nowText;
  }

  addStorage<T extends KubernetesObject>(options: { resource: Resource<T>; strategy: Strategy<T>; custom?: boolean }): ResourceStorage<T> {
    const storage = new ResourceStorage({ ...options, etcd: this.etcd });
    this.#storages.set(`${options.resource.resource}.${options.resource.group}`, storage as unknown as ResourceStorage);
    return storage;
  }

  /** The store of a resource, by its plural name and group. */
  storage<T extends KubernetesObject>(resource: Pick<Resource<T>, 'group' | 'resource' | 'objectType'>): ResourceStorage<T> {
    const group = resource.group === 'events.k8s.io' ? '' : resource.group;
    return this.#storages.get(`${resource.resource}.${group}`) as unknown as ResourceStorage<T>;
  }

  /** The resource that a path names. */
  resource(info: Pick<RequestInfo, 'group' | 'version' | 'resource'>): Resource | undefined {
    return this.#resources.get(`${info.resource}.${info.version}.${info.group}`);
  }

  /** Every resource that is served. */
  resources(): Iterable<Resource> {
    return this.#resources.values();
  }

  /** Whether any version of the group is served. */
  hasGroup(group: string): boolean {
    return this.#groups.has(group);
  }

  /** Serves a resource; its store was added before. */
  addResource(resource: Resource): void {
    this.#resources.set(`${resource.resource}.${resource.version}.${resource.group}`, resource);
    this.#groups.add(resource.group);
  }

  /** Serves a resource no more. */
  removeResource({ group, version, resource }: Pick<Resource, 'group' | 'version' | 'resource'>): void {
    this.#resources.delete(`${resource}.${version}.${group}`);
    if (![...this.#resources.values()].some((other) => other.group === group)) this.#groups.delete(group);
  }

  /** Whether anything of the version of the group is served. */
  hasGroupVersion(group: string, version: string): boolean {
    for (const resource of this.#resources.values()) if (resource.group === group && resource.version === version) return true;
    return false;
  }

  /** Every rule that a user holds in a namespace; set with the authorizer. */
  rulesFor: (user: UserInfo, namespace: string) => { readonly rules: readonly PolicyRule[]; readonly errors: readonly string[] } = () => ({
    rules: [],
    errors: [],
  });

  /** A PUT that creates needs the right to create as well. */
  authorizeCreate(context: RequestScope): void {
    const { request, user } = context;
    const attributes = { ...request.info, verb: 'create', user };
    const { decision, reason } = this.authorizer.authorize(attributes);
    if (decision !== 'allow') throw forbiddenByAuthorizer(attributes, reason);
  }

  addHooks<T extends KubernetesObject>(resource: Resource<T>, hooks: StorageHooks<T>): void {
    this.#hooks.set(`${resource.resource}.${resource.group}`, hooks as unknown as StorageHooks);
  }

  beginCreate<T extends KubernetesObject>(context: RequestContext<T>, object: T): Reservation<T> {
    return this.#hooksOf(context)?.beginCreate?.(context, object) ?? { object, finish: () => {} };
  }

  beginUpdate<T extends KubernetesObject>(context: RequestContext<T>, object: T, old: T): Reservation<T> {
    return this.#hooksOf(context)?.beginUpdate?.(context, object, old) ?? { object, finish: () => {} };
  }

  afterDelete<T extends KubernetesObject>(context: RequestContext<T>, object: T): void {
    this.#hooksOf(context)?.afterDelete?.(context, object);
  }

  #hooksOf<T extends KubernetesObject>({ resource }: RequestContext<T>): StorageHooks<T> | undefined {
    return this.#hooks.get(`${resource.resource}.${resource.group}`) as unknown as StorageHooks<T> | undefined;
  }
}

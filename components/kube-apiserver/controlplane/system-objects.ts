import { deepEqual } from '../../../src/api/deep-equal.ts';
import type { ClusterRole, ClusterRoleBinding } from '../../../src/api/kinds/rbac-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import type { ApiHandler } from '../../../src/api/request.ts';
import type { Resource } from '../../../src/api/resource.ts';
import { type BootstrapObject, bootstrapObjects } from '../bootstrap.ts';
import { APISERVER_USER } from '../loopback.ts';
import type { ServerCore } from '../server-core.ts';
import { reconciledBinding, reconciledRole } from './reconcile-policy.ts';

/** An object that is to be there, and how. */
interface Kept {
  readonly resource: Resource;
  readonly wanted: KubernetesObject;
}

const REACTION_MS = 2;
const KUBERNETES_SERVICE_MS = 10_000;
const MINUTE_MS = 60_000;

/** How often what kube-apiserver keeps is looked at: pkg/controlplane/controller, and the ensurers of priority and fairness. At 0, when it changes. */
const INTERVALS: Readonly<Record<string, number>> = {
  Service: KUBERNETES_SERVICE_MS,
  Endpoints: KUBERNETES_SERVICE_MS,
  EndpointSlice: KUBERNETES_SERVICE_MS,
  Namespace: MINUTE_MS,
  FlowSchema: MINUTE_MS,
  PriorityLevelConfiguration: MINUTE_MS,
  ConfigMap: 0,
};

const AUTOUPDATE_SPEC = 'apf.kubernetes.io/autoupdate-spec';
const MANDATORY = new Set(['exempt', 'catch-all']);

/**
 * Keeps what kube-apiserver needs of itself: the `kubernetes` Service and its endpoints, system namespaces, flow schemas. Roles and everything else that a
 * cluster begins with are looked at when the server starts only.
 */
export class SystemObjects {
  readonly #server: ServerCore;
  readonly #handler: ApiHandler;
  readonly #pending = new Set<Kept>();

  constructor(server: ServerCore, handler: ApiHandler, objects: readonly BootstrapObject[]) {
    this.#server = server;
    this.#handler = handler;
    const byStore = new Map<Resource, Map<string, Kept>>();
    for (const { object: wanted, resource } of objects) {
      if (!(resource.kind in INTERVALS)) continue;
      const kept = byStore.get(resource) ?? new Map<string, Kept>();
      byStore.set(resource, kept.set(keyIn(server, resource, wanted), { resource, wanted }));
    }
    for (const [resource, kept] of byStore) {
      server.storage(resource).keyspace.watch(({ key }) => {
        const found = kept.get(key);
        if (found) this.#enqueue(found);
      });
    }
  }

  /** What the server does when it has started again: pkg/controlplane and its post-start hooks. */
  runPostStartHooks(): void {
    for (const { object: wanted, resource } of bootstrapObjects(this.#server)) this.#ensure({ resource, wanted });
  }

  #enqueue(kept: Kept, priority: 'work' | 'background' = 'work'): void {
    const { actor } = this.#server.config;
    const interval = INTERVALS[kept.resource.kind] ?? 0;
    if (!actor || this.#pending.has(kept) || !this.#change(kept)) return;
    this.#pending.add(kept);
    const { now } = this.#server.simulation;
    const delayMs = interval === 0 ? REACTION_MS : interval - (now % interval);
    const run = (): void => {
      this.#pending.delete(kept);
      this.#ensure(kept);
      // Somebody who does not let it be is no reason for anybody to wait.
      this.#enqueue(kept, 'background');
    };
    actor.schedule(delayMs, run, { priority, label: 'kube-apiserver: system objects' });
  }

  #ensure(kept: Kept): void {
    const change = this.#change(kept);
    if (!change) return;
    if (change.verb === 'replace') {
      this.#send('delete', kept.resource, kept.wanted);
      this.#send('create', kept.resource, kept.wanted);
    } else this.#send(change.verb, kept.resource, change.object);
  }

  /** What is to be done for an object to be as it should; undefined: nothing. */
  #change({ resource, wanted }: Kept): { readonly verb: 'create' | 'update' | 'replace'; readonly object: KubernetesObject } | undefined {
    const { namespace = '', name = '' } = wanted.metadata;
    const present = this.#server.storage(resource).get(namespace, name);
    if (!present) return { verb: 'create', object: wanted };
    const object = corrected(present, wanted);
    if (!object) return { verb: 'replace', object: wanted };
    return object === present ? undefined : { verb: 'update', object };
  }

  #send(verb: 'create' | 'update' | 'delete', resource: Resource, object: KubernetesObject): void {
    const { group, version, resource: plural } = resource;
    const { namespace = '', name = '' } = object.metadata;
    const about = { isResourceRequest: true, path: '', group, version, resource: plural, subresource: '', namespace };
    const answered = this.#handler.handle({
      info: { ...about, verb, name: verb === 'create' ? '' : name },
      query: {},
      headers: { userAgent: 'kube-apiserver' },
      user: APISERVER_USER,
      traced: this.#server.simulation.cause,
      ...(verb === 'delete' ? {} : { body: object }),
    });
    // A refusal is an answer as well; the next look sees what came of it.
    if (answered instanceof Promise) answered.catch(() => undefined);
  }
}

function keyIn(server: ServerCore, resource: Resource, { metadata }: KubernetesObject): string {
  return server.storage(resource).key(metadata.namespace ?? '', metadata.name ?? '');
}

/** The object with what is wrong with it put right; itself when nothing is, undefined when it has to be made anew. */
function corrected(present: KubernetesObject, wanted: KubernetesObject): KubernetesObject | undefined {
  switch (wanted.kind) {
    case 'Role':
    case 'ClusterRole':
      return reconciledRole(present as ClusterRole, wanted as ClusterRole);
    case 'RoleBinding':
    case 'ClusterRoleBinding':
      return reconciledBinding(present as ClusterRoleBinding, wanted as ClusterRoleBinding);
    case 'Service':
      return withParts(present, wanted, ['spec.type', 'spec.ports']);
    case 'Endpoints':
      return withParts(present, wanted, ['subsets']);
    case 'EndpointSlice':
      return withParts(present, wanted, ['endpoints', 'ports']);
    case 'FlowSchema':
    case 'PriorityLevelConfiguration':
      return keepsSpec(present) ? withParts(present, wanted, ['spec']) : present;
    default:
      return present;
  }
}

/** Whether the spec is the server's, not that of somebody who has changed it. apiserver pkg/util/apihelpers, pkg/registry/flowcontrol/ensurer */
function keepsSpec({ metadata }: KubernetesObject): boolean {
  return MANDATORY.has(metadata.name ?? '') || metadata.annotations?.[AUTOUPDATE_SPEC] === 'true';
}

/** `present` with parts of `wanted`, where they differ. */
function withParts(present: KubernetesObject, wanted: KubernetesObject, paths: readonly string[]): KubernetesObject {
  return paths.reduce((object, path) => withPart(object, wanted, path.split('.')), present);
}

function withPart<T extends object>(object: T, wanted: object, [key = '', ...rest]: readonly string[]): T {
  const [mine, theirs] = [(object as Record<string, unknown>)[key], (wanted as Record<string, unknown>)[key]];
  const part = rest.length > 0 ? withPart((mine ?? {}) as object, (theirs ?? {}) as object, rest) : theirs;
  return part === mine || deepEqual(part, mine) ? object : { ...object, [key]: part };
}

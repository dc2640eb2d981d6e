import type { OwnerReference } from '../../../src/api/kinds/meta-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { isNotFound } from '../../../src/api/status-error.ts';
import { runWorkers } from '../../../src/client/controller.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import type { Simulation } from '../../../src/sim/simulation.ts';
import { aggregate } from '../controller/sync-error.ts';
import type { ControllerContext } from '../controller-context.ts';
import { FOREGROUND_DELETION, hasFinalizer, ORPHAN_DEPENDENTS } from './finalizers.ts';
import type { Node, ObjectIdentity } from './graph.ts';
import { GraphBuilder } from './graph-builder.ts';
import { NamespacedOwnerOfClusterScopedObject, Operations, type Propagation } from './operations.ts';
import { ResourceMonitors } from './resource-monitors.ts';
import { RestMapper } from './rest-mapper.ts';
import { ReferenceCache } from './uid-cache.ts';

const NAME = 'garbage-collector-controller';
const ACCOUNT = 'generic-garbage-collector';
/** pkg/controller/garbagecollector/config/v1alpha1 ConcurrentGCSyncs */
const WORKERS = 20;

/** cmd/kube-controller-manager/app/core.go startGarbageCollectorController */
export function startGarbageCollectorController(context: ControllerContext): void {
  const collector = new GarbageCollector(context);
  context.onceSynced(() => collector.run());
}

/** The references of an object by the state of their owners. */
interface ClassifiedReferences {
  /** The owner exists. */
  readonly solid: readonly OwnerReference[];
  /** The owner does not exist. */
  readonly dangling: readonly OwnerReference[];
  /** The owner is deleted in the foreground. */
  readonly waiting: readonly OwnerReference[];
}

/**
 * Deletes objects whose owners are gone, and carries out foreground and orphaning deletion.
 * pkg/controller/garbagecollector/garbagecollector.go GarbageCollector
 */
class GarbageCollector {
  readonly #context: ControllerContext;
  readonly #simulation: Simulation;
  readonly #recorder: EventRecorder;
  readonly #graph: GraphBuilder;
  readonly #operations: Operations;
  readonly #mapper = new RestMapper();
  readonly #monitors: ResourceMonitors;
  readonly #absentOwnerCache = new ReferenceCache();
  /** Both hold UIDs. */
  readonly #attemptToDelete: RateLimitingQueue;
  readonly #attemptToOrphan: RateLimitingQueue;

  constructor(context: ControllerContext) {
    const client = context.clientFor(ACCOUNT);
    this.#context = context;
    this.#simulation = context.actor.simulation;
    this.#recorder = context.recorderFor(NAME, ACCOUNT);
    this.#attemptToDelete = new RateLimitingQueue({ actor: context.actor });
    this.#attemptToOrphan = new RateLimitingQueue({ actor: context.actor });
    this.#graph = new GraphBuilder({
      absentOwnerCache: this.#absentOwnerCache,
      attemptToDelete: (node) => this.#attemptToDelete.add(node.identity.uid),
      attemptToDeleteRateLimited: (node) => this.#attemptToDelete.addRateLimited(node.identity.uid),
      attemptToOrphan: (node) => this.#attemptToOrphan.add(node.identity.uid),
      reportInvalidNamespaceOwnerRef: (dependent, uid) => this.#reportInvalidNamespaceOwnerRef(dependent, uid),
    });
    this.#operations = new Operations(client, this.#mapper);
    this.#monitors = new ResourceMonitors({ client, informers: context.informers, mapper: this.#mapper, handler: this.#graph });
  }

  run(): Promise<void> {
    const { actor } = this.#context;
    runWorkers({
      actor,
      name: NAME,
      queue: this.#attemptToDelete,
      workers: WORKERS,
      reconcile: (uid) => this.#attemptToDeleteWorker(uid),
    });
    runWorkers({
      actor,
      name: `${NAME} orphan`,
      queue: this.#attemptToOrphan,
      workers: WORKERS,
      reconcile: (uid) => this.#attemptToOrphanWorker(uid),
    });
    return this.#monitors.run();
  }

  /** pkg/controller/garbagecollector/garbagecollector.go attemptToDeleteWorker */
  #attemptToDeleteWorker(uid: string): void | Promise<void> {
    const node = this.#graph.get(uid);
    // Its own deletion is on its way; dependents are looked at when it is gone.
    if (!node || (node.beingDeleted && !node.deletingDependents)) return;
    return this.#attemptToDeleteItem(node);
  }

  /** pkg/controller/garbagecollector/garbagecollector.go attemptToDeleteItem */
  async #attemptToDeleteItem(node: Node): Promise<void> {
    const { identity } = node;
    const wasVirtual = node.virtual;
    try {
      const latest = await this.#getLatest(identity);
      if (!latest) return this.#graph.deleteVirtually(identity);
      if (node.deletingDependents) await this.#processDeletingDependentsItem(node);
      else await this.#deleteIfUnowned(node, latest);
    } catch (error) {
      // Nothing will ever come of it.
      if (error instanceof NamespacedOwnerOfClusterScopedObject) return;
      throw error;
    }
    // Not seen by a watch yet: it may go before it is.
    if (wasVirtual && node.virtual) this.#attemptToDelete.addRateLimited(identity.uid);
  }

  /** The object, unless it is gone or another one has its name. */
  async #getLatest(identity: ObjectIdentity): Promise<KubernetesObject | undefined> {
    try {
      const latest = await this.#operations.getObject(identity);
      return latest.metadata.uid === identity.uid ? latest : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** pkg/controller/garbagecollector/garbagecollector.go processDeletingDependentsItem */
  async #processDeletingDependentsItem(node: Node): Promise<void> {
    const blocking = node.blockingDependents();
    if (blocking.length === 0) {
      this.#decide(node, 'no dependent blocks the deletion any more: let it go');
      return this.#operations.removeFinalizer(node.identity, FOREGROUND_DELETION);
    }
    for (const dependent of blocking) if (!dependent.deletingDependents) this.#attemptToDelete.add(dependent.identity.uid);
  }

  async #deleteIfUnowned(node: Node, latest: KubernetesObject): Promise<void> {
    const references = latest.metadata.ownerReferences ?? [];
    if (references.length === 0) return;
    const { solid, dangling, waiting } = await this.#classifyReferences(node, references);
    const isLeaving = [...dangling, ...waiting];
    if (solid.length > 0) {
      if (isLeaving.length === 0) return;
      this.#decide(node, `owned by ${namesOf(solid)}, too: take ${namesOf(isLeaving)} off its owners`);
      const uids = isLeaving.map(({ uid }) => uid);
      return this.#operations.deleteOwnerReferences(node, uids);
    }
    if (waiting.length > 0 && node.dependents.size > 0) {
      if ([...node.dependents].some((dependent) => dependent.deletingDependents)) await this.#operations.unblockOwnerReferences(node);
      this.#decide(
        node,
        `its owner ${namesOf(waiting)} is deleted in the foreground, and it has dependents itself: delete it in the foreground`,
      );
      return this.#operations.deleteObject(node.identity, latest, 'Foreground');
    }
    const why = dangling.length > 0 ? `its owner ${namesOf(dangling)} does not exist` : `its owner ${namesOf(waiting)} waits for it to go`;
    this.#decide(node, `${why}: delete it`);
    return this.#operations.deleteObject(node.identity, latest, propagationOf(latest));
  }

  /** pkg/controller/garbagecollector/garbagecollector.go classifyReferences */
  async #classifyReferences(node: Node, references: readonly OwnerReference[]): Promise<ClassifiedReferences> {
    const solid: OwnerReference[] = [];
    const dangling: OwnerReference[] = [];
    const waiting: OwnerReference[] = [];
    for (const reference of references) {
      const owner = await this.#findOwner(node, reference);
      if (!owner) dangling.push(reference);
      else if (owner.metadata.deletionTimestamp !== undefined && hasFinalizer(owner.metadata, FOREGROUND_DELETION)) waiting.push(reference);
      else solid.push(reference);
    }
    return { solid, dangling, waiting };
  }

  /** Undefined when the reference dangles: pkg/controller/garbagecollector/garbagecollector.go isDangling */
  async #findOwner(node: Node, { apiVersion, kind, name, uid }: OwnerReference): Promise<KubernetesObject | undefined> {
    const { namespace } = node.identity;
    const clusterScoped = { apiVersion, kind, name, uid, namespace: '' };
    if (this.#absentOwnerCache.has(clusterScoped) || this.#absentOwnerCache.has({ ...clusterScoped, namespace })) return undefined;
    const { namespaced } = this.#mapper.resourceFor(apiVersion, kind);
    const identity = namespaced ? { ...clusterScoped, namespace } : clusterScoped;
    const owner = await this.#getLatest(identity);
    if (!owner) this.#absentOwnerCache.add(identity);
    return owner;
  }

  /** pkg/controller/garbagecollector/garbagecollector.go attemptToOrphanWorker, orphanDependents */
  async #attemptToOrphanWorker(uid: string): Promise<void> {
    const owner = this.#graph.get(uid);
    if (!owner) return;
    const orphan = async (dependent: Node): Promise<void> => {
      this.#decide(dependent, `its owner ${owner.identity.name} is deleted, and leaves it: take the reference off`);
      await this.#operations.deleteOwnerReferences(dependent, [uid]);
    };
    const results = await Promise.allSettled([...owner.dependents].map(orphan));
    const errors = results.flatMap((result) => (result.status === 'rejected' && !isNotFound(result.reason) ? [result.reason] : []));
    if (errors.length) throw aggregate(errors);
    await this.#operations.removeFinalizer(owner.identity, ORPHAN_DEPENDENTS);
  }

  /** pkg/controller/garbagecollector/graph_builder.go reportInvalidNamespaceOwnerRef */
  #reportInvalidNamespaceOwnerRef({ identity, owners }: Node, ownerUid: string): void {
    const reference = owners.find(({ uid }) => uid === ownerUid);
    if (!reference) return;
    const { apiVersion, kind, name, uid } = reference;
    const { namespace } = identity;
    const message = `ownerRef [${apiVersion}/${kind}, namespace: ${namespace}, name: ${name}, uid: ${uid}] does not exist in namespace "${namespace}"`;
    this.#recorder.event({ ...identity }, 'Warning', 'OwnerRefInvalidNamespace', message);
  }

  #decide({ identity }: Node, message: string): void {
    const { group, resource } = this.#mapper.resourceFor(identity.apiVersion, identity.kind);
    const { kind, namespace, name, uid } = identity;
    const object = { group, resource, kind, ...(namespace ? { namespace } : {}), name, uid };
    this.#simulation.recordCause({ kind: 'decision', component: NAME, object, message });
  }
}

function namesOf(references: readonly OwnerReference[]): string {
  return references.map(({ kind, name }) => `${kind} ${name}`).join(', ');
}

function propagationOf({ metadata }: KubernetesObject): Propagation {
  if (hasFinalizer(metadata, ORPHAN_DEPENDENTS)) return 'Orphan';
  return hasFinalizer(metadata, FOREGROUND_DELETION) ? 'Foreground' : 'Background';
}

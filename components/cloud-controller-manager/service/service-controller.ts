import { CloudError } from '../../../src/api/cloud-provider.ts';
import type { LoadBalancerStatus, Node, Service } from '../../../src/api/kinds/core-v1.ts';
import { keyOf } from '../../../src/api/object.ts';
import { nodes, services } from '../../../src/api/resources.ts';
import { isNotFound } from '../../../src/api/status-error.ts';
import { runWorkers } from '../../../src/client/controller.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import { ItemExponentialFailureRateLimiter } from '../../../src/client/rate-limiters.ts';
import { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import { type ControllerContext, recorderFor } from '../controller-context.ts';
import { hasFinalizer, LOAD_BALANCER_CLEANUP_FINALIZER, needsCleanup, needsUpdate, wantsLoadBalancer } from './needs-update.ts';
import { patchService } from './patch-service.ts';

const NAME = 'service-controller';
/** controllers/service/controller.go minRetryDelay and maxRetryDelay */
const MIN_RETRY_MS = 5_000;
const MAX_RETRY_MS = 300_000;
const EXCLUDE_BALANCERS = 'node.kubernetes.io/exclude-from-external-load-balancers';
/** Put on a node by cluster-autoscaler that is about to remove it. */
const TO_BE_DELETED = 'ToBeDeletedByClusterAutoscaler';
const NODES = 'nodes';

/** Has the cloud make load balancers for Services that ask for one. k8s.io/cloud-provider controllers/service/controller.go Controller */
export function startServiceController(context: ControllerContext): void {
  new ServiceController(context).start();
}

class ServiceController {
  readonly #context: ControllerContext;
  readonly #recorder: EventRecorder;
  readonly #queue: RateLimitingQueue;
  readonly #nodeQueue: RateLimitingQueue;
  /** Services that have a load balancer as far as this process knows, with the nodes that it was told. serviceCache and lastSyncedNodes */
  readonly #balanced = new Map<string, readonly string[]>();

  constructor(context: ControllerContext) {
    const { actor } = context;
    this.#context = context;
    this.#recorder = recorderFor(context, NAME);
    const limiter = () => new ItemExponentialFailureRateLimiter(MIN_RETRY_MS, MAX_RETRY_MS);
    this.#queue = new RateLimitingQueue({ actor, rateLimiter: limiter() });
    this.#nodeQueue = new RateLimitingQueue({ actor, rateLimiter: limiter() });
  }

  start(): void {
    const { actor, config, informers, onceSynced } = this.#context;
    const enqueue = (service: Service): void => this.#queue.add(keyOf(service));
    informers.forResource(services).addEventHandler({
      onAdd: (service) => (wantsLoadBalancer(service) || needsCleanup(service)) && enqueue(service),
      onUpdate: (old, service) => (needsUpdate(old, service) || needsCleanup(service)) && enqueue(service),
    });
    informers.forResource(nodes).addEventHandler({
      onAdd: () => this.#nodeQueue.add(NODES),
      onUpdate: (old, node) => takesTraffic(old) !== takesTraffic(node) && this.#nodeQueue.add(NODES),
      onDelete: () => this.#nodeQueue.add(NODES),
    });
    const workers = config.concurrentServiceSyncs;
    onceSynced(() => runWorkers({ actor, name: NAME, queue: this.#queue, workers, reconcile: (key) => this.#syncService(key) }));
    onceSynced(() => runWorkers({ actor, name: `${NAME} nodes`, queue: this.#nodeQueue, reconcile: () => this.#syncNodes() }));
  }

  /** controller.go syncService and processServiceCreateOrUpdate */
  async #syncService(key: string): Promise<void> {
    const service = this.#context.informers.forResource(services).store.get(key);
    if (!service) {
      this.#balanced.delete(key);
      return;
    }
    try {
      await this.#syncLoadBalancerIfNeeded(service, key);
    } catch (error) {
      this.#recorder.event(service, 'Warning', 'SyncLoadBalancerFailed', `Error syncing load balancer: ${messageOf(error)}`);
      throw error;
    }
  }

  /** controller.go syncLoadBalancerIfNeeded */
  async #syncLoadBalancerIfNeeded(service: Service, key: string): Promise<void> {
    const status =
      !wantsLoadBalancer(service) || needsCleanup(service) ? await this.#release(service, key) : await this.#ensure(service, key);
    try {
      await patchService(this.#context.client, service, (changed) => {
        changed.status = { ...changed.status, loadBalancer: status };
      });
    } catch (error) {
      if (!isNotFound(error)) throw failed('failed to update load balancer status', error);
    }
  }

  async #release(service: Service, key: string): Promise<LoadBalancerStatus> {
    const { loadBalancer } = this.#context.config.cloud;
    const existing = await about('failed to check if load balancer exists before cleanup', loadBalancer.getLoadBalancer(service));
    if (existing) {
      this.#recorder.event(service, 'Normal', 'DeletingLoadBalancer', 'Deleting load balancer');
      await about('failed to delete load balancer', loadBalancer.ensureLoadBalancerDeleted(service));
    }
    this.#balanced.delete(key);
    await about('failed to remove load balancer cleanup finalizer', this.#setFinalizer(service, false));
    this.#recorder.event(service, 'Normal', 'DeletedLoadBalancer', 'Deleted load balancer');
    return {};
  }

  async #ensure(service: Service, key: string): Promise<LoadBalancerStatus> {
    this.#recorder.event(service, 'Normal', 'EnsuringLoadBalancer', 'Ensuring load balancer');
    await about('failed to add load balancer cleanup finalizer', this.#setFinalizer(service, true));
    const backends = this.#backends();
    if (backends.length === 0) this.#recordUnavailable(service);
    const status = await about(
      'failed to ensure load balancer',
      this.#context.config.cloud.loadBalancer.ensureLoadBalancer(service, backends),
    );
    this.#balanced.set(key, backends.map(nameOf));
    this.#recorder.event(service, 'Normal', 'EnsuredLoadBalancer', 'Ensured load balancer');
    return status;
  }

  /** controller.go addFinalizer and removeFinalizer: both go through the status subresource. */
  async #setFinalizer(service: Service, wanted: boolean): Promise<void> {
    if (hasFinalizer(service) === wanted) return;
    await patchService(this.#context.client, service, ({ metadata }) => {
      const others = metadata.finalizers?.filter((name) => name !== LOAD_BALANCER_CLEANUP_FINALIZER) ?? [];
      metadata.finalizers = wanted ? [...others, LOAD_BALANCER_CLEANUP_FINALIZER] : others;
    });
  }

  /** controller.go syncNodes and updateLoadBalancerHosts: load balancers that were told of other nodes than there are now. */
  async #syncNodes(): Promise<void> {
    const backends = this.#backends();
    const names = backends.map(nameOf);
    const { store } = this.#context.informers.forResource(services);
    let failure: unknown;
    for (const [key, told] of this.#balanced) {
      const service = store.get(key);
      if (!service || !wantsLoadBalancer(service) || told.join() === names.join()) continue;
      try {
        await this.#context.config.cloud.loadBalancer.updateLoadBalancer(service, backends);
        this.#balanced.set(key, names);
        if (names.length === 0) this.#recordUnavailable(service);
        else this.#recorder.event(service, 'Normal', 'UpdatedLoadBalancer', 'Updated load balancer with new hosts');
      } catch (error) {
        failure = error;
        const message = `Error updating load balancer with new hosts [${names.join(' ')}] [node names limited, total number of nodes: ${names.length}], error: ${messageOf(error)}`;
        this.#recorder.event(service, 'Warning', 'UpdateLoadBalancerFailed', message);
      }
    }
    if (failure) throw failure;
  }

  #recordUnavailable(service: Service): void {
    this.#recorder.event(service, 'Warning', 'UnAvailableLoadBalancer', 'There are no available nodes for LoadBalancer');
  }

  #backends(): readonly Node[] {
    const all = this.#context.informers.forResource(nodes).store.list();
    return all.filter(takesTraffic).sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  }
}

/** Nodes that load balancers may send to, ready or not: the load balancer checks their health itself. controller.go stableNodeSetPredicates */
function takesTraffic({ metadata, spec }: Node): boolean {
  if (metadata.deletionTimestamp !== undefined || EXCLUDE_BALANCERS in (metadata.labels ?? {})) return false;
  return !spec?.taints?.some(({ key }) => key === TO_BE_DELETED);
}

const nameOf = ({ metadata }: Node): string => metadata.name ?? '';

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Go's `fmt.Errorf("what: %v", err)`; a mistake in this program stays what it is. */
function failed(what: string, error: unknown): unknown {
  return error instanceof TypeError ? error : new CloudError(`${what}: ${messageOf(error)}`);
}

async function about<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw failed(what, error);
  }
}

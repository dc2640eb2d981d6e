import { getCondition } from '../../../src/api/conditions.ts';
import type { Node, Service } from '../../../src/api/kinds/core-v1.ts';
import type { EndpointSlice } from '../../../src/api/kinds/discovery-v1.ts';
import { keyOf } from '../../../src/api/object.ts';
import { endpointslices, nodes, pods, services } from '../../../src/api/resources.ts';
import { runWorkers } from '../../../src/client/controller.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import { BucketRateLimiter, ItemExponentialFailureRateLimiter, MaxOfRateLimiter } from '../../../src/client/rate-limiters.ts';
import { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import { SyncError } from '../controller/sync-error.ts';
import type { ControllerContext } from '../controller-context.ts';
import { CONTROLLER_NAME, LABEL_MANAGED_BY } from './new-endpoint-slice.ts';
import { Reconciler } from './reconciler.ts';
import { TopologyCache } from './topologycache/topology-cache.ts';
import { EndpointSliceTracker, serviceControllerKey } from './util/endpointslice-tracker.ts';
import { getPodServiceMemberships, getServicesToUpdateOnPodChange } from './util/pod-changes.ts';
import { PodSelection } from './util/pod-selection.ts';
import { syncTimeMs } from './util/sync-time.ts';
import { TriggerTimeTracker } from './util/trigger-time-tracker.ts';

const SERVICE_INDEX = 'endpointslice.service';
const MAX_RETRIES = 15;
/** How long the controller waits after somebody else changed a slice. */
const ENDPOINT_SLICE_CHANGE_MIN_SYNC_DELAY_MS = 1_000;

/**
 * Keeps EndpointSlices in line with Services and the pods that they select.
 * pkg/controller/endpointslice/endpointslice_controller.go Controller
 */
class Controller {
  readonly #context: ControllerContext;
  readonly #services: Indexer<Service>;
  readonly #slices: Indexer<EndpointSlice>;
  readonly #nodes: Indexer<Node>;
  readonly #selection: PodSelection;
  readonly #recorder: EventRecorder;
  readonly #tracker = new EndpointSliceTracker();
  readonly #triggerTimes = new TriggerTimeTracker();
  readonly #topologyCache: TopologyCache;
  readonly #reconciler: Reconciler;
  readonly #queue: RateLimitingQueue;
  /** Services whose slices in the cache are older than what was written. */
  readonly #waiting = new Set<string>();

  constructor(context: ControllerContext) {
    const { actor, informers } = context;
    const podInformer = informers.forResource(pods);
    const serviceInformer = informers.forResource(services);
    const sliceInformer = informers.forResource(endpointslices);
    const now = (): number => actor.simulation.now;
    this.#context = context;
    this.#services = serviceInformer.store;
    this.#slices = sliceInformer.store;
    this.#nodes = informers.forResource(nodes).store;
    this.#topologyCache = new TopologyCache(this.#nodes);
    sliceInformer.addIndexers({ [SERVICE_INDEX]: (slice) => [serviceControllerKey(slice) ?? ''] });
    this.#selection = new PodSelection(podInformer, serviceInformer);
    this.#recorder = context.recorderFor('endpoint-slice-controller', 'endpointslice-controller');
    this.#reconciler = new Reconciler({
      client: context.clientFor('endpointslice-controller').resource(endpointslices),
      nodes: this.#nodes,
      tracker: this.#tracker,
      topologyCache: this.#topologyCache,
      recorder: this.#recorder,
    });
    // Slower than usual: another try costs a list and a write for every slice of the Service.
    const rateLimiter = new MaxOfRateLimiter([
      new ItemExponentialFailureRateLimiter(1_000, 1_000_000),
      new BucketRateLimiter({ qps: 10, burst: 100, now }),
    ]);
    this.#queue = new RateLimitingQueue({ actor, rateLimiter });
  }

  start(): void {
    const { actor, config, informers, onceSynced } = this.#context;
    const enqueue = (service: Service): void => this.#queue.add(keyOf(service));
    informers.forResource(services).addEventHandler({ onAdd: enqueue, onUpdate: (_, service) => enqueue(service), onDelete: enqueue });
    informers.forResource(pods).addEventHandler({
      onAdd: (pod) => this.#enqueueAll(getPodServiceMemberships(this.#selection, pod)),
      onUpdate: (before, pod) => this.#enqueueAll(getServicesToUpdateOnPodChange(this.#selection, before, pod)),
      onDelete: (pod) => this.#enqueueAll(getPodServiceMemberships(this.#selection, pod)),
    });
    informers.forResource(endpointslices).addEventHandler({
      onAdd: (slice) => this.#onSliceAdd(slice),
      onUpdate: (before, slice) => this.#onSliceUpdate(before, slice),
      onDelete: (slice) => this.#onSliceDelete(slice),
    });
    informers.forResource(nodes).addEventHandler({
      onAdd: () => this.#checkNodeTopologyDistribution(),
      onUpdate: (before, node) => {
        if (topologyOf(before) !== topologyOf(node)) this.#checkNodeTopologyDistribution();
      },
      onDelete: () => this.#checkNodeTopologyDistribution(),
    });
    onceSynced(() => {
      runWorkers({
        actor,
        name: 'endpointslice-controller',
        queue: this.#queue,
        workers: config.concurrentSyncs,
        reconcile: (key) => this.#syncService(key),
        handleError: (key) => this.#handleError(key),
      });
    });
  }

  #enqueueAll(keys: ReadonlySet<string>): void {
    for (const key of keys) this.#queue.add(key);
  }

  #onSliceAdd(slice: EndpointSlice): void {
    this.#cacheChanged(slice);
    if (managedByUs(slice) && this.#tracker.shouldSync(slice)) this.#queueServiceFor(slice);
  }

  #onSliceUpdate(before: EndpointSlice, slice: EndpointSlice): void {
    this.#cacheChanged(slice);
    if (serviceControllerKey(before) !== serviceControllerKey(slice)) {
      this.#queueServiceFor(slice);
      this.#queueServiceFor(before);
      return;
    }
    const managedByChanged = managedByUs(before) !== managedByUs(slice);
    if (managedByChanged || (managedByUs(slice) && this.#tracker.shouldSync(slice))) this.#queueServiceFor(slice);
  }

  #cacheChanged(slice: EndpointSlice): void {
    const key = serviceControllerKey(slice) ?? '';
    if (this.#waiting.delete(key)) this.#queue.add(key);
  }

  #onSliceDelete(slice: EndpointSlice): void {
    this.#cacheChanged(slice);
    if (!managedByUs(slice) || !this.#tracker.has(slice)) return;
    if (!this.#tracker.handleDeletion(slice)) this.#queueServiceFor(slice);
  }

  /**
   * What this controller wrote last has yet to come back to it: the Service is looked at again when it has. Differs: upstream fails the sync and tries again
   * after a second, which counts as a failure of the Service.
   */
  #waitForCache(key: string): void {
    this.#waiting.add(key);
    this.#queue.addAfter(key, ENDPOINT_SLICE_CHANGE_MIN_SYNC_DELAY_MS, 'background');
  }

  #queueServiceFor(slice: EndpointSlice): void {
    const key = serviceControllerKey(slice);
    if (key !== undefined) this.#queue.addAfter(key, ENDPOINT_SLICE_CHANGE_MIN_SYNC_DELAY_MS);
  }

  #checkNodeTopologyDistribution(): void {
    this.#topologyCache.nodesChanged();
    for (const key of this.#topologyCache.getOverloadedServices()) this.#queue.add(key);
  }

  #handleError(key: string): void {
    if (this.#queue.numRequeues(key) < MAX_RETRIES) this.#queue.addRateLimited(key);
    else this.#queue.forget(key);
  }

  /** pkg/controller/endpointslice/endpointslice_controller.go syncService */
  async #syncService(key: string): Promise<void> {
    const service = this.#services.get(key);
    if (!service) {
      this.#triggerTimes.deleteService(key);
      this.#tracker.deleteService(key);
      this.#topologyCache.deleteService(key);
      // The slices go with their owner: see the garbage collector.
      return;
    }
    if (service.spec?.type === 'ExternalName' || !service.spec?.selector) return;
    const podsOfService = this.#selection.podsOf(service);
    const existing = this.#slices.byIndex(SERVICE_INDEX, key).filter((slice) => managedByUs(slice) && !slice.metadata.deletionTimestamp);
    if (this.#tracker.staleSlices(service, existing)) return this.#waitForCache(key);
    const triggerTime = this.#triggerTimes.computeEndpointLastChangeTriggerTime(service, podsOfService);
    try {
      await this.#reconciler.reconcile({ service, pods: podsOfService, existing, triggerTime });
    } catch (error) {
      if (error instanceof SyncError) {
        const message = `Error updating Endpoint Slices for Service ${key}: ${error.message}`;
        this.#recorder.event(service, 'Warning', 'FailedToUpdateEndpointSlices', message);
      }
      throw error;
    }
    const busyMs = syncTimeMs(podsOfService.length);
    if (busyMs > 0) await this.#context.actor.sleep(busyMs);
  }
}

function managedByUs({ metadata }: EndpointSlice): boolean {
  return metadata.labels?.[LABEL_MANAGED_BY] === CONTROLLER_NAME;
}

function topologyOf(node: Node): string {
  const ready = getCondition(node.status?.conditions, 'Ready')?.status;
  const labels = node.metadata.labels ?? {};
  return `${ready} ${labels['topology.kubernetes.io/zone'] ?? ''}`;
}

/** cmd/kube-controller-manager/app/discovery.go startEndpointSliceController */
export function startEndpointSliceController(context: ControllerContext): void {
  new Controller(context).start();
}

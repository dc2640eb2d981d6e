import type { Endpoints, Service } from '../../../src/api/kinds/core-v1.ts';
import type { EndpointSlice } from '../../../src/api/kinds/discovery-v1.ts';
import { keyOf } from '../../../src/api/object.ts';
import { endpointslices, endpoints as endpointsResource, services } from '../../../src/api/resources.ts';
import { isNamespaceTerminating } from '../../../src/api/status-error.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import { runWorkers } from '../../../src/client/controller.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import { BucketRateLimiter, ItemExponentialFailureRateLimiter, MaxOfRateLimiter } from '../../../src/client/rate-limiters.ts';
import { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import { messageOf, SyncError } from '../controller/sync-error.ts';
import type { ControllerContext } from '../controller-context.ts';
import { LABEL_MANAGED_BY } from '../endpointslice/new-endpoint-slice.ts';
import { EndpointSliceTracker, serviceControllerKey } from '../endpointslice/util/endpointslice-tracker.ts';
import { desiredSlices, MAX_ENDPOINTS_PER_SUBSET } from './desired-calc.ts';
import { MIRRORING_CONTROLLER_NAME, planMirror } from './mirrored-slices.ts';

const ACCOUNT = 'endpointslicemirroring-controller';
const LABEL_SKIP_MIRROR = 'endpointslice.kubernetes.io/skip-mirror';
const LEADER_ANNOTATION = 'control-plane.alpha.kubernetes.io/leader';
const SERVICE_INDEX = 'endpointslice.service';
const MAX_RETRIES = 15;
const ENDPOINT_SLICE_CHANGE_MIN_SYNC_DELAY_MS = 1_000;

/**
 * Copies Endpoints that people wrote for a Service without a selector into EndpointSlices.
 * pkg/controller/endpointslicemirroring/endpointslicemirroring_controller.go Controller
 */
class Controller {
  readonly #client: ResourceClient<EndpointSlice>;
  readonly #recorder: EventRecorder;
  readonly #endpoints: Indexer<Endpoints>;
  readonly #services: Indexer<Service>;
  readonly #slices: Indexer<EndpointSlice>;
  readonly #tracker = new EndpointSliceTracker();
  readonly #queue: RateLimitingQueue;

  constructor(context: ControllerContext) {
    const { actor, config, informers } = context;
    const now = (): number => actor.simulation.now;
    this.#client = context.clientFor(ACCOUNT).resource(endpointslices);
    this.#recorder = context.recorderFor('endpoint-slice-mirroring-controller', ACCOUNT);
    this.#endpoints = informers.forResource(endpointsResource).store;
    this.#services = informers.forResource(services).store;
    this.#slices = informers.forResource(endpointslices).store;
    informers.forResource(endpointslices).addIndexers({ [SERVICE_INDEX]: (slice) => [serviceControllerKey(slice) ?? ''] });
    const rateLimiter = new MaxOfRateLimiter([
      new ItemExponentialFailureRateLimiter(1_000, 100_000),
      new BucketRateLimiter({ qps: 10, burst: 100, now }),
    ]);
    this.#queue = new RateLimitingQueue({ actor, rateLimiter });
    this.#addHandlers(context);
    context.onceSynced(() => {
      runWorkers({
        actor,
        name: 'endpointslice-mirroring-controller',
        queue: this.#queue,
        workers: config.concurrentSyncs,
        reconcile: (key) => this.#syncEndpoints(key),
        handleError: (key) => {
          if (this.#queue.numRequeues(key) < MAX_RETRIES) this.#queue.addRateLimited(key);
          else this.#queue.forget(key);
        },
      });
    });
  }

  #addHandlers({ informers }: ControllerContext): void {
    const onService = (service: Service): void => {
      if (!service.spec?.selector) this.#queue.add(keyOf(service));
    };
    informers.forResource(services).addEventHandler({
      onAdd: onService,
      onUpdate: (before, service) => {
        if (Boolean(before.spec?.selector) !== Boolean(service.spec?.selector)) this.#queue.add(keyOf(service));
      },
      onDelete: onService,
    });
    const onEndpoints = (object: Endpoints, before = object): void => {
      const key = keyOf(object);
      if (!shouldMirror(object) && !shouldMirror(before)) return;
      // Those that a controller keeps for a Service with a selector have nothing to mirror, and nothing mirrored: no need to look twice.
      if (!this.#services.get(key)?.spec?.selector || this.#mirroredSlices(key).length > 0) this.#queue.add(key);
    };
    informers.forResource(endpointsResource).addEventHandler({
      onAdd: (object) => onEndpoints(object),
      onUpdate: (before, object) => onEndpoints(object, before),
      onDelete: (object) => onEndpoints(object),
    });
    informers.forResource(endpointslices).addEventHandler({
      onAdd: (slice) => {
        if (managedByUs(slice) && this.#tracker.shouldSync(slice)) this.#queueEndpointsFor(slice);
      },
      onUpdate: (before, slice) => {
        const renamed = serviceControllerKey(before) !== serviceControllerKey(slice);
        if (renamed && (managedByUs(before) || managedByUs(slice))) this.#queueEndpointsFor(before);
        if (managedByUs(before) !== managedByUs(slice) || (managedByUs(slice) && this.#tracker.shouldSync(slice)))
          this.#queueEndpointsFor(slice);
      },
      onDelete: (slice) => {
        if (managedByUs(slice) && this.#tracker.has(slice) && !this.#tracker.handleDeletion(slice)) this.#queueEndpointsFor(slice);
      },
    });
  }

  #queueEndpointsFor(slice: EndpointSlice): void {
    const key = serviceControllerKey(slice);
    if (key !== undefined) this.#queue.addAfter(key, ENDPOINT_SLICE_CHANGE_MIN_SYNC_DELAY_MS);
  }

  #mirroredSlices(key: string): readonly EndpointSlice[] {
    return this.#slices.byIndex(SERVICE_INDEX, key).filter(managedByUs);
  }

  /** endpointslicemirroring_controller.go syncEndpoints */
  async #syncEndpoints(key: string): Promise<void> {
    const endpoints = this.#endpoints.get(key);
    const service = this.#services.get(key);
    const slices = this.#mirroredSlices(key);
    if (!endpoints || !shouldMirror(endpoints) || !service || service.spec?.selector) {
      this.#tracker.deleteService(key);
      for (const slice of slices) await this.#delete(slice);
      return;
    }
    if (this.#tracker.staleSlices(service, slices)) throw new SyncError('EndpointSlice informer cache is out of date');
    const { slices: desired, invalid, skipped } = desiredSlices(endpoints);
    if (invalid > 0) {
      this.#recorder.event(
        endpoints,
        'Warning',
        'InvalidIPAddress',
        `Skipped ${invalid} invalid IP addresses when mirroring to EndpointSlices`,
      );
    }
    if (skipped > invalid) {
      const message = `A max of ${MAX_ENDPOINTS_PER_SUBSET} addresses can be mirrored to EndpointSlices per Endpoints subset. ${skipped} addresses were skipped`;
      this.#recorder.event(endpoints, 'Warning', 'TooManyAddressesToMirror', message);
    }
    await this.#finalize(endpoints, planMirror(endpoints, slices, desired));
  }

  /** pkg/controller/endpointslicemirroring/reconciler.go finalize */
  async #finalize(endpoints: Endpoints, plan: ReturnType<typeof planMirror>): Promise<void> {
    const place = `EndpointSlice for Endpoints ${keyOf(endpoints)}`;
    for (const slice of endpoints.metadata.deletionTimestamp ? [] : plan.create) {
      try {
        this.#tracker.update(await this.#client.create(slice));
      } catch (error) {
        if (isNamespaceTerminating(error)) return;
        throw new SyncError(`failed to create ${place}: ${messageOf(error)}`, { cause: error });
      }
    }
    for (const slice of plan.update) {
      try {
        this.#tracker.update(await this.#client.update(slice));
      } catch (error) {
        throw new SyncError(`failed to update ${slice.metadata.name} ${place}: ${messageOf(error)}`, { cause: error });
      }
    }
    for (const slice of plan.delete) {
      try {
        await this.#delete(slice);
      } catch (error) {
        throw new SyncError(`failed to delete ${slice.metadata.name} ${place}: ${messageOf(error)}`, { cause: error });
      }
      this.#tracker.expectDeletion(slice);
    }
  }

  async #delete({ metadata: { namespace, name = '' } }: EndpointSlice): Promise<void> {
    await this.#client.delete({ namespace, name });
  }
}

function managedByUs({ metadata }: EndpointSlice): boolean {
  return metadata.labels?.[LABEL_MANAGED_BY] === MIRRORING_CONTROLLER_NAME;
}

/** endpointslicemirroring_controller.go shouldMirror */
function shouldMirror({ metadata }: Endpoints): boolean {
  return metadata.labels?.[LABEL_SKIP_MIRROR] !== 'true' && metadata.annotations?.[LEADER_ANNOTATION] === undefined;
}

/** cmd/kube-controller-manager/app/discovery.go startEndpointSliceMirroringController */
export function startEndpointSliceMirroringController(context: ControllerContext): void {
  new Controller(context);
}

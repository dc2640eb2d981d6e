import { semanticDeepEqual } from '../../../src/api/deep-equal.ts';
import type { EndpointAddress, EndpointSubset, Endpoints, Pod, Service, ServicePort } from '../../../src/api/kinds/core-v1.ts';
import { keyOf, splitKey } from '../../../src/api/object.ts';
import { endpoints as endpointsResource, pods, services } from '../../../src/api/resources.ts';
import { isNamespaceTerminating, isNotFound } from '../../../src/api/status-error.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import { runWorkers } from '../../../src/client/controller.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import { isPodReady } from '../controller/controller-utils.ts';
import { SyncError } from '../controller/sync-error.ts';
import type { ControllerContext } from '../controller-context.ts';
import { findPort } from '../endpointslice/endpoint-ports.ts';
import { LABEL_HEADLESS } from '../endpointslice/new-endpoint-slice.ts';
import {
  getPodServiceMemberships,
  getServicesToUpdateOnPodChange,
  shouldPodBeInEndpoints,
  shouldSetHostname,
} from '../endpointslice/util/pod-changes.ts';
import { PodSelection } from '../endpointslice/util/pod-selection.ts';
import { syncTimeMs } from '../endpointslice/util/sync-time.ts';
import { LAST_CHANGE_TRIGGER_TIME, TriggerTimeTracker } from '../endpointslice/util/trigger-time-tracker.ts';
import { type PodAddress, repackSubsets } from './repack-subsets.ts';
import { capacityAnnotationSetCorrectly, OVER_CAPACITY, truncateEndpoints } from './truncate-endpoints.ts';

const COMPONENT = 'endpoint-controller';
const LABEL_MANAGED_BY = 'endpoints.kubernetes.io/managed-by';
const LEADER_ANNOTATION = 'control-plane.alpha.kubernetes.io/leader';
const MAX_RETRIES = 15;

/** Keeps Endpoints in line with Services and the pods that they select. pkg/controller/endpoint/endpoints_controller.go Controller */
class Controller {
  readonly #context: ControllerContext;
  readonly #client: ResourceClient<Endpoints>;
  readonly #services: Indexer<Service>;
  readonly #endpoints: Indexer<Endpoints>;
  readonly #selection: PodSelection;
  readonly #recorder: EventRecorder;
  readonly #triggerTimes = new TriggerTimeTracker();
  /** By key: the resourceVersion that this controller has replaced. A cache that still shows it lags behind. */
  readonly #replaced = new Map<string, string>();
  readonly #queue: RateLimitingQueue;

  constructor(context: ControllerContext) {
    const { actor, informers } = context;
    this.#context = context;
    this.#client = context.clientFor(COMPONENT).resource(endpointsResource);
    this.#services = informers.forResource(services).store;
    this.#endpoints = informers.forResource(endpointsResource).store;
    this.#selection = new PodSelection(informers.forResource(pods), informers.forResource(services));
    this.#recorder = context.recorderFor(COMPONENT);
    this.#queue = new RateLimitingQueue({ actor });
  }

  start(): void {
    const { actor, config, informers, onceSynced } = this.#context;
    const enqueue = (service: Service): void => this.#queue.add(keyOf(service));
    const enqueueAll = (keys: ReadonlySet<string>): void => {
      for (const key of keys) this.#queue.add(key);
    };
    informers.forResource(services).addEventHandler({ onAdd: enqueue, onUpdate: (_, service) => enqueue(service), onDelete: enqueue });
    informers.forResource(pods).addEventHandler({
      onAdd: (pod) => enqueueAll(getPodServiceMemberships(this.#selection, pod)),
      onUpdate: (before, pod) => enqueueAll(getServicesToUpdateOnPodChange(this.#selection, before, pod)),
      onDelete: (pod) => enqueueAll(getPodServiceMemberships(this.#selection, pod)),
    });
    informers.forResource(endpointsResource).addEventHandler({ onDelete: (object) => this.#queue.add(keyOf(object)) });
    onceSynced(() => {
      this.#checkLeftoverEndpoints();
      runWorkers({
        actor,
        name: 'endpoints-controller',
        queue: this.#queue,
        workers: config.concurrentSyncs,
        reconcile: (key) => this.#syncService(key),
        handleError: (key) => {
          if (this.#queue.numRequeues(key) < MAX_RETRIES) this.#queue.addRateLimited(key);
          else this.#queue.forget(key);
        },
      });
    });
  }

  /** Endpoints whose Service went while nobody looked are found so. pkg/controller/endpoint/endpoints_controller.go checkLeftoverEndpoints */
  #checkLeftoverEndpoints(): void {
    for (const object of this.#endpoints.list()) {
      if (object.metadata.annotations?.[LEADER_ANNOTATION] === undefined) this.#queue.add(keyOf(object));
    }
  }

  /** pkg/controller/endpoint/endpoints_controller.go syncService */
  async #syncService(key: string): Promise<void> {
    const service = this.#services.get(key);
    if (!service) return this.#deleteEndpoints(key);
    if (service.spec?.type === 'ExternalName' || !service.spec?.selector) return;
    const podsOfService = this.#selection.podsOf(service);
    const triggerTime = this.#triggerTimes.computeEndpointLastChangeTriggerTime(service, podsOfService);
    const subsets = repackSubsets(podAddresses(service, podsOfService));
    const current = this.#endpoints.get(key);
    if (current && this.#replaced.get(key) === current.metadata.resourceVersion) {
      const version = current.metadata.resourceVersion;
      throw new SyncError(`endpoints informer cache is out of date, resource version ${version} already processed for endpoints ${key}`);
    }
    if (current && isUpToDate(current, service, subsets)) return;
    await this.#write(service, { current, wanted: newEndpoints(service, { current, subsets, triggerTime }) });
    const busyMs = syncTimeMs(podsOfService.length);
    if (busyMs > 0) await this.#context.actor.sleep(busyMs);
  }

  async #write(service: Service, { current, wanted }: { current: Endpoints | undefined; wanted: Endpoints }): Promise<void> {
    const key = keyOf(service);
    try {
      const written = current ? await this.#client.update(wanted) : await this.#client.create(wanted);
      const version = current?.metadata.resourceVersion;
      if (version !== undefined && version !== written.metadata.resourceVersion) this.#replaced.set(key, version);
    } catch (error) {
      if (!current && isNamespaceTerminating(error)) return;
      const why = error instanceof Error ? error.message : String(error);
      if (current) this.#recorder.event(wanted, 'Warning', 'FailedToUpdateEndpoint', `Failed to update endpoint ${key}: ${why}`);
      else this.#recorder.event(wanted, 'Warning', 'FailedToCreateEndpoint', `Failed to create endpoint for service ${key}: ${why}`);
      throw error;
    }
  }

  async #deleteEndpoints(key: string): Promise<void> {
    try {
      await this.#client.delete(splitKey(key));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    this.#triggerTimes.deleteService(key);
    this.#replaced.delete(key);
  }
}

function podAddresses(service: Service, podsOfService: readonly Pod[]): PodAddress[] {
  const { ports = [], clusterIP, publishNotReadyAddresses = false } = service.spec ?? {};
  const entries: PodAddress[] = [];
  for (const pod of podsOfService) {
    if (!shouldPodBeInEndpoints(pod, publishNotReadyAddresses)) continue;
    const address = podToEndpointAddressForService(service, pod);
    if (!address) continue;
    const ready = publishNotReadyAddresses || isPodReady(pod);
    if (ports.length === 0 && clusterIP === 'None') entries.push({ address, port: undefined, ready });
    for (const port of ports) {
      const number = findPort(pod, port);
      if (number !== undefined) entries.push({ address, port: endpointPortFromServicePort(port, number), ready });
    }
  }
  return entries;
}

/** pkg/controller/endpoint/endpoints_controller.go podToEndpointAddressForService */
function podToEndpointAddressForService(service: Service, pod: Pod): EndpointAddress | undefined {
  const ip = addressOfPrimaryFamily(service, pod);
  if (ip === undefined) return undefined;
  const { namespace = '', name = '', uid = '' } = pod.metadata;
  return {
    ip,
    ...(shouldSetHostname(pod, service) ? { hostname: pod.spec?.hostname ?? '' } : {}),
    ...(pod.spec?.nodeName ? { nodeName: pod.spec.nodeName } : {}),
    targetRef: { kind: 'Pod', namespace, name, uid },
  };
}

function addressOfPrimaryFamily({ spec }: Service, pod: Pod): string | undefined {
  const family = spec?.ipFamilies?.[0];
  const reference = spec?.clusterIP && spec.clusterIP !== 'None' ? spec.clusterIP : (pod.status?.podIP ?? '');
  const wantsIPv6 = family ? family === 'IPv6' : reference.includes(':');
  return pod.status?.podIPs?.find(({ ip }) => ip.includes(':') === wantsIPv6)?.ip;
}

/** pkg/controller/endpoint/endpoints_controller.go endpointPortFromServicePort */
function endpointPortFromServicePort(port: ServicePort, number: number): NonNullable<PodAddress['port']> {
  return {
    ...(port.name ? { name: port.name } : {}),
    port: number,
    protocol: port.protocol ?? 'TCP',
    ...(port.appProtocol === undefined ? {} : { appProtocol: port.appProtocol }),
  };
}

function isUpToDate(current: Endpoints, service: Service, subsets: readonly EndpointSubset[]): boolean {
  return (
    semanticDeepEqual(current.subsets, subsets) &&
    labelsCorrectForEndpoints(current.metadata.labels, service.metadata.labels) &&
    capacityAnnotationSetCorrectly(current.metadata.annotations, current.subsets)
  );
}

/** pkg/controller/endpoint/endpoints_controller.go labelsCorrectForEndpoints */
function labelsCorrectForEndpoints(labels: Readonly<Record<string, string>> = {}, wanted: Readonly<Record<string, string>> = {}): boolean {
  if (labels[LABEL_MANAGED_BY] !== COMPONENT) return false;
  const own = (key: string): boolean => key !== LABEL_HEADLESS && key !== LABEL_MANAGED_BY;
  return [...Object.keys(labels), ...Object.keys(wanted)].filter(own).every((key) => labels[key] === wanted[key]);
}

function newEndpoints(
  service: Service,
  { current, subsets, triggerTime }: { current: Endpoints | undefined; subsets: EndpointSubset[]; triggerTime: string | undefined },
): Endpoints {
  const { name = '', namespace = '', labels } = service.metadata;
  const { annotations: before, ...metadata } = current?.metadata ?? { name, namespace };
  const { [LAST_CHANGE_TRIGGER_TIME]: _, [OVER_CAPACITY]: __, ...kept } = before ?? {};
  const truncated = truncateEndpoints(subsets);
  const annotations = {
    ...kept,
    ...(triggerTime === undefined ? {} : { [LAST_CHANGE_TRIGGER_TIME]: triggerTime }),
    ...(truncated ? { [OVER_CAPACITY]: 'truncated' } : {}),
  };
  const { [LABEL_HEADLESS]: ___, ...serviceLabels } = labels ?? {};
  const hasIP = Boolean(service.spec?.clusterIP) && service.spec?.clusterIP !== 'None';
  const written = truncated ?? subsets;
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: {
      ...metadata,
      ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
      labels: { ...serviceLabels, ...(hasIP ? {} : { [LABEL_HEADLESS]: '' }), [LABEL_MANAGED_BY]: COMPONENT },
    },
    ...(written.length > 0 ? { subsets: written } : {}),
  };
}

/** cmd/kube-controller-manager/app/core.go startEndpointsController */
export function startEndpointsController(context: ControllerContext): void {
  new Controller(context).start();
}

import type { Node, Pod, Service } from '../../../src/api/kinds/core-v1.ts';
import type { EndpointSlice } from '../../../src/api/kinds/discovery-v1.ts';
import { isNamespaceTerminating } from '../../../src/api/status-error.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import { aggregate, messageOf, SyncError } from '../controller/sync-error.ts';
import { DesiredEndpoints } from './desired-endpoints.ts';
import { isPlaceholderFor, newEndpointSlice, ownedBy, wireForm } from './new-endpoint-slice.ts';
import { getAddressTypesForService } from './pod-to-endpoint.ts';
import { reconcileByPortMapping, type SlicePlan } from './port-mapping.ts';
import { hintsEnabled, type TopologyCache } from './topologycache/topology-cache.ts';
import { reconcileHints, removeHints } from './trafficdist/traffic-dist.ts';
import type { EndpointSliceTracker } from './util/endpointslice-tracker.ts';
import { newPortMapKey } from './util/port-map-key.ts';

/** What one sync of a Service starts from. */
export interface Input {
  readonly service: Service;
  readonly pods: readonly Pod[];
  readonly existing: readonly EndpointSlice[];
  readonly triggerTime: string | undefined;
}

/** Makes the slices of a Service say what its pods are. endpointslice reconciler.go Reconciler */
export class Reconciler {
  readonly #client: ResourceClient<EndpointSlice>;
  readonly #desired: DesiredEndpoints;
  readonly #tracker: EndpointSliceTracker;
  readonly #topologyCache: TopologyCache;
  readonly #recorder: EventRecorder;

  constructor(options: {
    client: ResourceClient<EndpointSlice>;
    nodes: Indexer<Node>;
    tracker: EndpointSliceTracker;
    topologyCache: TopologyCache;
    recorder: EventRecorder;
  }) {
    this.#client = options.client;
    this.#desired = new DesiredEndpoints(options.nodes);
    this.#tracker = options.tracker;
    this.#topologyCache = options.topologyCache;
    this.#recorder = options.recorder;
  }

  /** Rejects with `SyncError` after all address types were tried. endpointslice reconciler.go Reconcile */
  async reconcile(input: Input): Promise<void> {
    const wanted = getAddressTypesForService(input.service);
    const errors: unknown[] = [];
    for (const addressType of wanted) {
      const existing = input.existing.filter((slice) => slice.addressType === addressType);
      errors.push(...(await this.#reconcileByAddressType({ ...input, existing }, addressType)));
    }
    const { namespace, name } = input.service.metadata;
    for (const slice of input.existing) {
      if (wanted.includes(slice.addressType)) continue;
      try {
        await this.#client.delete({ namespace, name: slice.metadata.name ?? '' });
        this.#tracker.expectDeletion(slice);
      } catch (error) {
        errors.push(
          new SyncError(`error deleting ${slice.metadata.name} EndpointSlice for Service ${namespace}/${name}: ${messageOf(error)}`),
        );
      }
    }
    if (errors.length > 0) throw aggregate(errors);
  }

  /** endpointslice reconciler.go reconcileByAddressType */
  async #reconcileByAddressType(input: Input, addressType: string): Promise<SyncError[]> {
    const { service, existing } = input;
    const { groups, errors } = this.#desired.groups(service, input.pods, addressType);
    const plan: SlicePlan = { create: [], update: [], delete: existing.filter((slice) => !ownedBy(slice, service)) };
    const byPorts = groupByPorts(existing.filter((slice) => ownedBy(slice, service)));
    for (const [key, desired] of groups) {
      const part = reconcileByPortMapping({ service, addressType, existing: byPorts.get(key) ?? [], desired });
      plan.create.push(...part.create);
      plan.update.push(...part.update);
      plan.delete.push(...part.delete);
    }
    for (const [key, slices] of byPorts) if (!groups.has(key)) plan.delete.push(...slices);
    if (plan.delete.length === existing.length && plan.create.length === 0) addPlaceholder(plan, service, addressType);
    this.#addHints(plan, input, addressType);
    try {
      await this.#finalize(service, plan, input.triggerTime);
    } catch (error) {
      if (!(error instanceof SyncError)) throw error;
      errors.push(error);
    }
    return errors;
  }

  #addHints(plan: SlicePlan, { service, existing }: Input, addressType: string): void {
    const touched = new Set([...plan.update, ...plan.delete].map(({ metadata }) => metadata.name));
    const unchanged = existing.filter(({ metadata }) => !touched.has(metadata.name));
    const events = this.#topologyCache.reconcile({ service, addressType, plan, unchanged });
    if (!hintsEnabled(service.metadata.annotations)) {
      if (service.spec?.trafficDistribution) reconcileHints(service.spec.trafficDistribution, plan, unchanged);
      else removeHints(plan, unchanged);
    }
    for (const { type, reason, message } of events) this.#recorder.event(service, type, reason, message);
  }

  /** Writes the plan: creates, then updates, then deletes. endpointslice reconciler.go finalize */
  async #finalize(service: Service, plan: SlicePlan, triggerTime: string | undefined): Promise<void> {
    pairDeletesWithCreates(service, plan);
    const place = `Service ${service.metadata.namespace}/${service.metadata.name}`;
    // A Service that is being deleted gets no new slices, which the garbage collector would have to race.
    for (const slice of service.metadata.deletionTimestamp ? [] : plan.create) {
      try {
        this.#tracker.update(await this.#client.create(wireForm(slice, triggerTime)));
      } catch (error) {
        if (isNamespaceTerminating(error)) return;
        throw new SyncError(`failed to create EndpointSlice for ${place}: ${messageOf(error)}`, { cause: error });
      }
    }
    for (const slice of plan.update) {
      const write = this.#client.update(wireForm(slice, triggerTime));
      this.#tracker.update(
        await write.catch((error: unknown) => fail(`failed to update ${slice.metadata.name} EndpointSlice for ${place}`, error)),
      );
    }
    for (const slice of plan.delete) {
      const write = this.#client.delete({ namespace: service.metadata.namespace, name: slice.metadata.name ?? '' });
      await write.catch((error: unknown) => fail(`failed to delete ${slice.metadata.name} EndpointSlice for ${place}`, error));
      this.#tracker.expectDeletion(slice);
    }
  }
}

/** A Service has at least one slice; without endpoints it is an empty one. */
function addPlaceholder(plan: SlicePlan, service: Service, addressType: string): void {
  const [only, ...others] = plan.delete;
  if (only && others.length === 0 && isPlaceholderFor(only, service)) plan.delete = [];
  else plan.create.push(newEndpointSlice(service, { ports: [], addressType }));
}

/** A slice that would be deleted is rewritten as one that would be created, so that its name stays. */
function pairDeletesWithCreates(service: Service, plan: SlicePlan): void {
  plan.delete = plan.delete.filter((old) => {
    const slice = plan.create.at(-1);
    if (!slice || old.addressType !== slice.addressType || !ownedBy(old, service)) return true;
    plan.create.pop();
    plan.update.push({ ...slice, metadata: { ...slice.metadata, name: old.metadata.name ?? '' } });
    return false;
  });
}

function groupByPorts(slices: readonly EndpointSlice[]): Map<string, EndpointSlice[]> {
  const groups = new Map<string, EndpointSlice[]>();
  for (const slice of slices) {
    const key = newPortMapKey([...(slice.ports ?? [])]);
    const group = groups.get(key);
    if (group) group.push(slice);
    else groups.set(key, [slice]);
  }
  return groups;
}

function fail(what: string, error: unknown): never {
  throw new SyncError(`${what}: ${messageOf(error)}`, { cause: error });
}

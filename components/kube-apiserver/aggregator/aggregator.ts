import type { APIService } from '../../../src/api/kinds/apiregistration-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import type { RequestInfo } from '../../../src/api/request.ts';
import { apiservices, endpointslices, services } from '../../../src/api/resources.ts';
import { syncAPIServices } from '../apiextensions/api-services.ts';
import type { ServerCore } from '../server-core.ts';
import { AvailabilityController, isAvailable } from './availability.ts';

const AUTOMANAGED = 'kube-aggregator.kubernetes.io/automanaged';
const REACTION_MS = 2;

/** What discovery has to know of a group version that another server serves. */
export interface RemoteGroupVersion {
  readonly group: string;
  readonly version: string;
  readonly groupPriority: number;
  readonly versionPriority: number;
}

/**
 * The API servers behind this one: APIServices with a Service. Which there are is read from the store, also after a restart.
 * kube-aggregator pkg/apiserver.APIAggregator
 */
export class Aggregator {
  readonly #server: ServerCore;
  readonly #availability: AvailabilityController;
  /** By group and version. */
  readonly #remote = new Map<string, APIService>();

  constructor(server: ServerCore) {
    this.#server = server;
    this.#availability = new AvailabilityController(server);
    const storage = server.storage(apiservices);
    for (const service of storage.list()) this.#update(service);
    storage.keyspace.watch(({ value, previous }) => {
      if (value) this.#update(value);
      else if (previous?.value) this.#remove(previous.value);
    });
    server.storage(services).keyspace.watch(({ value, previous }) => this.#serviceChanged(value ?? previous?.value));
    server.storage(endpointslices).keyspace.watch(({ value, previous }) => this.#slicesChanged(value ?? previous?.value));
  }

  /** Who answers a request, if it is not this server. */
  serverOf({ isResourceRequest, group, version, path }: RequestInfo): APIService | undefined {
    if (this.#remote.size === 0) return undefined;
    if (isResourceRequest) return this.#remote.get(`${group}/${version}`);
    const [root, ...groupVersion] = path.split('/').filter(Boolean);
    return root === 'apis' ? this.#remote.get(groupVersion.slice(0, 2).join('/')) : undefined;
  }

  /** Every group version that another server serves. */
  groupVersions(): RemoteGroupVersion[] {
    return [...this.#remote.values()].map(({ spec }) => ({
      group: spec?.group ?? '',
      version: spec?.version ?? '',
      groupPriority: spec?.groupPriorityMinimum ?? 0,
      versionPriority: spec?.versionPriority ?? 0,
    }));
  }

  /** Whether the server of such a group version can be asked. */
  isAvailable(group: string, version: string): boolean {
    return isAvailable(this.#remote.get(`${group}/${version}`));
  }

  /** The resources of such a group version as its server has told them last. */
  resourcesOf(group: string, version: string): readonly unknown[] | undefined {
    return this.#availability.resourcesOf(`${group}/${version}`);
  }

  #update(service: APIService): void {
    const { group = '', version = '', service: reference } = service.spec ?? {};
    const key = `${group}/${version}`;
    if (reference) this.#remote.set(key, service);
    else this.#remote.delete(key);
    if (reference || !service.status?.conditions?.length) this.#availability.enqueue(service.metadata.name ?? '', REACTION_MS);
  }

  #remove({ metadata, spec }: APIService): void {
    const { group = '', version = '' } = spec ?? {};
    this.#remote.delete(`${group}/${version}`);
    this.#availability.forget(`${group}/${version}`);
    if (metadata.labels?.[AUTOMANAGED] !== 'true') return;
    const { actor } = this.#server.config;
    // kube-aggregator pkg/controllers/autoregister: what a definition needs comes back.
    actor?.schedule(REACTION_MS, () => {
      for (const resource of this.#server.resources())
        if (resource.group === group && resource.version === version) return syncAPIServices(this.#server, [resource]);
    });
  }

  #serviceChanged(service: KubernetesObject | undefined): void {
    if (service) this.#changed(service.metadata.namespace ?? '', service.metadata.name ?? '');
  }

  #slicesChanged(slice: KubernetesObject | undefined): void {
    const name = slice?.metadata.labels?.['kubernetes.io/service-name'];
    if (slice && name) this.#changed(slice.metadata.namespace ?? '', name);
  }

  #changed(namespace: string, name: string): void {
    if (this.#remote.size === 0) return;
    for (const { metadata, spec } of this.#remote.values())
      if (spec?.service?.namespace === namespace && spec.service.name === name)
        this.#availability.enqueue(metadata.name ?? '', REACTION_MS);
  }
}

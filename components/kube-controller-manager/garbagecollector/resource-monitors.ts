import type { APIGroupList } from '../../../src/api/kinds/meta-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { groupResource, type Resource } from '../../../src/api/resource.ts';
import { BUILT_IN_RESOURCES } from '../../../src/api/resources.ts';
import type { Client } from '../../../src/client/client.ts';
import { readPath, serverResourcesForGroupVersion } from '../../../src/client/discovery.ts';
import type { SharedInformerFactory } from '../../../src/client/informer-factory.ts';
import { ActorUnavailable } from '../../../src/sim/actor-unavailable.ts';
import type { RestMapper } from './rest-mapper.ts';

/** pkg/controller/garbagecollector/graph_builder.go ignoredResources */
const IGNORED: ReadonlySet<string> = new Set(['events', 'events.events.k8s.io']);
/** cmd/kube-controller-manager/app/core.go: how often the API is asked for new kinds. */
const RESYNC_MS = 30_000;
const BUILT_IN_GROUPS: ReadonlySet<string> = new Set(BUILT_IN_RESOURCES.map(({ group }) => group));

/** Told of every object of every kind. */
export interface ObjectHandler {
  put(object: KubernetesObject, old?: KubernetesObject): void;
  delete(object: KubernetesObject): void;
}

/**
 * Watches all kinds whose objects can be deleted: the built-in ones from the start, those of CustomResourceDefinitions once discovery shows them.
 * pkg/controller/garbagecollector/graph_builder.go syncMonitors, garbagecollector.go Sync
 */
export class ResourceMonitors {
  readonly #client: Client;
  readonly #informers: SharedInformerFactory;
  readonly #mapper: RestMapper;
  readonly #handler: ObjectHandler;
  readonly #monitored = new Set<string>();

  constructor(options: { client: Client; informers: SharedInformerFactory; mapper: RestMapper; handler: ObjectHandler }) {
    this.#client = options.client;
    this.#informers = options.informers;
    this.#mapper = options.mapper;
    this.#handler = options.handler;
    this.#mapper.reset(BUILT_IN_RESOURCES);
    for (const resource of BUILT_IN_RESOURCES) this.#monitor(resource);
  }

  /** Looks for new kinds now and from time to time, in the background. */
  async run(): Promise<void> {
    const { actor } = this.#client;
    for (;;) {
      await this.#sync();
      await actor.sleep(RESYNC_MS, 'background');
    }
  }

  async #sync(): Promise<void> {
    const discovered = await this.#discover();
    if (!discovered) return;
    this.#mapper.reset([...BUILT_IN_RESOURCES, ...discovered]);
    for (const resource of discovered) this.#monitor(resource);
    this.#informers.start();
  }

  /** The preferred version comes first in the table of built-in kinds, as in discovery. */
  #monitor(resource: Resource): void {
    const name = groupResource(resource);
    if (IGNORED.has(name) || this.#monitored.has(name) || !isDeletable(resource)) return;
    this.#monitored.add(name);
    this.#informers.forResource(resource).addEventHandler({
      onAdd: (object) => this.#handler.put(object),
      onUpdate: (old, object) => {
        // A deletion and a creation under the same name, seen as one.
        if (old.metadata.uid !== object.metadata.uid) this.#handler.delete(old);
        this.#handler.put(object, old);
      },
      onDelete: (object) => this.#handler.delete(object),
    });
  }

  /** Resources of groups that are not built in, preferred versions first; undefined when the server does not say. */
  async #discover(): Promise<Resource[] | undefined> {
    try {
      const groups = await readPath<APIGroupList>(this.#client, '/apis', { background: true });
      return groups && (await this.#resourcesOf(groups));
    } catch (error) {
      if (error instanceof ActorUnavailable) return undefined;
      throw error;
    }
  }

  async #resourcesOf({ groups }: APIGroupList): Promise<Resource[]> {
    const found: Resource[] = [];
    for (const { name, versions, preferredVersion } of groups) {
      if (BUILT_IN_GROUPS.has(name)) continue;
      const preferred = preferredVersion?.version;
      const ordered = [...versions].sort((a, b) => Number(b.version === preferred) - Number(a.version === preferred));
      for (const { version } of ordered)
        found.push(...(await serverResourcesForGroupVersion(this.#client, { group: name, version }, { background: true })));
    }
    return found;
  }
}

/** client-go discovery SupportsAllVerbs: pkg/controller/garbagecollector/garbagecollector.go GetDeletableResources */
function isDeletable({ verbs }: Resource): boolean {
  return ['delete', 'list', 'watch'].every((verb) => verbs.includes(verb));
}

import { deepEqual } from '../../../src/api/deep-equal.ts';
import type { CustomResourceDefinition } from '../../../src/api/kinds/apiextensions-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import type { Resource } from '../../../src/api/resource.ts';
import { customresourcedefinitions } from '../../../src/api/resources.ts';
import { newForbidden } from '../../../src/api/status-error.ts';
import { invariant } from '../../../src/sim/invariant.ts';
import type { ServerCore } from '../server-core.ts';
import { syncAPIServices } from './api-services.ts';
import { customResourceStrategy } from './custom-resource-strategy.ts';
import { CustomResourceVersion } from './custom-resource-version.ts';
import { DefinitionController } from './definition-controller.ts';
import { isConditionTrue } from './naming.ts';

/**
 * Serves the resources that definitions in the store add, as they come, change and go. What is served is read from the store, also after a restart.
 * apiextensions-apiserver pkg/apiserver.crdHandler
 */
export class CustomResourceDefinitions {
  readonly #server: ServerCore;
  readonly #controller: DefinitionController;
  /** By name of the definition. */
  readonly #served = new Map<string, readonly CustomResourceVersion[]>();
  readonly #versions = new Map<string, CustomResourceVersion>();

  constructor(server: ServerCore) {
    this.#server = server;
    this.#controller = new DefinitionController(server);
    const storage = server.storage(customresourcedefinitions);
    storage.keyspace.watch(({ value, previous }) => {
      const { name = '' } = (value ?? previous?.value)?.metadata ?? {};
      this.#update(name, value);
      if (value) this.#controller.enqueue(name);
      if (releasesNames(previous?.value, value)) this.#controller.enqueueOthers(previous?.value as CustomResourceDefinition);
    });
    for (const definition of storage.list()) {
      const { name = '' } = definition.metadata;
      this.#update(name, definition);
      this.#controller.enqueue(name);
    }
  }

  /** The version that a resource is, if it comes from a definition. */
  version({ group, version, resource }: Pick<Resource, 'group' | 'version' | 'resource'>): CustomResourceVersion | undefined {
    return this.#versions.get(`${resource}.${version}.${group}`);
  }

  #update(name: string, definition: CustomResourceDefinition | undefined): void {
    const before = this.#served.get(name) ?? [];
    const [known] = before;
    const isServed = definition !== undefined && isConditionTrue(definition, 'Established');
    if (isServed && known && sameServing(known.definition, definition)) return;
    for (const { resource } of before) {
      this.#versions.delete(keyOf(resource));
      this.#server.removeResource(resource);
    }
    this.#served.delete(name);
    if (isServed) this.#serve(name, definition);
    if (known) this.#server.storage(known.resource)?.watchCache.terminateAll();
    syncAPIServices(this.#server, [
      ...before.map(({ resource }) => resource),
      ...(this.#served.get(name) ?? []).map(({ resource }) => resource),
    ]);
  }

  #serve(name: string, definition: CustomResourceDefinition): void {
    const versions = definition.spec.versions
      .filter(({ served }) => served)
      .map((version) => new CustomResourceVersion(definition, version));
    const stored = definition.spec.versions.find(({ storage }) => storage) ?? definition.spec.versions[0];
    invariant(stored, 'a definition has a version');
    const { resource } = new CustomResourceVersion(definition, stored);
    if (!this.#server.storage(resource)) this.#addStorage(resource);
    for (const version of versions) {
      this.#versions.set(keyOf(version.resource), version);
      this.#server.addResource(version.resource);
    }
    this.#served.set(name, versions);
  }

  /** One store for all versions; it stays when the definition changes. */
  #addStorage(resource: Resource): void {
    const served = ({ resource: wanted }: { readonly resource: Resource }): CustomResourceVersion => {
      const found = this.version(wanted) ?? this.#anyVersion(wanted);
      invariant(found, 'a request is about a version that is served');
      return found;
    };
    this.#server.addStorage({ resource, strategy: customResourceStrategy(served), custom: true });
    const name = `${resource.resource}.${resource.group}`;
    this.#server.addHooks(resource, {
      beginCreate: (_, object: KubernetesObject) => {
        const definition = this.#server.storage(customresourcedefinitions).get('', name);
        if (definition?.metadata.deletionTimestamp)
          throw newForbidden(resource, object.metadata.name ?? '', 'create not allowed while custom resource definition is terminating');
        return { object, finish: () => {} };
      },
    });
  }

  #anyVersion({ group, resource }: Resource): CustomResourceVersion | undefined {
    return this.#served.get(`${resource}.${group}`)?.[0];
  }
}

const keyOf = ({ group, version, resource }: Resource): string => `${resource}.${version}.${group}`;

/** Whether names of a definition may have become free for others of its group. */
function releasesNames(before: CustomResourceDefinition | undefined, after: CustomResourceDefinition | undefined): boolean {
  return before !== undefined && !deepEqual(before.status?.acceptedNames, after?.status?.acceptedNames);
}

/** Whether two states of a definition are served the same way. */
function sameServing(a: CustomResourceDefinition, b: CustomResourceDefinition): boolean {
  return (a.spec === b.spec || deepEqual(a.spec, b.spec)) && deepEqual(a.status?.acceptedNames, b.status?.acceptedNames);
}

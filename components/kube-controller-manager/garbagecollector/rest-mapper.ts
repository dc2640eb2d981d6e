import { apiVersionOf, groupResource, type Resource } from '../../../src/api/resource.ts';
import { SyncError } from '../controller/sync-error.ts';

/** No resource is known for the kind; perhaps there will be one later: pkg/controller/garbagecollector/errors.go restMappingError */
export class RestMappingError extends SyncError {
  override name = 'RestMappingError';
}

/** Finds the resource of a kind: apimachinery pkg/api/meta RESTMapper */
export class RestMapper {
  #resources = new Map<string, Resource>();
  #preferred = new Map<string, Resource>();

  /** These are all resources there are. */
  reset(resources: Iterable<Resource>): void {
    this.#resources = new Map();
    this.#preferred = new Map();
    for (const resource of resources) {
      this.#resources.set(`${apiVersionOf(resource)}/${resource.kind}`, resource);
      const name = groupResource(resource);
      if (!this.#preferred.has(name)) this.#preferred.set(name, resource);
    }
  }

  /** Each kind once, by its preferred version where there are several. */
  all(): Resource[] {
    return [...this.#preferred.values()];
  }

  /** pkg/controller/garbagecollector/operations.go apiResource */
  resourceFor(apiVersion: string, kind: string): Resource {
    const resource = this.#resources.get(`${apiVersion}/${kind}`);
    if (!resource) throw new RestMappingError(`unable to get REST mapping for ${apiVersion}/${kind}.`);
    return resource;
  }
}

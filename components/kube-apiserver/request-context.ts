import type { KubernetesObject } from '../../src/api/object.ts';
import type { ApiRequest } from '../../src/api/request.ts';
import type { FieldOwners } from './managedfields/field-owners.ts';
import type { ServerCore } from './server-core.ts';
import type { Stages } from './stages.ts';
import type { Conversion } from './storage/conversion.ts';
import type { ResourceStorage } from './storage/resource-storage.ts';
import type { StrategyContext } from './storage/strategy.ts';

/** One request on its way through the pipeline. */
export interface RequestScope extends StrategyContext {
  readonly server: ServerCore;
  readonly request: ApiRequest;
  readonly subresource: string;
  /** '' for cluster-scoped resources and for requests across namespaces. */
  readonly namespace: string;
  /** Texts for `Warning` headers. */
  readonly warnings: string[];
  readonly stages: Stages;
}

/** The same with the store of the resource that it is about. */
export interface RequestContext<T extends KubernetesObject = KubernetesObject> extends RequestScope {
  readonly storage: ResourceStorage<T>;
  /** Who owns which fields after the write, once that is known; a write that does not track it leaves the owners as they are. */
  readonly owners: { next: FieldOwners | undefined };
  /** When the version of the request is not the one that is stored. */
  readonly conversion?: Conversion | undefined;
}

import type { DeleteOptions } from '../../../src/api/kinds/meta-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import type { UserInfo } from '../../../src/api/request.ts';
import type { Resource } from '../../../src/api/resource.ts';
import type { FieldError } from '../../../src/api/status-error.ts';

/** What a strategy may know of the request it works for. */
export interface StrategyContext {
  readonly resource: Resource;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  /** What a clock shows, in milliseconds since 1970. */
  readonly wallTime: number;
  /** Takes texts for `Warning` headers. */
  readonly warnings?: string[];
}

/** What an update may change through one door: the object itself or one of its subresources. apiserver pkg/registry/rest.RESTUpdateStrategy */
export interface UpdateStrategy<T extends KubernetesObject = KubernetesObject> {
  /** Takes back what must not change this way, sets the generation. Objects are never mutated: returns `object` or a changed copy. */
  prepareForUpdate?(context: StrategyContext, object: T, old: T): T;
  /** Findings of this kind; metadata rules common to all kinds are checked elsewhere. */
  validateUpdate?(context: StrategyContext, object: T, old: T): readonly FieldError[];
  warningsOnUpdate?(context: StrategyContext, object: T, old: T): readonly string[];
}

/**
 * The behaviour of one kind in storage: apiserver pkg/registry/rest.RESTCreateStrategy, RESTUpdateStrategy, RESTDeleteStrategy in one.
 * Objects that come in are plain JSON, maybe frozen; every function returns its argument or a changed copy.
 */
export interface Strategy<T extends KubernetesObject = KubernetesObject> extends UpdateStrategy<T> {
  /** Part of decoding, before admission: fills in the defaults of the kind. */
  setDefaults?(object: T): T;
  /** Resets status, sets the first generation, drops disabled fields. */
  prepareForCreate?(context: StrategyContext, object: T): T;
  validate?(context: StrategyContext, object: T): readonly FieldError[];
  /** The last touch to an object that is valid. apiserver pkg/registry/rest.RESTCreateStrategy Canonicalize */
  canonicalize?(object: T): T;
  warningsOnCreate?(context: StrategyContext, object: T): readonly string[];
  /** Checks a name (`prefix` when it is a generateName); texts of what is wrong. apimachinery pkg/api/validation.ValidateNameFunc */
  validateName?(name: string, prefix: boolean): readonly string[];
  /** A PUT to a name that does not exist creates. Default false. */
  readonly allowCreateOnUpdate?: boolean;
  /** A PUT without resourceVersion is taken. Default true. */
  readonly allowUnconditionalUpdate?: boolean;
  /** Default garbage collection policy of a delete. Default `Background`. */
  readonly defaultGarbageCollection?: 'Background' | 'Orphan' | 'Unsupported';
  /** Pods only: seconds of grace that a delete gets; undefined = the kind knows no graceful deletion. */
  gracePeriodSeconds?(object: T, options: DeleteOptions): number;
  /** A delete answers the object instead of a Status. Default false. */
  readonly returnDeletedObject?: boolean;
  /** Labels for field selectors besides metadata.name and metadata.namespace; keys give what is supported. */
  readonly selectableFields?: Readonly<Record<string, (object: T) => string>>;
  /** The same for kinds whose versions differ in this. */
  fieldsOf?(context: Pick<StrategyContext, 'resource'>): Readonly<Record<string, (object: T) => string>>;
  /** What of an object goes to etcd, for kinds of which the version of a request knows more than the stored one. */
  toStored?(context: StrategyContext, object: T): T;
  /** Objects vanish after this time (Events). */
  readonly ttlMs?: number;
  /** By subresource, e.g. `status`. */
  readonly subresources?: Readonly<Record<string, UpdateStrategy<T>>>;
}

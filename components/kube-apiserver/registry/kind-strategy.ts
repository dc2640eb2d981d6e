import { isFresh, zeroStruct } from '../../../src/api/decode.ts';
import { semanticDeepEqual } from '../../../src/api/deep-equal.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import type { Resource } from '../../../src/api/resource.ts';
import { schemaOfKind } from '../../../src/api/schema.ts';
import type { FieldError } from '../../../src/api/status-error.ts';
import {
  nameIsDNSSubdomain,
  type ValidateName,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../../../src/api/validation/object-meta.ts';
import type { Strategy, StrategyContext, UpdateStrategy } from '../storage/strategy.ts';

/** What the files of the registry say of one kind; `kindStrategy` makes a storage strategy out of it. */
export interface KindRules<T extends KubernetesObject> {
  readonly validateName?: ValidateName;
  /** Fills in defaults in place: the object is fresh from the decoder. */
  defaults?(object: T): void;
  /** Status is dropped on create and kept on update; it changes through its subresource only. */
  readonly hasStatus?: boolean;
  /** Status given on create is kept: nodes register with theirs. */
  readonly keepsStatusOnCreate?: boolean;
  /** Objects begin with generation 1. What counts as a change is `spec`, unless `changes` says otherwise. */
  readonly generation?: boolean;
  changes?(object: T, old: T): boolean;
  /** Takes fields of features that are off out of an object that is written. */
  dropDisabledFields?(object: T): T;
  /** After the reset of status and generation. */
  prepareForCreate?(object: T, context: StrategyContext): T;
  /** The last touch to a new object that is valid. */
  canonicalize?(object: T): T;
  /** After status and generation of the old object are back, before the generation is counted. */
  prepareForUpdate?(object: T, old: T, context: StrategyContext): T;
  /** Everything but metadata. */
  validate?(object: T, context: StrategyContext): FieldError[];
  /** Everything but metadata, what `validate` finds included where it applies. Default: `validate`. */
  validateUpdate?(object: T, old: T, context: StrategyContext): FieldError[];
  /** The metadata rules of creation run once more on update, as the real one does for this kind. */
  readonly metaTwiceOnUpdate?: boolean;
  /** The same for updates of status. */
  readonly metaTwiceOnStatusUpdate?: boolean;
  prepareForStatusUpdate?(object: T, old: T, context: StrategyContext): T;
  validateStatusUpdate?(object: T, old: T, context: StrategyContext): FieldError[];
  warnings?(object: T, old: T | undefined): string[];
  readonly subresources?: Readonly<Record<string, UpdateStrategy<T>>>;
}

type Parts = KubernetesObject & { spec?: unknown; status?: unknown };

/** Builds the storage strategy of a kind. */
export function kindStrategy<T extends KubernetesObject>(rules: KindRules<T>): Strategy<T> {
  const { warnings } = rules;
  return {
    validateName: rules.validateName ?? nameIsDNSSubdomain,
    ...(rules.defaults ? { setDefaults: (object: T) => setDefaults(rules, object) } : {}),
    prepareForCreate: (context, object) => prepareForCreate(rules, object, context),
    ...(rules.canonicalize ? { canonicalize: rules.canonicalize } : {}),
    prepareForUpdate: (context, object, old) => prepareForUpdate(rules, { object, old, context }),
    validate: (context, object) => [...metaErrors(rules, object, context), ...(rules.validate?.(object, context) ?? [])],
    validateUpdate: (context, object, old) => validateUpdate(rules, { object, old, context }),
    ...(warnings
      ? {
          warningsOnCreate: (_: StrategyContext, object: T) => warnings(object, undefined),
          warningsOnUpdate: (_: StrategyContext, object: T, old: T) => warnings(object, old),
        }
      : {}),
    subresources: { ...(rules.hasStatus ? { status: statusStrategy(rules) } : {}), ...rules.subresources },
  };
}

/** Changes a fresh object in place; others are copied first. */
function setDefaults<T extends KubernetesObject>(rules: KindRules<T>, object: T): T {
  const own = isFresh(object) ? object : copyJson(object);
  rules.defaults?.(own);
  return own;
}

/** A deep copy of a JSON value. */
export function copyJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyJson) as T;
  const out: Record<string, unknown> = {};
  for (const key in value) out[key] = copyJson(value[key]);
  return out as T;
}

function prepareForCreate<T extends KubernetesObject>(rules: KindRules<T>, object: T, context: StrategyContext): T {
  let out = rules.dropDisabledFields?.(object) ?? object;
  if (rules.hasStatus && !rules.keepsStatusOnCreate && (object as Parts).status !== undefined)
    out = { ...out, status: emptyStatus(object) };
  if (rules.generation && out.metadata.generation !== 1) out = { ...out, metadata: { ...out.metadata, generation: 1 } };
  return rules.prepareForCreate?.(out, context) ?? out;
}

/** Go keeps an empty status struct where the kind has one that is no pointer. */
function emptyStatus(object: KubernetesObject): unknown {
  const schema = schemaOfKind(object.apiVersion ?? '', object.kind ?? '');
  return schema ? zeroStruct(schema, 'status') : {};
}

function prepareForUpdate<T extends KubernetesObject>(
  rules: KindRules<T>,
  { object, old, context }: { object: T; old: T; context: StrategyContext },
): T {
  let out = rules.dropDisabledFields?.(object) ?? object;
  if (rules.hasStatus && (object as Parts).status !== (old as Parts).status) out = { ...out, status: (old as Parts).status };
  out = rules.prepareForUpdate?.(out, old, context) ?? out;
  if (!rules.generation) return out;
  const changed = rules.changes ? rules.changes(out, old) : !semanticDeepEqual((out as Parts).spec, (old as Parts).spec);
  const generation = (old.metadata.generation ?? 0) + (changed ? 1 : 0);
  return out.metadata.generation === generation ? out : { ...out, metadata: { ...out.metadata, generation } };
}

function validateUpdate<T extends KubernetesObject>(
  rules: KindRules<T>,
  { object, old, context }: { object: T; old: T; context: StrategyContext },
): FieldError[] {
  return [
    ...validateObjectMetaUpdate(object.metadata, old.metadata),
    ...(rules.metaTwiceOnUpdate ? metaErrors(rules, object, context) : []),
    ...(rules.validateUpdate?.(object, old, context) ?? rules.validate?.(object, context) ?? []),
  ];
}

function metaErrors<T extends KubernetesObject>(rules: KindRules<T>, object: T, { resource }: StrategyContext): FieldError[] {
  return validateObjectMeta(object.metadata, {
    namespaced: resource.namespaced,
    validateName: rules.validateName ?? nameIsDNSSubdomain,
    core: isCore(resource),
  });
}

/** Kinds whose validation asks for standard or qualified finalizers: those that go through apis/core/validation. */
function isCore(resource: Resource): boolean {
  return resource.group === '' || !resource.group.includes('.') || CORE_VALIDATED.has(resource.group);
}

const CORE_VALIDATED = new Set([
  'networking.k8s.io',
  'storage.k8s.io',
  'discovery.k8s.io',
  'node.k8s.io',
  'scheduling.k8s.io',
  'coordination.k8s.io',
  'certificates.k8s.io',
  'resource.k8s.io',
  'rbac.authorization.k8s.io',
]);

function statusStrategy<T extends KubernetesObject>(rules: KindRules<T>): UpdateStrategy<T> {
  return {
    prepareForUpdate: (context, object, old) => {
      const kept = { ...old, metadata: object.metadata, status: (object as Parts).status };
      return rules.prepareForStatusUpdate?.(kept, old, context) ?? kept;
    },
    validateUpdate: (context, object, old) => [
      ...validateObjectMetaUpdate(object.metadata, old.metadata),
      ...(rules.metaTwiceOnStatusUpdate ? metaErrors(rules, object, context) : []),
      ...(rules.validateStatusUpdate?.(object, old, context) ?? []),
    ],
  };
}

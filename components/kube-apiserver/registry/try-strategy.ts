import { decode } from '../../../src/api/decode.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { apiVersionOf, type Resource } from '../../../src/api/resource.ts';
import { schemaOfKind } from '../../../src/api/schema.ts';
import type { FieldError } from '../../../src/api/status-error.ts';
import { invariant } from '../../../src/sim/invariant.ts';
import type { StrategyContext } from '../storage/strategy.ts';
import { registryStrategy } from './registry.ts';

/** What a strategy makes of a body, for tests. */
export interface Tried<T> {
  readonly object: T;
  /** `spec.containers: Required value` */
  readonly problems: string[];
  readonly warnings: string[];
}

const print = (errors: readonly FieldError[]): string[] => errors.map(({ field, body }) => `${field}: ${body}`);

function contextOf(resource: Resource): StrategyContext {
  return { resource, user: { username: 'tester', groups: [] }, dryRun: false, wallTime: 0 };
}

function read<T extends KubernetesObject>(resource: Resource<T>, body: object): T {
  const apiVersion = apiVersionOf(resource);
  const schema = schemaOfKind(apiVersion, resource.kind);
  invariant(schema, `${resource.kind} has a schema`);
  const { object, error } = decode<T>({ ...body, apiVersion, kind: resource.kind }, schema);
  invariant(error === undefined, `the body of a test decodes: ${error}`);
  object.metadata ??= {};
  return (registryStrategy(resource).setDefaults?.(object) as T | undefined) ?? object;
}

/** Decodes and creates, as kube-apiserver would without storage. Namespace and uid are filled in. */
export function tryCreate<T extends KubernetesObject>(resource: Resource<T>, body: object): Tried<T> {
  const strategy = registryStrategy(resource);
  const context = contextOf(resource);
  const read_ = read(resource, body);
  const metadata = { ...(resource.namespaced ? { namespace: 'default' } : {}), uid: 'uid', ...read_.metadata };
  const object = (strategy.prepareForCreate?.(context, { ...read_, metadata }) ?? read_) as T;
  return {
    object: (strategy.canonicalize?.(object) ?? object) as T,
    problems: print(strategy.validate?.(context, object) ?? []),
    warnings: [...(strategy.warningsOnCreate?.(context, object) ?? [])],
  };
}

/** Updates `old` to what `body` says, or its status with `subresource`. */
export function tryUpdate<T extends KubernetesObject>(
  resource: Resource<T>,
  old: T,
  { body, subresource }: { body: object; subresource?: string },
): Tried<T> {
  const strategy = registryStrategy(resource);
  const rules = subresource ? strategy.subresources?.[subresource] : strategy;
  invariant(rules, `${resource.resource} has ${subresource}`);
  const context = contextOf(resource);
  const given = read(resource, body);
  const metadata = { ...given.metadata, namespace: old.metadata.namespace, uid: old.metadata.uid, resourceVersion: '1' } as T['metadata'];
  const previous = { ...old, metadata: { ...old.metadata, resourceVersion: '1' } };
  const object = (rules.prepareForUpdate?.(context, { ...given, metadata }, previous) ?? given) as T;
  return { object, problems: print(rules.validateUpdate?.(context, object, previous) ?? []), warnings: [] };
}

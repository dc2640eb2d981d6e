import { deepEqual } from '../../src/api/deep-equal.ts';
import type { OwnerReference } from '../../src/api/kinds/meta-v1.ts';
import type { KubernetesObject } from '../../src/api/object.ts';
import { apiVersionOf, type Resource } from '../../src/api/resource.ts';
import { ApiStatusError, isNotFound } from '../../src/api/status-error.ts';
import type { Client } from '../../src/client/client.ts';
import type { ChildRule, UpdateMethod } from './api.ts';
import { applyUpdate, withLastApplied } from './dynamic-apply.ts';

/** Children as hooks get them: by `<Kind>.<apiVersion>`, then by their name as seen from the parent. */
export type ChildMap = Record<string, Record<string, KubernetesObject>>;

/** A rule whose resource the server knows. */
export interface KnownRule {
  readonly rule: ChildRule;
  readonly resource: Resource;
  /** `<Kind>.<apiVersion>` */
  readonly key: string;
}

export function ruleKey({ kind, apiVersion }: { readonly kind?: string; readonly apiVersion?: string }): string {
  return `${kind ?? ''}.${apiVersion ?? ''}`;
}

export function knownRule(rule: ChildRule, resource: Resource): KnownRule {
  return { rule, resource, key: ruleKey({ kind: resource.kind, apiVersion: apiVersionOf(resource) }) };
}

export function methodOf({ rule }: KnownRule): UpdateMethod {
  return rule.updateStrategy?.method ?? 'OnDelete';
}

/** The name of a child; with its namespace only where the parent has none. */
export function relativeName(parent: KubernetesObject, { metadata: { namespace, name = '' } }: KubernetesObject): string {
  return parent.metadata.namespace || !namespace ? name : `${namespace}/${name}`;
}

/** There is an entry for each rule, also when there are no such children. */
export function emptyChildMap(rules: readonly KnownRule[]): ChildMap {
  return Object.fromEntries(rules.map(({ key }) => [key, {}]));
}

/** What a hook answered, in the form of what it was asked. @throws ApiStatusError when it names a kind that no rule has */
export function desiredMap(rules: readonly KnownRule[], parent: KubernetesObject, children: readonly KubernetesObject[]): ChildMap {
  const map = emptyChildMap(rules);
  for (const child of children) {
    const rule = map[ruleKey(child)];
    if (!rule)
      throw new ApiStatusError({
        code: 400,
        reason: 'BadRequest',
        message: `hook returned an object of kind ${child.kind} (${child.apiVersion}), which is not among the child resources`,
      });
    const namespace = parent.metadata.namespace ?? child.metadata.namespace;
    const placed = { ...child, metadata: { ...child.metadata, ...(namespace ? { namespace } : {}) } };
    rule[relativeName(parent, placed)] = placed;
  }
  return map;
}

/** What is to be done for one parent. */
export interface ManageOptions {
  readonly client: Client;
  readonly rules: readonly KnownRule[];
  readonly observed: ChildMap;
  readonly desired: ChildMap;
  readonly owner: OwnerReference;
}

/** Deletes what is not wanted, then changes and makes the rest. What fails does not keep it from the others. metacontroller pkg/controller/common.ManageChildren */
export async function manageChildren(options: ManageOptions): Promise<void> {
  const { rules, observed, desired } = options;
  const errors: unknown[] = [];
  const attempt = async (work: Promise<void>): Promise<void> => {
    await work.catch((error: unknown) => void errors.push(error));
  };
  for (const rule of rules) {
    for (const [name, object] of Object.entries(observed[rule.key] ?? {}))
      if (!desired[rule.key]?.[name] && !object.metadata.deletionTimestamp) await attempt(deleteChild(options, rule, object));
  }
  for (const rule of rules) {
    for (const [name, object] of Object.entries(desired[rule.key] ?? {}))
      await attempt(ensureChild(options, rule, { desired: object, observed: observed[rule.key]?.[name] }));
  }
  if (errors.length) throw errors[0];
}

async function ensureChild(
  options: ManageOptions,
  rule: KnownRule,
  { desired, observed }: { readonly desired: KubernetesObject; readonly observed: KubernetesObject | undefined },
): Promise<void> {
  const requests = options.client.resource(rule.resource);
  if (!observed) {
    const made = withLastApplied(desired);
    await requests.create({
      ...made,
      metadata: { ...made.metadata, ownerReferences: [...(made.metadata.ownerReferences ?? []), options.owner] },
    });
    return;
  }
  if (observed.metadata.deletionTimestamp || isUpToDate(observed, desired)) return;
  const method = methodOf(rule);
  if (method === 'Recreate' || method === 'RollingRecreate') await deleteChild(options, rule, observed);
  if (method === 'InPlace' || method === 'RollingInPlace') await requests.update(applyUpdate(observed, desired));
}

/** Whether applying would change nothing. */
export function isUpToDate(observed: KubernetesObject, desired: KubernetesObject): boolean {
  return deepEqual(observed, applyUpdate(observed, desired));
}

async function deleteChild({ client }: ManageOptions, { resource }: KnownRule, { metadata }: KubernetesObject): Promise<void> {
  const { namespace, name = '', uid } = metadata;
  try {
    await client
      .resource(resource)
      .delete({ namespace, name }, { propagationPolicy: 'Background', ...(uid ? { preconditions: { uid } } : {}) });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

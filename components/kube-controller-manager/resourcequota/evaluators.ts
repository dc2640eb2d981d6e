import type { ResourceQuota } from '../../../src/api/kinds/core-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { parseQuantity, type Quantity } from '../../../src/api/quantity.ts';
import { matchesQuotaScopes } from '../../../src/api/quota-scopes.ts';
import { type Amounts, POD_QUOTA_NAMES, quotaUsage } from '../../../src/api/quota-usage.ts';
import { groupResource, type Resource } from '../../../src/api/resource.ts';

const SERVICE_NAMES = new Set(['services', 'services.nodeports', 'services.loadbalancers']);
const CLAIM_NAMES = new Set(['persistentvolumeclaims', 'requests.storage']);
const CLASS_SUFFIX = '.storageclass.storage.k8s.io/';
/** Kinds that are counted under their plain name as well: pkg/quota/v1/evaluator/core/registry.go legacyObjectCountAliases */
const ALIASED = new Set(['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets']);

/** Whether objects of the resource use what the name stands for: pkg/quota/v1/interfaces.go Evaluator.MatchingResources */
export function matchesName(resource: Pick<Resource, 'group' | 'resource'>, name: string): boolean {
  const counted = groupResource(resource);
  if (name === `count/${counted}`) return true;
  if (counted === 'pods') return POD_QUOTA_NAMES.has(name) || isHugePages(name) || isExtended(name);
  if (counted === 'services') return SERVICE_NAMES.has(name);
  if (counted === 'persistentvolumeclaims') return CLAIM_NAMES.has(name) || isOfStorageClass(name);
  return ALIASED.has(counted) && name === counted;
}

function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-') || name.startsWith('requests.hugepages-');
}

/** pkg/apis/core/v1/helper IsExtendedResourceName, behind `requests.` */
function isExtended(name: string): boolean {
  return name.startsWith('requests.') && name.includes('/') && !name.includes('kubernetes.io/');
}

function isOfStorageClass(name: string): boolean {
  return name.endsWith(`${CLASS_SUFFIX}requests.storage`) || name.endsWith(`${CLASS_SUFFIX}persistentvolumeclaims`);
}

interface Remembered {
  readonly wallTime: number;
  readonly amounts: Amounts;
}

/** What an object uses does not change while it is the same version, but for pods that are about to be gone. */
const remembered = new WeakMap<KubernetesObject, Remembered>();

function usageOf(resource: Resource, object: KubernetesObject, wallTime: number): Amounts {
  const known = remembered.get(object);
  if (known && (known.wallTime === wallTime || !object.metadata.deletionTimestamp)) return known.amounts;
  const amounts = quotaUsage(resource, object, wallTime);
  remembered.set(object, { wallTime, amounts });
  return amounts;
}

/** What all objects together use of the names that their kind can use: pkg/quota/v1/generic CalculateUsageStats */
export function calculateUsage(
  quota: ResourceQuota,
  names: readonly string[],
  { resource, objects, wallTime }: { resource: Resource; objects: readonly KubernetesObject[]; wallTime: number },
): Record<string, string> {
  const totals = new Map<string, Quantity>(names.map((name) => [name, parseQuantity('0')]));
  for (const object of objects) {
    if (!matchesQuotaScopes(quota, resource.kind, object)) continue;
    const amounts = usageOf(resource, object, wallTime);
    for (const [name, total] of totals) {
      const amount = amounts[name];
      if (amount) totals.set(name, total.add(amount));
    }
  }
  return Object.fromEntries([...totals].map(([name, total]) => [name, total.toString()]));
}

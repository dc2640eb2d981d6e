import type { PodResourceClaim, PodSpec, ResourceRequirements } from '../../../../src/api/kinds/core-v1.ts';
import { parseQuantity } from '../../../../src/api/quantity.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isQualifiedName } from '../../../../src/api/validation/content.ts';
import { duplicate, forbidden, invalid, notFound, notSupported, required } from '../../../../src/api/validation/field.ts';
import { report } from '../validation.ts';

const STANDARD_CONTAINER = new Set(['cpu', 'memory', 'ephemeral-storage']);
const INTEGER_RESOURCES = new Set([
  'pods',
  'services',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]);
const STANDARD = new Set([
  ...STANDARD_CONTAINER,
  ...INTEGER_RESOURCES,
  'storage',
  'requests.cpu',
  'requests.memory',
  'requests.ephemeral-storage',
  'requests.storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
]);

/** kubernetes pkg/apis/core/helper IsHugePageResourceName */
export function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

/** kubernetes pkg/apis/core/helper IsNativeResource */
export function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

/** kubernetes pkg/apis/core/helper IsExtendedResourceName */
export function isExtended(name: string): boolean {
  return !isNative(name) && !name.startsWith('requests.') && isQualifiedName(`requests.${name}`).length === 0;
}

function isOvercommitAllowed(name: string): boolean {
  return isNative(name) && !isHugePages(name);
}

/** kubernetes pkg/apis/core/validation ValidateResourceName */
export function resourceName(errors: FieldError[], path: string, value: string): void {
  const before = errors.length;
  report(errors, { path, value }, isQualifiedName(value));
  if (errors.length === before && !value.includes('/') && !STANDARD.has(value) && !isHugePages(value))
    errors.push(invalid(path, value, 'must be a standard resource type or fully qualified'));
}

/** kubernetes pkg/apis/core/validation validateContainerResourceName */
export function containerResourceName(errors: FieldError[], path: string, value: string): void {
  resourceName(errors, path, value);
  if (!value.includes('/')) {
    if (!STANDARD_CONTAINER.has(value) && !isHugePages(value))
      errors.push(invalid(path, value, 'must be a standard resource for containers'));
  } else if (!isNative(value) && !isExtended(value)) errors.push(invalid(path, value, "doesn't follow extended resource name standard"));
}

/** kubernetes pkg/apis/core/validation ValidateResourceQuantityValue */
export function resourceValue(errors: FieldError[], path: string, { name, amount }: { name: string; amount: string }): void {
  const quantity = parseQuantity(amount);
  if (quantity.nano < 0n) errors.push(invalid(path, amount, 'must be greater than or equal to 0'));
  if ((INTEGER_RESOURCES.has(name) || isExtended(name)) && quantity.milliValue() % 1000 !== 0)
    errors.push(invalid(path, amount, 'must be an integer'));
}

/** kubernetes pkg/apis/core/validation validateBasicResource and the check of huge pages */
function hugePagesValue(errors: FieldError[], path: string, { name, amount }: { name: string; amount: string }): void {
  const size = parseQuantity(name.slice('hugepages-'.length));
  const quantity = parseQuantity(amount);
  if (size.nano > 0n && quantity.nano % size.nano !== 0n)
    errors.push(invalid(path, amount, `${quantity} is not positive integer multiple of ${name}`));
}

interface Context {
  readonly path: string;
  /** Names of pod.spec.resourceClaims; undefined where claims make no sense. */
  readonly claims?: readonly PodResourceClaim[] | undefined;
  /** Resources of the pod as a whole. */
  readonly podLevel?: boolean;
}

/** kubernetes pkg/apis/core/validation ValidateContainerResourceRequirements, ValidatePodResourceRequirements */
export function resourceRequirements(errors: FieldError[], resources: ResourceRequirements | undefined, context: Context): void {
  if (!resources) return;
  const { limits, requests, claims } = resources;
  if (!limits && !requests && !claims) return;
  const { path } = context;
  let cpuOrMemory = false;
  let hugePages = false;
  for (const name in limits) {
    const at = `${path}.limits[${name}]`;
    checkAmount(errors, at, { name, amount: limits[name] ?? '0', podLevel: context.podLevel ?? false });
    if (isHugePages(name)) hugePages = true;
    if (name === 'cpu' || name === 'memory') cpuOrMemory = true;
  }
  for (const name in requests) {
    checkAmount(errors, `${path}.requests[${name}]`, { name, amount: requests[name] ?? '0', podLevel: context.podLevel ?? false });
    if (limits?.[name] !== undefined)
      checkAgainstLimit(errors, `${path}.requests`, { name, request: requests[name] ?? '0', limit: limits[name] });
    else if (!isOvercommitAllowed(name)) errors.push(required(`${path}.limits`, 'Limit must be set for non overcommitable resources'));
    if (isHugePages(name)) hugePages = true;
    if (name === 'cpu' || name === 'memory') cpuOrMemory = true;
  }
  if (hugePages && !cpuOrMemory) errors.push(forbidden(path, 'HugePages require cpu or memory'));
  checkClaims(errors, `${path}.claims`, { claims: claims ?? [], known: context.claims ?? [] });
}

function checkAmount(
  errors: FieldError[],
  path: string,
  { name, amount, podLevel }: { name: string; amount: string; podLevel: boolean },
): void {
  if (podLevel) {
    if (name !== 'cpu' && name !== 'memory' && !isHugePages(name)) {
      errors.push(notSupported(path, name, ['cpu', 'hugepages-', 'memory']));
      return;
    }
  } else containerResourceName(errors, path, name);
  resourceValue(errors, path, { name, amount });
  if (isHugePages(name)) hugePagesValue(errors, path, { name, amount });
}

function checkAgainstLimit(
  errors: FieldError[],
  path: string,
  { name, request, limit }: { name: string; request: string; limit: string },
): void {
  const compared = parseQuantity(request).compare(parseQuantity(limit));
  if (compared !== 0 && !isOvercommitAllowed(name)) errors.push(invalid(path, request, `must be equal to ${name} limit of ${limit}`));
  else if (compared > 0) errors.push(invalid(path, request, `must be less than or equal to ${name} limit of ${limit}`));
}

/** kubernetes pkg/apis/core/validation validatePodResourceConsistency: the pod as a whole gets at least what its containers ask for. */
export function podLevelConsistency(errors: FieldError[], path: string, { resources, containers }: PodSpec): void {
  for (const [name, amount] of Object.entries(resources?.requests ?? {})) {
    const sum = containers.reduce(
      (total, container) => total.add(parseQuantity(container.resources?.requests?.[name])),
      parseQuantity('0'),
    );
    if (sum.compare(parseQuantity(amount)) > 0)
      errors.push(invalid(`${path}.requests[${name}]`, amount, `must be greater than or equal to aggregate container requests of ${sum}`));
  }
  for (const [name, amount] of Object.entries(resources?.limits ?? {})) {
    for (const container of containers) {
      const limit = container.resources?.limits?.[name];
      if (limit !== undefined && parseQuantity(limit).compare(parseQuantity(amount)) > 0) {
        errors.push(invalid(`${path}.limits[${name}]`, amount, `must be greater than or equal to individual container limits of ${limit}`));
      }
    }
  }
}

interface Claims {
  readonly claims: readonly { readonly name: string; readonly request?: string }[];
  readonly known: readonly PodResourceClaim[];
}

/** kubernetes pkg/apis/core/validation validateResourceClaimNames */
function checkClaims(errors: FieldError[], path: string, { claims, known }: Claims): void {
  const seen = new Set<string>();
  for (const [index, { name, request }] of claims.entries()) {
    const key = request ? `${name}/${request}` : name;
    if (!name) errors.push(required(`${path}[${index}]`));
    else if (seen.has(key)) errors.push(duplicate(`${path}[${index}]`, name));
    else if (!known.some((claim) => claim.name === name)) {
      const error = notFound(`${path}[${index}]`, name);
      const among = known.length === 0 ? 'which is empty' : known.map((claim) => claim.name).join(', ');
      errors.push({ ...error, body: `${error.body}: must be one of the names in pod.spec.resourceClaims ${among}` });
    }
    seen.add(key);
  }
}

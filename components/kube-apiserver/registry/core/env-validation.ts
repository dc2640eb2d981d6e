import type { EnvFromSource, EnvVar, EnvVarSource, ObjectFieldSelector, ResourceFieldSelector } from '../../../../src/api/kinds/core-v1.ts';
import { parseQuantity } from '../../../../src/api/quantity.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isConfigMapKey, isDNS1123Subdomain, isQualifiedName, isRelaxedEnvVarName } from '../../../../src/api/validation/content.ts';
import { invalid, notSupported, required } from '../../../../src/api/validation/field.ts';
import { report } from '../validation.ts';

const ENV_FIELDS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
const ENV_RESOURCES = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];
/** Fields that a path may name at all. kubernetes pkg/apis/core/pods ConvertDownwardAPIFieldLabel */
const CONVERTIBLE = new Set([
  ...ENV_FIELDS,
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
  'metadata.annotations',
  'metadata.labels',
]);

/** kubernetes pkg/apis/core/validation ValidateEnv */
export function validateEnv(errors: FieldError[], path: string, variables: readonly EnvVar[] | undefined): void {
  if (!variables) return;
  for (const [index, variable] of variables.entries()) {
    const at = `${path}[${index}]`;
    if (!variable.name) errors.push(required(`${at}.name`));
    else report(errors, { path: `${at}.name`, value: variable.name }, isRelaxedEnvVarName(variable.name));
    if (variable.valueFrom) validateSource(errors, `${at}.valueFrom`, { source: variable.valueFrom, value: variable.value });
  }
}

function validateSource(errors: FieldError[], path: string, { source, value }: { source: EnvVarSource; value: string | undefined }): void {
  // The gate EnvFiles is off: a fileKeyRef counts for nothing.
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = source;
  let sources = 0;
  if (fieldRef) {
    sources++;
    validateFieldRef(errors, `${path}.fieldRef`, { selector: fieldRef, supported: ENV_FIELDS });
  }
  if (resourceFieldRef) {
    sources++;
    validateResourceFieldRef(errors, `${path}.resourceFieldRef`, { selector: resourceFieldRef, volume: false });
  }
  for (const [name, reference] of [
    ['configMapKeyRef', configMapKeyRef],
    ['secretKeyRef', secretKeyRef],
  ] as const) {
    if (!reference) continue;
    sources++;
    report(errors, { path: `${path}.${name}.name`, value: reference.name ?? '' }, isDNS1123Subdomain(reference.name ?? ''));
    if (!reference.key) errors.push(required(`${path}.${name}.key`));
    else report(errors, { path: `${path}.${name}.key`, value: reference.key }, isConfigMapKey(reference.key));
  }
  if (sources === 0)
    errors.push(invalid(path, '', 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`'));
  if (value && sources > 0) errors.push(invalid(path, '', 'may not be specified when `value` is not empty'));
  else if (sources > 1) errors.push(invalid(path, '', 'may not have more than one field specified at a time'));
}

/** kubernetes pkg/apis/core/validation validateObjectFieldSelector */
export function validateFieldRef(
  errors: FieldError[],
  path: string,
  { selector, supported }: { selector: ObjectFieldSelector; supported: readonly string[] },
): void {
  if (!selector.apiVersion) {
    errors.push(required(`${path}.apiVersion`));
    return;
  }
  if (!selector.fieldPath) {
    errors.push(required(`${path}.fieldPath`));
    return;
  }
  const { apiVersion } = selector;
  const fieldPath = selector.fieldPath === 'spec.host' ? 'spec.nodeName' : selector.fieldPath;
  const refuse = (why: string): void => void errors.push(invalid(`${path}.fieldPath`, fieldPath, `error converting fieldPath: ${why}`));
  if (apiVersion !== 'v1') {
    refuse(`unsupported pod version: ${apiVersion}`);
    return;
  }
  const subscript = /^(metadata\.(?:annotations|labels))\['([^']*)'\]$/.exec(fieldPath);
  if (subscript) {
    const [, base = '', key = ''] = subscript;
    if (base === 'metadata.annotations') report(errors, { path, value: key }, isQualifiedName(key.toLowerCase()));
    else report(errors, { path, value: key }, isQualifiedName(key));
    return;
  }
  if (/\['.*'\]$/.test(fieldPath)) refuse(`field label does not support subscript: ${fieldPath}`);
  else if (!CONVERTIBLE.has(fieldPath)) refuse(`field label not supported: ${fieldPath}`);
  else if (!supported.includes(fieldPath)) errors.push(notSupported(`${path}.fieldPath`, fieldPath, [...supported].sort()));
}

/** kubernetes pkg/apis/core/validation validateContainerResourceFieldSelector */
export function validateResourceFieldRef(
  errors: FieldError[],
  path: string,
  { selector, volume }: { selector: ResourceFieldSelector; volume: boolean },
): void {
  const { resource, divisor } = selector;
  if (volume && !selector.containerName) errors.push(required(`${path}.containerName`));
  else if (!resource) errors.push(required(`${path}.resource`));
  else if (!ENV_RESOURCES.includes(resource) && !HUGE_PAGES.test(resource))
    errors.push(notSupported(`${path}.resource`, resource, ENV_RESOURCES));
  if (!divisor || parseQuantity(divisor).isZero) return;
  const rule = DIVISORS.find(([names]) => names.test(resource));
  if (!rule) return;
  const [, kind, allowed] = rule;
  if (allowed.includes(divisor)) return;
  const values = kind === 'cpu' ? '1m and 1' : allowed.join(', ');
  errors.push(invalid(`${path}.divisor`, resource, `only divisor's values ${values} are supported with the ${kind} resource`));
}

const HUGE_PAGES = /^(?:limits|requests)\.hugepages-/;
const BYTE_DIVISORS = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];
const DIVISORS: readonly (readonly [RegExp, string, readonly string[]])[] = [
  [/^(?:limits|requests)\.cpu$/, 'cpu', ['1m', '1']],
  [/^(?:limits|requests)\.memory$/, 'memory', BYTE_DIVISORS],
  [/^(?:limits|requests)\.ephemeral-storage$/, 'local ephemeral storage', BYTE_DIVISORS],
  [HUGE_PAGES, 'hugepages', BYTE_DIVISORS],
];

/** kubernetes pkg/apis/core/validation ValidateEnvFrom; like there, the error about sources carries no index. */
export function validateEnvFrom(errors: FieldError[], path: string, sources: readonly EnvFromSource[] | undefined): void {
  for (const [index, { prefix, configMapRef, secretRef }] of (sources ?? []).entries()) {
    if (prefix) report(errors, { path: `${path}[${index}].prefix`, value: prefix }, isRelaxedEnvVarName(prefix));
    for (const [name, reference] of [
      ['configMapRef', configMapRef],
      ['secretRef', secretRef],
    ] as const) {
      if (!reference) continue;
      if (!reference.name) errors.push(required(`${path}[${index}].${name}.name`));
      else report(errors, { path: `${path}[${index}].${name}.name`, value: reference.name }, isDNS1123Subdomain(reference.name));
    }
    if (!configMapRef && !secretRef) errors.push(invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`'));
    else if (configMapRef && secretRef) errors.push(invalid(path, '', 'may not have more than one field specified at a time'));
  }
}

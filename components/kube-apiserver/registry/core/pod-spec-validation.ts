import type { Pod, PodSpec, PodTemplateSpec } from '../../../../src/api/kinds/core-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import {
  isDNS1123Label,
  isDNS1123Subdomain,
  isInRange,
  isQualifiedName,
  maxLengthError,
  regexError,
} from '../../../../src/api/validation/content.ts';
import { duplicate, forbidden, invalid, notSupported, required } from '../../../../src/api/validation/field.ts';
import { validateAnnotations, validateLabels } from '../../../../src/api/validation/object-meta.ts';
import { dnsLabel, ipAddress, report, requiredOneOf } from '../validation.ts';
import { validateAffinity } from './affinity-validation.ts';
import { validateContainers, validateContainersOnlyForPod } from './container-validation.ts';
import { validateEphemeralContainers } from './ephemeral-container-validation.ts';
import { validatePodAnnotations } from './pod-annotations-validation.ts';
import { validateOs, validateWindowsHostProcess } from './pod-os-validation.ts';
import { podLevelConsistency, resourceRequirements } from './resources-validation.ts';
import { validateTolerations, validateTopologySpreadConstraints } from './scheduling-validation.ts';
import { validatePodSecurityContext } from './security-context-validation.ts';
import { validateVolumes } from './volume-validation.ts';

const MAX_INT32 = 2_147_483_647;
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];

interface Context {
  readonly path: string;
  /** For the names of claims of ephemeral volumes; '' in templates. */
  readonly podName: string;
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

/** kubernetes pkg/apis/core/validation ValidatePodSpec */
export function validatePodSpec(errors: FieldError[], spec: PodSpec, { path, podName, labels = {} }: Context): void {
  if (spec.terminationGracePeriodSeconds === undefined) errors.push(required(`${path}.terminationGracePeriodSeconds`));
  const volumes = validateVolumes(errors, `${path}.volumes`, { spec, podName });
  validateResourceClaims(errors, `${path}.resourceClaims`, spec);
  validateContainers(errors, { path, spec, volumes });
  validateEphemeralContainers(errors, { path: `${path}.ephemeralContainers`, spec, volumes });
  resourceRequirements(errors, spec.resources, { path: `${path}.resources`, podLevel: true });
  if (spec.resources) podLevelConsistency(errors, `${path}.resources`, spec);
  requiredOneOf(errors, { path: `${path}.restartPolicy`, value: spec.restartPolicy }, ['Always', 'OnFailure', 'Never']);
  requiredOneOf(errors, { path: `${path}.dnsPolicy`, value: spec.dnsPolicy }, DNS_POLICIES);
  if (spec.nodeSelector) errors.push(...validateLabels(spec.nodeSelector, `${path}.nodeSelector`));
  validatePodSecurityContext(errors, `${path}.securityContext`, spec);
  validateReferences(errors, path, spec);
  validateAffinity(errors, `${path}.affinity`, spec.affinity);
  validateDns(errors, `${path}.dnsConfig`, spec);
  for (const [index, { conditionType }] of (spec.readinessGates ?? []).entries())
    report(
      errors,
      { path: `${path}.readinessGates[${index}].conditionType`, value: conditionType ?? '' },
      isQualifiedName(conditionType ?? ''),
    );
  validateGates(errors, `${path}.schedulingGates`, spec);
  validateTopologySpreadConstraints(errors, `${path}.topologySpreadConstraints`, { constraints: spec.topologySpreadConstraints, labels });
  validateNames(errors, path, spec);
  validateWindowsHostProcess(errors, path, spec);
  validateTolerations(errors, `${path}.tolerations`, spec.tolerations);
  validateHostAliases(errors, `${path}.hostAliases`, spec);
  if (spec.overhead) resourceRequirements(errors, { limits: spec.overhead }, { path: `${path}.overhead` });
  validateOs(errors, path, spec);
}

function validateReferences(errors: FieldError[], path: string, spec: PodSpec): void {
  const names: [string, string | undefined][] = [
    ['serviceAccountName', spec.serviceAccountName],
    ['nodeName', spec.nodeName],
    ['priorityClassName', spec.priorityClassName],
  ];
  for (const [name, value] of names) if (value) report(errors, { path: `${path}.${name}`, value }, isDNS1123Subdomain(value));
  if (spec.runtimeClassName !== undefined)
    report(errors, { path: `${path}.runtimeClassName`, value: spec.runtimeClassName }, isDNS1123Subdomain(spec.runtimeClassName));
  if (spec.activeDeadlineSeconds !== undefined)
    report(
      errors,
      { path: `${path}.activeDeadlineSeconds`, value: spec.activeDeadlineSeconds },
      isInRange(spec.activeDeadlineSeconds, 1, MAX_INT32),
    );
  if (spec.preemptionPolicy !== undefined && !['PreemptLowerPriority', 'Never'].includes(spec.preemptionPolicy)) {
    errors.push(notSupported(`${path}.preemptionPolicy`, spec.preemptionPolicy, ['PreemptLowerPriority', 'Never']));
  }
}

function validateNames(errors: FieldError[], path: string, { hostname, subdomain }: PodSpec): void {
  if (hostname) report(errors, { path: `${path}.hostname`, value: hostname }, isDNS1123Label(hostname));
  if (subdomain) report(errors, { path: `${path}.subdomain`, value: subdomain }, isDNS1123Label(subdomain));
}

/** kubernetes pkg/apis/core/validation validateSchedulingGates */
function validateGates(errors: FieldError[], path: string, { schedulingGates }: PodSpec): void {
  if (!schedulingGates?.length) return;
  const seen = new Set<string>();
  for (const [index, { name }] of schedulingGates.entries()) {
    report(errors, { path: `${path}[${index}]`, value: name ?? '' }, isQualifiedName(name ?? ''));
    if (seen.has(name ?? '')) errors.push(duplicate(`${path}[${index}]`, name ?? ''));
    seen.add(name ?? '');
  }
}

/** kubernetes pkg/apis/core/validation validatePodResourceClaims */
function validateResourceClaims(errors: FieldError[], path: string, { resourceClaims }: PodSpec): void {
  const seen = new Set<string>();
  for (const [index, { name, resourceClaimName, resourceClaimTemplateName }] of (resourceClaims ?? []).entries()) {
    const at = `${path}[${index}]`;
    if (!name) errors.push(required(`${at}.name`));
    else if (seen.has(name)) errors.push(duplicate(`${at}.name`, name));
    else {
      dnsLabel(errors, `${at}.name`, name);
      seen.add(name);
    }
    if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined) {
      errors.push(
        invalid(
          at,
          { name, resourceClaimName, resourceClaimTemplateName },
          'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
        ),
      );
    }
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined)
      errors.push(invalid(at, { name }, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'));
    if (resourceClaimName !== undefined)
      report(errors, { path: `${at}.resourceClaimName`, value: resourceClaimName }, isDNS1123Subdomain(resourceClaimName));
    if (resourceClaimTemplateName !== undefined)
      report(
        errors,
        { path: `${at}.resourceClaimTemplateName`, value: resourceClaimTemplateName },
        isDNS1123Subdomain(resourceClaimTemplateName),
      );
  }
}

const SEARCH_PATTERN = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*';
const SEARCH_ERROR = regexError(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character",
  SEARCH_PATTERN,
  'example.com',
);
const SEARCH_REGEX = new RegExp(`^(?:${SEARCH_PATTERN})$`);

/** kubernetes pkg/apis/core/validation validatePodDNSConfig */
function validateDns(errors: FieldError[], path: string, { dnsPolicy, dnsConfig }: PodSpec): void {
  if (dnsPolicy === 'None' && !dnsConfig) errors.push(required(path, 'must provide `dnsConfig` when `dnsPolicy` is None'));
  if (!dnsConfig) return;
  if (dnsPolicy === 'None' && !dnsConfig.nameservers?.length) {
    errors.push(required(`${path}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None'));
    return;
  }
  const { nameservers = [], searches = [], options = [] } = dnsConfig;
  if (nameservers.length > 3) errors.push(invalid(`${path}.nameservers`, nameservers, 'must not have more than 3 nameservers'));
  for (const [index, address] of nameservers.entries()) ipAddress(errors, `${path}.nameservers[${index}]`, address);
  if (searches.length > 32) errors.push(invalid(`${path}.searches`, searches, 'must not have more than 32 search paths'));
  if (searches.join(' ').length > 2048)
    errors.push(invalid(`${path}.searches`, searches, 'must not have more than 2048 characters (including spaces) in the search list'));
  for (const [index, search] of searches.entries()) {
    if (search === '.') continue;
    const value = search.endsWith('.') ? search.slice(0, -1) : search;
    if (value.length > 253) errors.push(invalid(`${path}.searches[${index}]`, value, maxLengthError(253)));
    if (!SEARCH_REGEX.test(value)) errors.push(invalid(`${path}.searches[${index}]`, value, SEARCH_ERROR));
  }
  for (const [index, { name }] of options.entries()) if (!name) errors.push(required(`${path}.options[${index}]`, 'must not be empty'));
}

function validateHostAliases(errors: FieldError[], path: string, { hostAliases }: PodSpec): void {
  for (const [index, { ip, hostnames }] of (hostAliases ?? []).entries()) {
    ipAddress(errors, `${path}[${index}].ip`, ip ?? '');
    for (const [position, name] of (hostnames ?? []).entries())
      report(errors, { path: `${path}[${index}].hostnames[${position}]`, value: name }, isDNS1123Subdomain(name));
  }
}

/** kubernetes pkg/apis/core/validation ValidatePodCreate */
export function validatePod(pod: Pod): FieldError[] {
  const errors: FieldError[] = [];
  const spec = pod.spec ?? { containers: [] };
  validatePodAnnotations(errors, 'metadata.annotations', pod);
  validatePodSpec(errors, spec, { path: 'spec', podName: pod.metadata.name ?? '', labels: pod.metadata.labels });
  validateContainersOnlyForPod(errors, 'spec', spec);
  if (spec.nodeName && spec.schedulingGates?.length)
    errors.push(forbidden('spec.nodeName', 'cannot be set until all schedulingGates have been cleared'));
  if (spec.ephemeralContainers?.length) errors.push(forbidden('spec.ephemeralContainers', 'cannot be set on create'));
  return errors;
}

/** kubernetes pkg/apis/core/validation ValidatePodTemplateSpec; the real one leaves `metadata` out of two paths. */
export function validatePodTemplate(errors: FieldError[], path: string, template: PodTemplateSpec): void {
  const { metadata, spec } = template;
  if (metadata?.labels) errors.push(...validateLabels(metadata.labels, `${path}.labels`));
  if (metadata?.annotations) {
    errors.push(...validateAnnotations(metadata.annotations, `${path}.annotations`));
    validatePodAnnotations(errors, `${path}.annotations`, template);
  }
  validatePodSpec(errors, spec ?? { containers: [] }, { path: `${path}.spec`, podName: '', labels: metadata?.labels });
  if (spec?.ephemeralContainers?.length)
    errors.push(forbidden(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template'));
}

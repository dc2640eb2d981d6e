import { semanticDeepEqual } from '../../../../src/api/deep-equal.ts';
import type {
  DeviceClaim,
  DeviceClaimConfiguration,
  DeviceClass,
  DeviceSelector,
  DeviceSubRequest,
  ExactDeviceRequest,
  ResourceClaim,
  ResourceClaimTemplate,
} from '../../../../src/api/kinds/resource-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isDNS1123Label, isDNS1123Subdomain } from '../../../../src/api/validation/content.ts';
import { duplicate, forbidden, invalid, notSupported, required, tooLong, tooMany } from '../../../../src/api/validation/field.ts';
import type { KindRules } from '../kind-strategy.ts';
import { report } from '../validation.ts';
import { setDefaultsResourceClaim, setDefaultsResourceClaimTemplate } from './defaults.ts';
import { deviceSelectorError } from './device-selector.ts';

const MAX_ENTRIES = 32;
const MAX_SUB_REQUESTS = 8;
const MAX_CONSUMERS = 256;
const MAX_EXPRESSION = 10 * 1024;
const UNKNOWN_REQUEST = "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";

/** kubernetes pkg/registry/resource/resourceclaim */
export const resourceClaimRules: KindRules<ResourceClaim> = {
  defaults: setDefaultsResourceClaim,
  hasStatus: true,
  validate: ({ spec }) => validateDeviceClaim('spec.devices', spec?.devices ?? {}),
  validateUpdate: ({ spec }, old) => (semanticDeepEqual(spec, old.spec) ? [] : [invalid('spec', spec, 'field is immutable')]),
  validateStatusUpdate: ({ spec, status }) => {
    const errors: FieldError[] = [];
    const { reservedFor = [] } = status ?? {};
    atMost(errors, 'status.reservedFor', { list: reservedFor, maximum: MAX_CONSUMERS });
    if (reservedFor.length > 0 && !status?.allocation)
      errors.push(forbidden('status.reservedFor', 'may not be specified when `allocated` is not set'));
    const names = requestNames(spec?.devices ?? {});
    for (const [index, { request, driver, pool, device }] of (status?.allocation?.devices?.results ?? []).entries()) {
      const path = `status.allocation.devices.results[${index}]`;
      if (!names.has(request)) errors.push(invalid(`${path}.request`, request, UNKNOWN_REQUEST));
      report(errors, { path: `${path}.driver`, value: driver }, isDNS1123Subdomain(driver));
      if (!pool) errors.push(required(`${path}.pool`));
      report(errors, { path: `${path}.device`, value: device }, isDNS1123Label(device));
    }
    return errors;
  },
};

/** kubernetes pkg/registry/resource/resourceclaimtemplate */
export const resourceClaimTemplateRules: KindRules<ResourceClaimTemplate> = {
  defaults: setDefaultsResourceClaimTemplate,
  validate: ({ spec }) => validateDeviceClaim('spec.spec.devices', spec?.spec?.devices ?? {}),
  validateUpdate: ({ spec }, old) => (semanticDeepEqual(spec, old.spec) ? [] : [invalid('spec', spec, 'field is immutable')]),
};

/** kubernetes pkg/registry/resource/deviceclass */
export const deviceClassRules: KindRules<DeviceClass> = {
  generation: true,
  prepareForCreate: dropExtendedResource,
  prepareForUpdate: dropExtendedResource,
  validate: ({ spec }) => {
    const errors: FieldError[] = [];
    validateSelectors(errors, 'spec.selectors', spec?.selectors);
    for (const [index, config] of (spec?.config ?? []).entries()) validateOpaque(errors, `spec.config[${index}]`, config);
    return errors;
  },
};

/** The gate DRAExtendedResource is off. */
function dropExtendedResource(deviceClass: DeviceClass): DeviceClass {
  if (deviceClass.spec?.extendedResourceName === undefined) return deviceClass;
  const { extendedResourceName: _, ...spec } = deviceClass.spec;
  return { ...deviceClass, spec };
}

function requestNames({ requests }: DeviceClaim): Set<string> {
  const names = new Set<string>();
  for (const { name, firstAvailable } of requests ?? []) {
    names.add(name);
    for (const sub of firstAvailable ?? []) names.add(`${name}/${sub.name}`);
  }
  return names;
}

/** kubernetes pkg/apis/resource/validation validateDeviceClaim */
function validateDeviceClaim(path: string, claim: DeviceClaim): FieldError[] {
  const errors: FieldError[] = [];
  for (const list of ['requests', 'constraints', 'config'] as const)
    atMost(errors, `${path}.${list}`, { list: claim[list] ?? [], maximum: MAX_ENTRIES });
  const seen = new Set<string>();
  for (const [index, { name, exactly, firstAvailable }] of (claim.requests ?? []).entries()) {
    const at = `${path}.requests[${index}]`;
    if (!name) errors.push(required(`${at}.name`));
    else report(errors, { path: `${at}.name`, value: name }, isDNS1123Label(name));
    if (seen.has(name)) errors.push(duplicate(`${at}.name`, name));
    seen.add(name);
    if (!exactly && !firstAvailable?.length) errors.push(required(at, 'exactly one of `exactly` or `firstAvailable` is required'));
    else if (exactly && firstAvailable?.length)
      errors.push(invalid(at, undefined, 'exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set'));
    if (exactly) validateRequest(errors, `${at}.exactly`, exactly);
    atMost(errors, `${at}.firstAvailable`, { list: firstAvailable ?? [], maximum: MAX_SUB_REQUESTS });
    for (const [position, sub] of (firstAvailable ?? []).entries()) {
      report(errors, { path: `${at}.firstAvailable[${position}].name`, value: sub.name ?? '' }, isDNS1123Label(sub.name ?? ''));
      validateRequest(errors, `${at}.firstAvailable[${position}]`, sub);
    }
  }
  const names = requestNames(claim);
  for (const [index, { requests, matchAttribute, distinctAttribute }] of (claim.constraints ?? []).entries()) {
    const at = `${path}.constraints[${index}]`;
    for (const [position, request] of (requests ?? []).entries())
      if (!names.has(request)) errors.push(invalid(`${at}.requests[${position}]`, request, UNKNOWN_REQUEST));
    if (!matchAttribute && !distinctAttribute) errors.push(required(`${at}.matchAttribute`));
  }
  for (const [index, config] of (claim.config ?? []).entries()) {
    for (const [position, request] of (config.requests ?? []).entries())
      if (!names.has(request)) errors.push(invalid(`${path}.config[${index}].requests[${position}]`, request, UNKNOWN_REQUEST));
    validateOpaque(errors, `${path}.config[${index}]`, config);
  }
  return errors;
}

function validateRequest(errors: FieldError[], path: string, request: ExactDeviceRequest | DeviceSubRequest): void {
  if (!request.deviceClassName) errors.push(required(`${path}.deviceClassName`));
  else report(errors, { path: `${path}.deviceClassName`, value: request.deviceClassName }, isDNS1123Subdomain(request.deviceClassName));
  validateSelectors(errors, `${path}.selectors`, request.selectors);
  const { allocationMode, count = 0 } = request;
  if (allocationMode === 'ExactCount') {
    if (count <= 0) errors.push(invalid(`${path}.count`, count, 'must be greater than zero'));
  } else if (allocationMode === 'All') {
    if (count !== 0) errors.push(invalid(`${path}.count`, count, "must not be specified when allocationMode is 'All'"));
  } else errors.push(notSupported(`${path}.allocationMode`, allocationMode ?? '', ['All', 'ExactCount']));
}

function atMost(errors: FieldError[], path: string, { list, maximum }: { list: readonly unknown[]; maximum: number }): void {
  if (list.length > maximum) errors.push(tooMany(path, list.length, maximum));
}

function validateSelectors(errors: FieldError[], path: string, selectors: readonly DeviceSelector[] | undefined): void {
  atMost(errors, path, { list: selectors ?? [], maximum: MAX_ENTRIES });
  for (const [index, { cel }] of (selectors ?? []).entries()) {
    if (!cel) errors.push(required(`${path}[${index}].cel`));
    else if (!cel.expression) errors.push(required(`${path}[${index}].cel.expression`));
    else if (cel.expression.length > MAX_EXPRESSION) errors.push(tooLong(`${path}[${index}].cel.expression`, MAX_EXPRESSION));
    else {
      const error = deviceSelectorError(cel.expression);
      if (error !== undefined) errors.push(invalid(`${path}[${index}].cel.expression`, cel.expression, error));
    }
  }
}

function validateOpaque(errors: FieldError[], path: string, { opaque }: Pick<DeviceClaimConfiguration, 'opaque'>): void {
  if (!opaque) {
    errors.push(required(path, 'exactly one of `opaque` is required'));
    return;
  }
  const driver = opaque.driver ?? '';
  if (!driver) errors.push(required(`${path}.opaque.driver`));
  report(errors, { path: `${path}.opaque.driver`, value: driver }, isDNS1123Subdomain(driver));
  if (opaque.parameters === undefined || opaque.parameters === null) errors.push(required(`${path}.opaque.parameters`));
  else if (typeof opaque.parameters !== 'object' || Array.isArray(opaque.parameters))
    errors.push(invalid(`${path}.opaque.parameters`, '<value omitted>', 'must be a valid JSON object'));
}

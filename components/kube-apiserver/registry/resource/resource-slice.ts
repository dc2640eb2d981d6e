import type { Device, DeviceAttribute, ResourceSlice, ResourceSliceSpec } from '../../../../src/api/kinds/resource-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isDNS1123Label, isDNS1123Subdomain } from '../../../../src/api/validation/content.ts';
import { duplicate, invalid, required, tooMany } from '../../../../src/api/validation/field.ts';
import type { KindRules } from '../kind-strategy.ts';
import { report } from '../validation.ts';

const MAX_DEVICES = 128;
const PLACEMENTS = ['nodeName', 'nodeSelector', 'allNodes', 'perDeviceNodeSelection'] as const;
const ONE_PLACEMENT = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';
const SEMVER = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-[\da-zA-Z.-]+)?(?:\+[\da-zA-Z.-]+)?$/;

/** kubernetes pkg/registry/resource/resourceslice */
export const resourceSliceRules: KindRules<ResourceSlice> = {
  generation: true,
  validate: ({ spec }) => validateSpec(spec),
  validateUpdate: ({ spec }, old) => {
    const errors = validateSpec(spec);
    if (spec?.driver !== old.spec?.driver) errors.push(invalid('spec.driver', spec?.driver ?? '', 'field is immutable'));
    if (spec?.nodeName !== old.spec?.nodeName) errors.push(invalid('spec.nodeName', spec?.nodeName, 'field is immutable'));
    if (spec?.pool?.name !== old.spec?.pool?.name) errors.push(invalid('spec.pool.name', spec?.pool?.name, 'field is immutable'));
    return errors;
  },
};

/** kubernetes pkg/apis/resource/validation validateResourceSliceSpec */
function validateSpec(spec: ResourceSliceSpec | undefined): FieldError[] {
  const errors: FieldError[] = [];
  const driver = spec?.driver ?? '';
  if (!driver) errors.push(required('spec.driver'));
  report(errors, { path: 'spec.driver', value: driver }, isDNS1123Subdomain(driver));
  const { name = '', generation = 0, resourceSliceCount = 0 } = spec?.pool ?? {};
  if (!name) errors.push(required('spec.pool.name'));
  else for (const part of name.split('/')) report(errors, { path: 'spec.pool.name', value: part }, isDNS1123Subdomain(part));
  if (resourceSliceCount <= 0) errors.push(invalid('spec.pool.resourceSliceCount', resourceSliceCount, 'must be greater than zero'));
  if (generation < 0) errors.push(invalid('spec.pool.generation', generation, 'must be greater than or equal to zero'));
  const given = PLACEMENTS.filter((field) => spec?.[field] !== undefined);
  if (given.length === 0) errors.push(required('spec', ONE_PLACEMENT));
  else if (given.length > 1)
    errors.push(invalid('spec', `{${given.map((field) => `\`${field}\``).join(', ')}}`, `${ONE_PLACEMENT}, but multiple fields are set`));
  validateDevices(errors, spec?.devices ?? []);
  return errors;
}

function validateDevices(errors: FieldError[], devices: readonly Device[]): void {
  if (devices.length > MAX_DEVICES) errors.push(tooMany('spec.devices', devices.length, MAX_DEVICES));
  const names = new Set<string>();
  for (const [index, { name, attributes }] of devices.entries()) {
    const path = `spec.devices[${index}]`;
    report(errors, { path: `${path}.name`, value: name ?? '' }, isDNS1123Label(name ?? ''));
    if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
    names.add(name);
    for (const [key, attribute] of Object.entries(attributes ?? {})) validateAttribute(errors, `${path}.attributes[${key}]`, attribute);
  }
}

function validateAttribute(errors: FieldError[], path: string, attribute: DeviceAttribute): void {
  const given = (['int', 'bool', 'string', 'version'] as const).filter((name) => attribute[name] !== undefined);
  if (given.length === 0) errors.push(required(path, 'exactly one value must be specified'));
  else if (given.length > 1) errors.push(invalid(path, attribute, 'exactly one value must be specified'));
  else if (attribute.version !== undefined && !SEMVER.test(attribute.version))
    errors.push(invalid(`${path}.version`, attribute.version, 'must be a string compatible with semver.org spec 2.0.0'));
}

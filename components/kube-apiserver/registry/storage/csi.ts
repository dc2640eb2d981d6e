import { semanticDeepEqual } from '../../../../src/api/deep-equal.ts';
import type { CSIDriver, CSINode, CSIStorageCapacity } from '../../../../src/api/kinds/storage-v1.ts';
import { parseQuantity } from '../../../../src/api/quantity.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isDNS1123Subdomain, isQualifiedName } from '../../../../src/api/validation/content.ts';
import { duplicate, invalid, notSupported, required } from '../../../../src/api/validation/field.ts';
import { validateDriverName } from '../core/volume-source-validation.ts';
import type { KindRules } from '../kind-strategy.ts';
import { labelSelector, nonNegative, report } from '../validation.ts';
import { setDefaultsCSIDriver } from './defaults.ts';

const IMMUTABLE = 'field is immutable';

/** kubernetes pkg/registry/storage/csidriver: no generation at first, but changes of the spec count. */
export const csiDriverRules: KindRules<CSIDriver> = {
  defaults: setDefaultsCSIDriver,
  prepareForCreate: dropUpdatePeriod,
  prepareForUpdate: (given, old) => {
    const driver = dropUpdatePeriod(given);
    if (semanticDeepEqual(driver.spec, old.spec)) return driver;
    return { ...driver, metadata: { ...driver.metadata, generation: (old.metadata.generation ?? 0) + 1 } };
  },
  validate: validateDriver,
  validateUpdate: (driver, old) => {
    const errors = validateDriver(driver);
    if (driver.spec?.attachRequired !== old.spec?.attachRequired)
      errors.push(invalid('spec.attachedRequired', driver.spec?.attachRequired, IMMUTABLE));
    if (!semanticDeepEqual(driver.spec?.volumeLifecycleModes, old.spec?.volumeLifecycleModes))
      errors.push(invalid('spec.volumeLifecycleModes', driver.spec?.volumeLifecycleModes, IMMUTABLE));
    return errors;
  },
};

/** The gate MutableCSINodeAllocatableCount is off. */
function dropUpdatePeriod(driver: CSIDriver): CSIDriver {
  if (driver.spec?.nodeAllocatableUpdatePeriodSeconds === undefined) return driver;
  const { nodeAllocatableUpdatePeriodSeconds: _, ...spec } = driver.spec;
  return { ...driver, spec };
}

/** kubernetes pkg/apis/storage/validation ValidateCSIDriver */
function validateDriver({ spec }: CSIDriver): FieldError[] {
  const errors: FieldError[] = [];
  for (const name of ['attachRequired', 'podInfoOnMount', 'storageCapacity'] as const)
    if (spec?.[name] === undefined) errors.push(required(`spec.${name}`));
  const policy = spec?.fsGroupPolicy;
  if (policy !== undefined && !['ReadWriteOnceWithFSType', 'File', 'None'].includes(policy))
    errors.push(notSupported('spec.fsGroupPolicy', policy, ['File', 'None', 'ReadWriteOnceWithFSType']));
  const audiences = new Set<string>();
  for (const [index, { audience, expirationSeconds }] of (spec?.tokenRequests ?? []).entries()) {
    const path = `spec.tokenRequests[${index}]`;
    if (audiences.has(audience)) errors.push(duplicate(`${path}.audience`, audience));
    audiences.add(audience);
    if (expirationSeconds === undefined) continue;
    if (expirationSeconds < 600)
      errors.push(invalid(`${path}.expirationSeconds`, expirationSeconds, 'may not specify a duration less than 10 minutes'));
    if (expirationSeconds > 2 ** 32)
      errors.push(invalid(`${path}.expirationSeconds`, expirationSeconds, 'may not specify a duration larger than 2^32 seconds'));
  }
  for (const mode of spec?.volumeLifecycleModes ?? [])
    if (mode !== 'Persistent' && mode !== 'Ephemeral')
      errors.push(notSupported('spec.volumeLifecycleModes', mode, ['Persistent', 'Ephemeral']));
  return errors;
}

/** kubernetes pkg/registry/storage/csinode */
export const csiNodeRules: KindRules<CSINode> = {
  validate: ({ spec }) => validateNodeDrivers(spec?.drivers ?? []),
  validateUpdate: ({ spec }, old) => {
    const errors = validateNodeDrivers(spec?.drivers ?? []);
    for (const before of old.spec?.drivers ?? []) {
      const now = spec?.drivers?.find(({ name }) => name === before.name);
      if (now && !semanticDeepEqual(now, before)) errors.push(invalid('spec.drivers', now, IMMUTABLE));
    }
    return errors;
  },
};

function validateNodeDrivers(drivers: CSINode['spec']['drivers']): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  for (const [index, { name, nodeID, topologyKeys, allocatable }] of drivers.entries()) {
    const path = `spec.drivers[${index}]`;
    validateDriverName(errors, `${path}.name`, name ?? '');
    if (!nodeID) errors.push(required(`${path}.nodeID`));
    else if (nodeID.length > 256) errors.push(invalid(`${path}.nodeID`, nodeID, 'must be 256 characters or less'));
    nonNegative(errors, `${path}.allocatable.count`, allocatable?.count);
    if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
    names.add(name);
    const keys = new Set<string>();
    for (const key of topologyKeys ?? []) {
      if (!key) errors.push(required(path));
      if (keys.has(key)) errors.push(duplicate(path, key));
      keys.add(key);
      report(errors, { path, value: key }, isQualifiedName(key));
    }
  }
  return errors;
}

/** kubernetes pkg/registry/storage/csistoragecapacity */
export const csiStorageCapacityRules: KindRules<CSIStorageCapacity> = {
  validate: validateCapacity,
  validateUpdate: (capacity, old) => {
    const errors = validateCapacity(capacity);
    if (!semanticDeepEqual(capacity.nodeTopology, old.nodeTopology)) errors.push(invalid('nodeTopology', capacity.nodeTopology, IMMUTABLE));
    if (capacity.storageClassName !== old.storageClassName) errors.push(invalid('storageClassName', capacity.storageClassName, IMMUTABLE));
    return errors;
  },
};

function validateCapacity({ nodeTopology, storageClassName, capacity, maximumVolumeSize }: CSIStorageCapacity): FieldError[] {
  const errors: FieldError[] = [];
  labelSelector(errors, 'nodeTopology', nodeTopology);
  report(errors, { path: 'storageClassName', value: storageClassName ?? '' }, isDNS1123Subdomain(storageClassName ?? ''));
  for (const [path, amount] of [
    ['capacity', capacity],
    ['maximumVolumeSize', maximumVolumeSize],
  ] as const) {
    if (amount !== undefined && parseQuantity(amount).nano < 0n) errors.push(invalid(path, amount, 'must be greater than or equal to 0'));
  }
  return errors;
}

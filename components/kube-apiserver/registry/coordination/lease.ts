import type { Lease } from '../../../../src/api/kinds/coordination-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { invalid } from '../../../../src/api/validation/field.ts';
import type { KindRules } from '../kind-strategy.ts';
import { nonNegative } from '../validation.ts';

/** The gate CoordinatedLeaderElection is off. */
function dropCoordination(lease: Lease): Lease {
  if (lease.spec?.preferredHolder === undefined && lease.spec?.strategy === undefined) return lease;
  const { preferredHolder: _holder, strategy: _strategy, ...spec } = lease.spec;
  return { ...lease, spec };
}

/** kubernetes pkg/registry/coordination/lease */
export const leaseRules: KindRules<Lease> = {
  prepareForCreate: dropCoordination,
  prepareForUpdate: dropCoordination,
  validate: ({ spec }) => {
    const errors: FieldError[] = [];
    const seconds = spec?.leaseDurationSeconds;
    if (seconds !== undefined && seconds <= 0) errors.push(invalid('spec.leaseDurationSeconds', seconds, 'must be greater than 0'));
    nonNegative(errors, 'spec.leaseTransitions', spec?.leaseTransitions);
    return errors;
  },
};

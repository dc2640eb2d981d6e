import { semanticDeepEqual } from '../../../../src/api/deep-equal.ts';
import type { Node } from '../../../../src/api/kinds/core-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isQualifiedName } from '../../../../src/api/validation/content.ts';
import { duplicate, forbidden, invalid } from '../../../../src/api/validation/field.ts';
import type { KindRules } from '../kind-strategy.ts';
import { CIDR_ERROR, isCIDR, isIPv4, report, requiredOneOf } from '../validation.ts';
import { setDefaultsNode } from './defaults.ts';
import { resourceValue } from './resources-validation.ts';
import { labelValueAtOnce, TAINT_EFFECTS } from './scheduling-validation.ts';

const UPDATE_ERROR =
  'node updates may only change labels, taints, or capacity (or configSource, if the DynamicKubeletConfig feature gate is enabled)';

/** kubernetes pkg/registry/core/node nodeStrategy: nodes register with a status. */
export const nodeRules: KindRules<Node> = {
  defaults: setDefaultsNode,
  metaTwiceOnUpdate: true,
  hasStatus: true,
  keepsStatusOnCreate: true,
  validate: validateNode,
  validateUpdate: validateNodeUpdate,
  validateStatusUpdate: ({ status }) => {
    const errors: FieldError[] = [];
    const seen = new Set<string>();
    for (const [index, { type, address }] of (status?.addresses ?? []).entries()) {
      const key = `${type}/${address}`;
      if (seen.has(key)) errors.push(duplicate(`status.addresses[${index}]`, { Type: type, Address: address }));
      seen.add(key);
    }
    return errors;
  },
};

/** kubernetes pkg/apis/core/validation ValidateNode */
function validateNode({ spec, status }: Node): FieldError[] {
  const errors: FieldError[] = [];
  validateTaints(errors, spec?.taints ?? []);
  for (const list of ['capacity', 'allocatable'] as const) {
    const amounts = status?.[list];
    for (const name in amounts) resourceValue(errors, `status.${list}[${name}]`, { name, amount: amounts[name] ?? '0' });
  }
  const cidrs = spec?.podCIDRs ?? [];
  for (const [index, cidr] of cidrs.entries()) if (!isCIDR(cidr)) errors.push(invalid(`spec.podCIDRs[${index}]`, cidr, CIDR_ERROR));
  const families = cidrs.map((cidr) => isIPv4(cidr.split('/')[0] ?? ''));
  if (cidrs.length > 1 && (cidrs.length > 2 || families[0] === families[1]))
    errors.push(invalid('spec.podCIDRs', cidrs, 'may specify no more than one CIDR for each IP family'));
  return errors;
}

/** kubernetes pkg/apis/core/validation validateNodeTaints; the real one speaks of metadata.taints. */
function validateTaints(errors: FieldError[], taints: readonly NonNullable<NonNullable<Node['spec']>['taints']>[number][]): void {
  const seen = new Set<string>();
  for (const [index, { key, value, effect }] of taints.entries()) {
    const path = `metadata.taints[${index}]`;
    report(errors, { path: `${path}.key`, value: key ?? '' }, isQualifiedName(key ?? ''));
    labelValueAtOnce(errors, `${path}.value`, value ?? '');
    requiredOneOf(errors, { path: `${path}.effect`, value: effect }, TAINT_EFFECTS);
    const identity = `${key}:${effect}`;
    if (seen.has(identity)) {
      const error = duplicate(path, { Key: key, Value: value ?? '', Effect: effect, TimeAdded: null });
      errors.push({ ...error, body: `${error.body}: taints must be unique by key and effect pair` });
    }
    seen.add(identity);
  }
}

/** kubernetes pkg/apis/core/validation ValidateNodeUpdate */
function validateNodeUpdate(node: Node, old: Node): FieldError[] {
  const errors = validateNode(node);
  const spec = node.spec ?? {};
  const before = old.spec ?? {};
  if (before.podCIDRs?.length && !semanticDeepEqual(before.podCIDRs, spec.podCIDRs))
    errors.push(forbidden('spec.podCIDRs', 'node updates may not change podCIDR except from "" to valid'));
  if (before.providerID && before.providerID !== spec.providerID)
    errors.push(forbidden('spec.providerID', 'node updates may not change providerID except from "" to valid'));
  const rest = ({
    taints: _1,
    unschedulable: _2,
    podCIDR: _3,
    podCIDRs: _4,
    providerID: _5,
    configSource: _6,
    ...others
  }: NonNullable<Node['spec']>): object => others;
  if (!semanticDeepEqual(rest(spec), rest(before))) errors.push(forbidden('', UPDATE_ERROR));
  return errors;
}

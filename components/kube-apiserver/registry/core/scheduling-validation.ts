import type { Toleration, TopologySpreadConstraint } from '../../../../src/api/kinds/core-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isQualifiedName, isValidLabelValue } from '../../../../src/api/validation/content.ts';
import { duplicate, forbidden, invalid, notSupported, required } from '../../../../src/api/validation/field.ts';
import { labelSelector, oneOf, report } from '../validation.ts';

export const TAINT_EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** kubernetes pkg/apis/core/validation ValidateTolerations */
export function validateTolerations(errors: FieldError[], path: string, tolerations: readonly Toleration[] | undefined): void {
  if (!tolerations) return;
  for (const [index, { key, operator, value, effect, tolerationSeconds }] of tolerations.entries()) {
    const at = `${path}[${index}]`;
    if (key) report(errors, { path: `${at}.key`, value: key }, isQualifiedName(key));
    if (!key && operator !== 'Exists') {
      errors.push(
        invalid(
          `${at}.operator`,
          operator ?? '',
          'operator must be Exists when `key` is empty, which means "match all values and all keys"',
        ),
      );
    }
    if (tolerationSeconds !== undefined && effect !== 'NoExecute')
      errors.push(invalid(`${at}.effect`, effect ?? '', "effect must be 'NoExecute' when `tolerationSeconds` is set"));
    if (!operator || operator === 'Equal') labelValueAtOnce(errors, `${at}.operator`, value ?? '');
    else if (operator === 'Exists') {
      if (value) errors.push(invalid(`${at}.operator`, value, "value must be empty when `operator` is 'Exists'"));
    } else errors.push(notSupported(`${at}.operator`, operator, ['Equal', 'Exists']));
    if (effect) oneOf(errors, { path: `${at}.effect`, value: effect }, TAINT_EFFECTS);
  }
}

/** The value of a toleration or taint: all that is wrong with it in one finding. */
export function labelValueAtOnce(errors: FieldError[], path: string, value: string): void {
  const messages = isValidLabelValue(value);
  if (messages.length > 0) errors.push(invalid(path, value, messages.join(';')));
}

/** kubernetes pkg/apis/core/validation validateTopologySpreadConstraints */
export function validateTopologySpreadConstraints(
  errors: FieldError[],
  path: string,
  { constraints, labels }: { constraints: readonly TopologySpreadConstraint[] | undefined; labels: Readonly<Record<string, string>> },
): void {
  if (!constraints) return;
  for (const [index, constraint] of constraints.entries()) {
    const at = `${path}[${index}]`;
    const { maxSkew, topologyKey, whenUnsatisfiable, minDomains } = constraint;
    if (maxSkew <= 0) errors.push(invalid(`${at}.maxSkew`, maxSkew, 'must be greater than zero'));
    if (!topologyKey) errors.push(required(`${at}.topologyKey`, 'can not be empty'));
    if (whenUnsatisfiable !== 'DoNotSchedule' && whenUnsatisfiable !== 'ScheduleAnyway')
      errors.push(notSupported(`${at}.whenUnsatisfiable`, whenUnsatisfiable ?? '', ['DoNotSchedule', 'ScheduleAnyway']));
    // One finding for each later twin, on the earlier one.
    for (const later of constraints.slice(index + 1)) {
      if (later.topologyKey === topologyKey && later.whenUnsatisfiable === whenUnsatisfiable) {
        errors.push(duplicate(`${at}.{topologyKey, whenUnsatisfiable}`, `{${topologyKey}, ${whenUnsatisfiable}}`));
        break;
      }
    }
    if (minDomains !== undefined) {
      if (minDomains <= 0) errors.push(invalid(`${at}.minDomains`, minDomains, 'must be greater than zero'));
      if (whenUnsatisfiable !== 'DoNotSchedule')
        errors.push(
          invalid(`${at}.minDomains`, minDomains, `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`),
        );
    }
    oneOf(errors, { path: `${at}.nodeAffinityPolicy`, value: constraint.nodeAffinityPolicy }, ['Honor', 'Ignore']);
    oneOf(errors, { path: `${at}.nodeTaintsPolicy`, value: constraint.nodeTaintsPolicy }, ['Honor', 'Ignore']);
    validateMatchLabelKeys(errors, at, { constraint, labels });
    labelSelector(errors, `${at}.labelSelector`, constraint.labelSelector);
  }
}

/** kubernetes pkg/apis/core/validation validateMatchLabelKeysInTopologySpread; the path of the last finding is the real one's. */
function validateMatchLabelKeys(
  errors: FieldError[],
  path: string,
  { constraint, labels }: { constraint: TopologySpreadConstraint; labels: Readonly<Record<string, string>> },
): void {
  const { matchLabelKeys, labelSelector: selector } = constraint;
  if (!matchLabelKeys?.length) return;
  if (!selector) {
    errors.push(forbidden(`${path}.matchLabelKeys`, 'must not be specified when labelSelector is not set'));
    return;
  }
  for (const [index, key] of matchLabelKeys.entries()) {
    report(errors, { path: `${path}.matchLabelKeys[${index}]`, value: key }, isQualifiedName(key));
    // Merged keys have become an expression with the one value of the pod's own label.
    const selected =
      (selector.matchExpressions ?? []).some(
        (expression) => expression.key === key && (expression.operator !== 'In' || expression.values?.length !== 1),
      ) || Object.hasOwn(selector.matchLabels ?? {}, key);
    if (selected && labels[key] !== undefined)
      errors.push(invalid(`${path}[${index}]`, key, 'exists in both matchLabelKeys and labelSelector'));
  }
}

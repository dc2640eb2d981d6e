import type { LimitRange, LimitRangeItem } from '../../../../src/api/kinds/core-v1.ts';
import { parseQuantity } from '../../../../src/api/quantity.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isQualifiedName } from '../../../../src/api/validation/content.ts';
import { duplicate, forbidden, invalid, required } from '../../../../src/api/validation/field.ts';
import type { KindRules } from '../kind-strategy.ts';
import { report } from '../validation.ts';
import { setDefaultsLimitRange } from './defaults.ts';
import { containerResourceName, resourceName } from './resources-validation.ts';

const TYPES = new Set(['Pod', 'Container', 'PersistentVolumeClaim']);

/** kubernetes pkg/registry/core/limitrange */
export const limitRangeRules: KindRules<LimitRange> = { defaults: setDefaultsLimitRange, validate: validateLimitRange };

/** kubernetes pkg/apis/core/validation ValidateLimitRange */
function validateLimitRange({ spec }: LimitRange): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, item] of (spec?.limits ?? []).entries()) {
    const path = `spec.limits[${index}]`;
    const type = item.type ?? '';
    report(errors, { path: `${path}.type`, value: type }, isQualifiedName(type));
    if (isQualifiedName(type).length === 0 && !type.includes('/') && !TYPES.has(type))
      errors.push(invalid(`${path}.type`, type, 'must be a standard limit type or fully qualified'));
    if (seen.has(type)) errors.push(duplicate(`${path}.type`, type));
    seen.add(type);
    validateItem(errors, path, item);
  }
  return errors;
}

function validateItem(errors: FieldError[], path: string, item: LimitRangeItem): void {
  for (const list of ['max', 'min'] as const)
    for (const name in item[list]) checkName(errors, `${path}.${list}[${name}]`, { type: item.type, name });
  if (item.type === 'Pod') {
    if (Object.keys(item.default ?? {}).length > 0) errors.push(forbidden(`${path}.default`, "may not be specified when `type` is 'Pod'"));
    if (Object.keys(item.defaultRequest ?? {}).length > 0)
      errors.push(forbidden(`${path}.defaultRequest`, "may not be specified when `type` is 'Pod'"));
  } else {
    for (const list of ['default', 'defaultRequest'] as const)
      for (const name in item[list]) checkName(errors, `${path}.${list}[${name}]`, { type: item.type, name });
  }
  if (item.type === 'PersistentVolumeClaim' && item.min?.storage === undefined && item.max?.storage === undefined) {
    errors.push(required(`${path}.limits`, 'either minimum or maximum storage value is required, but neither was provided'));
  }
  for (const name in item.maxLimitRequestRatio) checkName(errors, `${path}.maxLimitRequestRatio[${name}]`, { type: item.type, name });
  const names = new Set(
    [item.max, item.min, item.default, item.defaultRequest, item.maxLimitRequestRatio].flatMap((list) => Object.keys(list ?? {})),
  );
  for (const name of names) compareAmounts(errors, path, { item, name });
}

function checkName(errors: FieldError[], path: string, { type, name }: { type: string; name: string }): void {
  if (type === 'Container' || type === 'Pod') containerResourceName(errors, path, name);
  else resourceName(errors, path, name);
}

/** The order of min, default request, default and max; texts and fields as in the real one. */
function compareAmounts(errors: FieldError[], path: string, { item, name }: { item: LimitRangeItem; name: string }): void {
  const min = item.min?.[name];
  const max = item.max?.[name];
  const limit = item.default?.[name];
  const request = item.defaultRequest?.[name];
  const ratio = item.maxLimitRequestRatio?.[name];
  const above = (a: string | undefined, b: string | undefined): boolean =>
    a !== undefined && b !== undefined && parseQuantity(a).compare(parseQuantity(b)) > 0;
  const say = (list: string, value: string | undefined, text: string): void =>
    void errors.push(invalid(`${path}.${list}[${name}]`, value, text));
  if (above(min, max)) say('min', min, `min value ${min} is greater than max value ${max}`);
  if (above(min, request)) say('defaultRequest', request, `min value ${min} is greater than default request value ${request}`);
  if (above(request, max)) say('defaultRequest', request, `default request value ${request} is greater than max value ${max}`);
  if (above(request, limit))
    say('defaultRequest', request, `default request value ${request} is greater than default limit value ${limit}`);
  if (above(min, limit)) say('default', min, `min value ${min} is greater than default value ${limit}`);
  if (above(limit, max)) say('default', max, `default value ${limit} is greater than max value ${max}`);
  if (ratio !== undefined) checkRatio(errors, `${path}.maxLimitRequestRatio[${name}]`, { ratio, min, max });
}

function checkRatio(
  errors: FieldError[],
  path: string,
  { ratio, min, max }: { ratio: string; min: string | undefined; max: string | undefined },
): void {
  const value = parseQuantity(ratio).approximate();
  if (value < 1) errors.push(invalid(path, ratio, `ratio ${ratio} is less than 1`));
  if (min === undefined || max === undefined) return;
  const largest = parseQuantity(max).approximate() / parseQuantity(min).approximate();
  if (value > largest) errors.push(invalid(path, ratio, `ratio ${ratio} is greater than max/min = ${largest.toFixed(6)}`));
}

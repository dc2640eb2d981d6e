import { base64Length } from '../../../../src/api/base64.ts';
import { semanticDeepEqual } from '../../../../src/api/deep-equal.ts';
import type { ConfigMap } from '../../../../src/api/kinds/core-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isConfigMapKey } from '../../../../src/api/validation/content.ts';
import { forbidden, invalid, tooLong } from '../../../../src/api/validation/field.ts';
import { byteLength } from '../../../../src/api/validation/object-meta.ts';
import type { KindRules } from '../kind-strategy.ts';
import { report } from '../validation.ts';

const MAX_SIZE = 1_048_576;

/** kubernetes pkg/registry/core/configmap */
export const configMapRules: KindRules<ConfigMap> = {
  metaTwiceOnUpdate: true,
  validate: validateConfigMap,
  validateUpdate: (map, old) => {
    const errors: FieldError[] = [];
    validateImmutableData(errors, map, old);
    return [...errors, ...validateConfigMap(map)];
  },
};

/** kubernetes pkg/apis/core/validation ValidateConfigMap */
function validateConfigMap({ data, binaryData }: ConfigMap): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const key in data) {
    report(errors, { path: `data[${key}]`, value: key }, isConfigMapKey(key));
    if (binaryData && Object.hasOwn(binaryData, key)) errors.push(invalid(`data[${key}]`, key, 'duplicate of key present in binaryData'));
    size += byteLength(data[key] ?? '');
  }
  for (const key in binaryData) {
    report(errors, { path: `binaryData[${key}]`, value: key }, isConfigMapKey(key));
    size += base64Length(binaryData[key] ?? '');
  }
  if (size > MAX_SIZE) errors.push(tooLong('[]', MAX_SIZE));
  return errors;
}

interface Immutable {
  readonly immutable?: boolean;
  readonly data?: Record<string, string>;
  readonly binaryData?: Record<string, string>;
}

/** What ConfigMaps and Secrets that are immutable refuse. */
export function validateImmutableData(errors: FieldError[], now: Immutable, old: Immutable): void {
  if (!old.immutable) return;
  const text = 'field is immutable when `immutable` is set';
  if (!now.immutable) errors.push(forbidden('immutable', text));
  if (!semanticDeepEqual(now.data, old.data)) errors.push(forbidden('data', text));
  if (!semanticDeepEqual(now.binaryData, old.binaryData)) errors.push(forbidden('binaryData', text));
}

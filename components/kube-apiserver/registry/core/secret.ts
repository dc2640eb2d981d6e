import { base64Length } from '../../../../src/api/base64.ts';
import { JsonSyntaxError, parseJson } from '../../../../src/api/json-text.ts';
import type { Secret } from '../../../../src/api/kinds/core-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isConfigMapKey } from '../../../../src/api/validation/content.ts';
import { invalid, required, tooLong } from '../../../../src/api/validation/field.ts';
import { validateImmutableField } from '../../../../src/api/validation/object-meta.ts';
import type { KindRules } from '../kind-strategy.ts';
import { report } from '../validation.ts';
import { validateImmutableData } from './config-map.ts';
import { setDefaultsSecret } from './defaults.ts';

const MAX_SIZE = 1_048_576;
const REDACTED = '<secret contents redacted>';

/** kubernetes pkg/registry/core/secret */
export const secretRules: KindRules<Secret> = {
  defaults: setDefaultsSecret,
  metaTwiceOnUpdate: true,
  warnings: tlsWarnings,
  validate: validateSecret,
  validateUpdate: (secret, old) => {
    const errors: FieldError[] = [...validateImmutableField(secret.type ?? '', old.type ?? '', 'type')];
    validateImmutableData(errors, secret, old);
    return [...errors, ...validateSecret(secret)];
  },
};

/** kubernetes pkg/api/secret warningsForSecret; a certificate that does not fit its key is not noticed. */
function tlsWarnings({ type, data }: Secret): string[] {
  if (type !== 'kubernetes.io/tls') return [];
  for (const [key, what] of [
    ['tls.crt', 'certificate'],
    ['tls.key', 'key'],
  ] as const) {
    if (!atob(data?.[key] ?? '').includes('-----BEGIN ')) return [`tls: failed to find any PEM data in ${what} input`];
  }
  return [];
}

/** kubernetes pkg/apis/core/validation ValidateSecret */
function validateSecret(secret: Secret): FieldError[] {
  const errors: FieldError[] = [];
  const data = secret.data ?? {};
  let size = 0;
  for (const key in data) {
    report(errors, { path: `data[${key}]`, value: key }, isConfigMapKey(key));
    size += base64Length(data[key] ?? '');
  }
  if (size > MAX_SIZE) errors.push(tooLong('data', MAX_SIZE));
  const has = (key: string): boolean => Object.hasOwn(data, key);
  switch (secret.type) {
    case 'kubernetes.io/service-account-token':
      if (!secret.metadata.annotations?.['kubernetes.io/service-account.name'])
        errors.push(required('metadata.annotations[kubernetes.io/service-account.name]'));
      break;
    case 'kubernetes.io/dockercfg':
      jsonValue(errors, data, '.dockercfg');
      break;
    case 'kubernetes.io/dockerconfigjson':
      jsonValue(errors, data, '.dockerconfigjson');
      break;
    case 'kubernetes.io/basic-auth':
      if (!has('username') && !has('password')) errors.push(required('data[username]'), required('data[password]'));
      break;
    case 'kubernetes.io/ssh-auth':
      if (!data['ssh-privatekey']) errors.push(required('data[ssh-privatekey]'));
      break;
    case 'kubernetes.io/tls':
      for (const key of ['tls.crt', 'tls.key']) if (!has(key)) errors.push(required(`data[${key}]`));
      break;
  }
  return errors;
}

function jsonValue(errors: FieldError[], data: Readonly<Record<string, string>>, key: string): void {
  const value = data[key];
  if (value === undefined) {
    errors.push(required(`data[${key}]`));
    return;
  }
  try {
    const content = parseJson(new TextDecoder().decode(Uint8Array.from(atob(value), (char) => char.charCodeAt(0))));
    const kind = Array.isArray(content) ? 'array' : typeof content === 'boolean' ? 'bool' : typeof content;
    if (kind === 'object') return;
    errors.push(invalid(`data[${key}]`, REDACTED, `json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`));
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    errors.push(invalid(`data[${key}]`, REDACTED, error.message));
  }
}

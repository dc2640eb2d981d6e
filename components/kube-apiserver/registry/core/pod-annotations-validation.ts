import type { PodSpec, PodTemplateSpec } from '../../../../src/api/kinds/core-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { invalid, quote } from '../../../../src/api/validation/field.ts';
import { localDescendingPath } from '../validation.ts';

const SECCOMP_POD = 'seccomp.security.alpha.kubernetes.io/pod';
const SECCOMP_CONTAINER = 'container.seccomp.security.alpha.kubernetes.io/';

/** Annotations that chose AppArmor profiles before there was a field. */
export const APP_ARMOR = 'container.apparmor.security.beta.kubernetes.io/';

/** kubernetes pkg/apis/core/validation ValidatePodSpecificAnnotations */
export function validatePodAnnotations(
  errors: FieldError[],
  path: string,
  { metadata, spec }: Pick<PodTemplateSpec, 'metadata' | 'spec'>,
): void {
  const annotations = metadata?.annotations;
  if (!annotations) return;
  const mirror = annotations['kubernetes.io/config.mirror'];
  if (mirror !== undefined && !spec?.nodeName)
    errors.push(invalid(`${path}[kubernetes.io/config.mirror]`, mirror, 'must set spec.nodeName if mirror pod annotation is set'));
  const cost = annotations['controller.kubernetes.io/pod-deletion-cost'];
  if (cost !== undefined && !isDeletionCost(cost))
    errors.push(invalid(`${path}[controller.kubernetes.io/pod-deletion-cost]`, cost, 'must be a 32bit integer'));
  const tolerations = annotations['scheduler.alpha.kubernetes.io/tolerations'];
  if (tolerations) alphaTolerations(errors, path, tolerations);
  for (const key in annotations) {
    const value = annotations[key] ?? '';
    if (key.startsWith(APP_ARMOR)) appArmorAnnotation(errors, path, { key, value, spec });
    else if (key === SECCOMP_POD || key.startsWith(SECCOMP_CONTAINER)) seccompAnnotation(errors, `${path}.${key}`, value);
  }
}

/** kubernetes pkg/apis/core/validation ValidateAppArmorPodAnnotations */
function appArmorAnnotation(
  errors: FieldError[],
  path: string,
  { key, value, spec }: { key: string; value: string; spec: PodSpec | undefined },
): void {
  const name = key.slice(APP_ARMOR.length);
  const known = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].some((container) => container.name === name);
  if (!known) errors.push(invalid(`${path}[${key}]`, name, 'container not found'));
  if (value !== '' && value !== 'runtime/default' && value !== 'unconfined' && !value.startsWith('localhost/'))
    errors.push(invalid(`${path}[${key}]`, value, `invalid AppArmor profile name: ${quote(value)}`));
}

/** kubernetes pkg/apis/core/validation ValidateSeccompProfile: annotations of old that mean nothing any more are still checked. */
function seccompAnnotation(errors: FieldError[], path: string, profile: string): void {
  if (profile === 'runtime/default' || profile === 'docker/default' || profile === 'unconfined') return;
  if (profile.startsWith('localhost/')) localDescendingPath(errors, path, profile.slice('localhost/'.length));
  else errors.push(invalid(path, profile, 'must be a valid seccomp profile'));
}

function isDeletionCost(text: string): boolean {
  if (!/^-?\d+$/.test(text) || (text.startsWith('0') && text !== '0')) return false;
  return Number(text) >= -(2 ** 31) && Number(text) < 2 ** 31;
}

function alphaTolerations(errors: FieldError[], path: string, text: string): void {
  try {
    JSON.parse(text);
  } catch {
    const first = text.trim()[0] ?? '';
    errors.push(
      invalid(
        path,
        'scheduler.alpha.kubernetes.io/tolerations',
        first ? `invalid character '${first}' looking for beginning of value` : 'unexpected end of JSON input',
      ),
    );
  }
}

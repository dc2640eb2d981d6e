import type { EphemeralContainer } from '../../../../src/api/kinds/core-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { duplicate, forbidden, notFound } from '../../../../src/api/validation/field.ts';
import { type ContainerContext, unpaddedImage, validateContainer } from './container-validation.ts';

const NOT_FOR_EPHEMERAL = ['ports', 'livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle', 'resources', 'resizePolicy'] as const;

/** kubernetes pkg/apis/core/validation validateEphemeralContainers */
export function validateEphemeralContainers(errors: FieldError[], { path, spec, volumes }: ContainerContext): void {
  if (!spec.ephemeralContainers?.length) return;
  const names = new Set([...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ name }) => name));
  const targets = new Set(names);
  for (const [index, container] of spec.ephemeralContainers.entries()) {
    const at = `${path}[${index}]`;
    validateContainer(errors, container, { path: at, spec, volumes });
    unpaddedImage(errors, `${at}.image`, container.image);
    if (names.has(container.name)) errors.push(duplicate(`${at}.name`, container.name));
    names.add(container.name);
    if (container.targetContainerName && !targets.has(container.targetContainerName))
      errors.push(notFound(`${at}.targetContainerName`, container.targetContainerName));
    notForEphemeral(errors, at, container);
  }
}

function notForEphemeral(errors: FieldError[], path: string, container: EphemeralContainer): void {
  const text = 'cannot be set for an Ephemeral Container';
  for (const name of NOT_FOR_EPHEMERAL) {
    const value = container[name];
    const given = Array.isArray(value) ? value.length > 0 : value !== undefined && Object.keys(value).length > 0;
    if (given) errors.push(forbidden(`${path}.${name}`, text));
  }
  for (const [index, mount] of (container.volumeMounts ?? []).entries()) {
    if (mount.subPath) errors.push(forbidden(`${path}.volumeMounts[${index}].subPath`, text));
    if (mount.subPathExpr) errors.push(forbidden(`${path}.volumeMounts[${index}].subPathExpr`, text));
  }
}

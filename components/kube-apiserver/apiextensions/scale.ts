import type { Scale } from '../../../src/api/kinds/autoscaling-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { ApiStatusError } from '../../../src/api/status-error.ts';
import type { CustomResourceVersion } from './custom-resource-version.ts';
import { fieldNames, findByPath, parseJsonPath, withValueAt } from './json-path.ts';

/** A custom resource as a Scale. apiextensions-apiserver pkg/registry/customresource.scaleFromCustomResource */
export function customScaleOf(version: CustomResourceVersion, object: KubernetesObject): Scale {
  const { specReplicasPath = '', statusReplicasPath = '', labelSelectorPath } = version.version.subresources?.scale ?? {};
  const at = (path: string): unknown => findByPath(object, parseJsonPath(path) ?? [])[0];
  const replicas = at(specReplicasPath);
  if (typeof replicas !== 'number') {
    const message = `the spec replicas field "${specReplicasPath}" does not exist`;
    throw new ApiStatusError({
      message: `Internal error occurred: ${message}`,
      reason: 'InternalError',
      details: { causes: [{ message }] },
      code: 500,
    });
  }
  const current = at(statusReplicasPath);
  const selector = labelSelectorPath ? at(labelSelectorPath) : undefined;
  const { name = '', namespace = '', uid, resourceVersion, creationTimestamp } = object.metadata;
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      name,
      ...(namespace ? { namespace } : {}),
      ...(uid ? { uid } : {}),
      ...(resourceVersion ? { resourceVersion } : {}),
      ...(creationTimestamp ? { creationTimestamp } : {}),
    },
    spec: replicas ? { replicas } : {},
    status: { replicas: typeof current === 'number' ? current : 0, ...(typeof selector === 'string' && selector ? { selector } : {}) },
  };
}

/** The custom resource with other replicas. */
export function withCustomReplicas<T extends KubernetesObject>(version: CustomResourceVersion, object: T, replicas: number): T {
  return withValueAt(object, fieldNames(version.version.subresources?.scale?.specReplicasPath ?? '') ?? [], replicas);
}

import type { ParamRef, ValidatingAdmissionPolicy } from '../../../../src/api/kinds/admissionregistration-v1.ts';
import { labelSelectorAsSelector } from '../../../../src/api/label-selector.ts';
import { parseGroupVersion } from '../../../../src/api/meta.ts';
import type { KubernetesObject } from '../../../../src/api/object.ts';
import type { Resource } from '../../../../src/api/resource.ts';
import type { ServerCore } from '../../server-core.ts';
import { conversionOf } from '../../storage/conversion.ts';
import type { AdmissionAttributes } from '../chain.ts';

type ParamKind = NonNullable<NonNullable<ValidatingAdmissionPolicy['spec']>['paramKind']>;

/** The objects that a policy is evaluated with, one after another; undefined stands for none. */
export type Params = { readonly params: readonly (KubernetesObject | undefined)[]; readonly error?: string };

/** apiserver pkg/admission/plugin/policy/generic.CollectParams */
export function collectParams(attributes: AdmissionAttributes, paramKind: ParamKind | undefined, paramRef: ParamRef | undefined): Params {
  if (!paramKind) return { params: [undefined] };
  const { server, namespace } = attributes.context;
  const resource = resourceOfKind(server, paramKind);
  const { apiVersion = '', kind = '' } = paramKind;
  if (!resource) return { params: [], error: `failed to find resource referenced by paramKind: '${apiVersion}, Kind=${kind}'` };
  if (!paramRef) return { params: [undefined] };
  const place = resource.namespaced ? (paramRef.namespace ?? namespace) : '';
  if (resource.namespaced && !place)
    return { params: [], error: 'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources' };
  if (!resource.namespaced && paramRef.namespace)
    return { params: [], error: 'paramRef.namespace must not be provided for a cluster-scoped `paramKind`' };
  const found = findParams(server, resource, { ref: paramRef, namespace: place });
  if (found.length > 0) return { params: found };
  return paramRef.parameterNotFoundAction === 'Deny'
    ? { params: [], error: 'no params found for policy binding with `Deny` parameterNotFoundAction' }
    : { params: [] };
}

function resourceOfKind(server: ServerCore, { apiVersion = '', kind }: ParamKind): Resource | undefined {
  const { group, version } = parseGroupVersion(apiVersion);
  for (const resource of server.resources()) {
    if (resource.kind === kind && resource.group === group && resource.version === version) return resource;
  }
  return undefined;
}

function findParams(server: ServerCore, resource: Resource, { ref, namespace }: { ref: ParamRef; namespace: string }): KubernetesObject[] {
  const storage = server.storage(resource);
  const conversion = conversionOf(resource);
  const present = (object: KubernetesObject): KubernetesObject => conversion?.fromStorage(object) ?? object;
  if (ref.name) {
    const object = storage.get(namespace, ref.name);
    return object ? [present(object)] : [];
  }
  const selector = labelSelectorAsSelector(ref.selector ?? {});
  return storage
    .list(namespace)
    .filter(({ metadata }) => selector.matches(metadata.labels))
    .map(present);
}

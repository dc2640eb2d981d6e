import { BOOL, type CelType, DYN, listOf, mapOf, type ObjectType, opaque, STRING } from './cel-type.ts';
import { typeOfKind } from './kind-type.ts';
import { AUTHORIZER, RESOURCE_CHECK } from './library/authorizer.ts';

function objectType(name: string, fields: Readonly<Record<string, CelType>>): ObjectType {
  return { kind: 'object', name, field: (field) => (Object.hasOwn(fields, field) ? fields[field] : undefined) };
}

const GVK = objectType('kubernetes.GroupVersionKind', { group: STRING, version: STRING, kind: STRING });
const GVR = objectType('kubernetes.GroupVersionResource', { group: STRING, version: STRING, resource: STRING });
const USER_INFO = objectType('kubernetes.UserInfo', {
  username: STRING,
  uid: STRING,
  groups: listOf(STRING),
  extra: mapOf(STRING, listOf(STRING)),
});

/** apiserver pkg/admission/plugin/cel.BuildRequestType */
const REQUEST = objectType('kubernetes.AdmissionRequest', {
  kind: GVK,
  resource: GVR,
  subResource: STRING,
  requestKind: GVK,
  requestResource: GVR,
  requestSubResource: STRING,
  name: STRING,
  namespace: STRING,
  operation: STRING,
  userInfo: USER_INFO,
  dryRun: BOOL,
  options: DYN,
});

/** What an expression about a request may name, besides what is always there. */
export interface AdmissionVariables {
  readonly params: boolean;
  readonly authorizer: boolean;
  /** `variables.x`, by name; absent where there are none. */
  readonly composed?: ReadonlyMap<string, CelType>;
  /** The types of objects, where they are known. */
  readonly object?: CelType;
  readonly paramsType?: CelType;
}

/** The variables of expressions about requests. apiserver pkg/admission/plugin/cel.mustBuildEnvs */
export function admissionVariables({ params, authorizer, composed, object, paramsType }: AdmissionVariables): Map<string, CelType> {
  const variables = new Map<string, CelType>([
    ['object', object ?? DYN],
    ['oldObject', object ?? DYN],
    ['request', REQUEST],
    ['namespaceObject', typeOfKind('v1', 'Namespace') ?? DYN],
  ]);
  if (params) variables.set('params', paramsType ?? DYN);
  if (authorizer) {
    variables.set('authorizer', opaque(AUTHORIZER));
    variables.set('authorizer.requestResource', opaque(RESOURCE_CHECK));
  }
  if (composed) variables.set('variables', { kind: 'object', name: 'kubernetes.variables', field: (name) => composed.get(name) });
  return variables;
}

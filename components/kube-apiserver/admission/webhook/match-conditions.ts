import { compile, type Program } from '../../../../src/api/cel/environment.ts';
import { jsonValue } from '../../../../src/api/cel/json-value.ts';
import { AUTHORIZER, AuthorizerValue, RESOURCE_CHECK } from '../../../../src/api/cel/library/authorizer.ts';
import { BOOL, type CelType, DYN, listOf, mapOf, type ObjectType, opaque, STRING } from '../../../../src/api/cel/types.ts';
import { CelError, type Value } from '../../../../src/api/cel/values.ts';
import type { Resource } from '../../../../src/api/resource.ts';
import { newForbidden } from '../../../../src/api/status-error.ts';
import type { AdmissionAttributes } from '../chain.ts';
import { admissionRequest } from './review.ts';
import type { Hook } from './webhook-configurations.ts';

const struct = (name: string, fields: Readonly<Record<string, CelType>>): ObjectType => ({
  kind: 'object',
  name,
  field: (field) => (Object.hasOwn(fields, field) ? fields[field] : undefined),
});

const KIND = struct('kubernetes.GroupVersionKind', { group: STRING, version: STRING, kind: STRING });
const RESOURCE = struct('kubernetes.GroupVersionResource', { group: STRING, version: STRING, resource: STRING });
const USER = struct('kubernetes.UserInfo', { username: STRING, uid: STRING, groups: listOf(STRING), extra: mapOf(STRING, listOf(STRING)) });

/** apiserver pkg/admission/plugin/cel.BuildRequestType */
const REQUEST = struct('kubernetes.AdmissionRequest', {
  kind: KIND,
  resource: RESOURCE,
  subResource: STRING,
  requestKind: KIND,
  requestResource: RESOURCE,
  requestSubResource: STRING,
  name: STRING,
  namespace: STRING,
  operation: STRING,
  userInfo: USER,
  dryRun: BOOL,
  options: DYN,
});

const AUTHORIZER_TYPE: CelType = opaque(AUTHORIZER);

const VARIABLES: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ['object', DYN],
  ['oldObject', DYN],
  ['request', REQUEST],
  ['authorizer', AUTHORIZER_TYPE],
  ['authorizer.requestResource', opaque(RESOURCE_CHECK)],
]);

type Compiled = { readonly program: Program; readonly error?: undefined } | { readonly program?: undefined; readonly error: string };

const programs = new Map<string, Compiled>();
const MAX_PROGRAMS = 1_000;

/** A match condition, compiled; or what is wrong with it. */
export function compileMatchCondition(expression: string): Compiled {
  const known = programs.get(expression);
  if (known) return known;
  const compiled = compile(expression, VARIABLES);
  const result = resultOf(compiled);
  if (programs.size >= MAX_PROGRAMS) programs.clear();
  programs.set(expression, result);
  return result;
}

function resultOf({ program, error }: ReturnType<typeof compile>): Compiled {
  if (!program) return { error: `compilation failed: ${error ?? ''}` };
  return program.type.kind === 'bool' || program.type.kind === 'dyn' ? { program } : { error: 'must evaluate to bool' };
}

/**
 * Whether the match conditions of a webhook hold. One that is false counts more than one that fails.
 * apiserver pkg/admission/plugin/webhook/matchconditions.matcher.Match
 * @throws ApiStatusError when one fails, and failures count
 */
export function conditionsHold({ webhook }: Hook, attributes: AdmissionAttributes, asked: Resource): boolean {
  const { matchConditions = [], failurePolicy } = webhook;
  if (matchConditions.length === 0) return true;
  const variable = variablesOf(attributes, asked);
  const errors: string[] = [];
  for (const { expression } of matchConditions) {
    const result = evaluate(expression, variable);
    if (result === false) return false;
    if (result !== true) errors.push(result);
  }
  if (errors.length === 0) return true;
  if (failurePolicy === 'Ignore') return false;
  const { context, name } = attributes;
  throw newForbidden(context.resource, name, errors.length === 1 ? (errors[0] ?? '') : `[${errors.join(', ')}]`);
}

/** Whether an expression holds, or why that cannot be said. */
function evaluate(expression: string, variable: (name: string) => Value | undefined): boolean | string {
  const { program, error } = compileMatchCondition(expression);
  if (!program) return error;
  try {
    return program.evaluate(variable).value === true;
  } catch (failure) {
    if (failure instanceof CelError) return `expression '${expression}' resulted in error: ${failure.message}`;
    throw failure;
  }
}

function variablesOf(attributes: AdmissionAttributes, asked: Resource): (name: string) => Value | undefined {
  const { object, oldObject, ...rest } = admissionRequest(attributes, asked);
  const values = new Map<string, Value>();
  const make = (name: string): Value | undefined => {
    if (name === 'object') return jsonValue(object);
    if (name === 'oldObject') return jsonValue(oldObject);
    if (name === 'request') return jsonValue(rest);
    return name === 'authorizer' || name === 'authorizer.requestResource' ? authorizerOf(attributes, name) : undefined;
  };
  return (name) => {
    const known = values.get(name);
    if (known !== undefined) return known;
    const value = make(name);
    if (value !== undefined) values.set(name, value);
    return value;
  };
}

/** apiserver pkg/cel/library Authz: what the user of the request may do. */
function authorizerOf({ context, name: objectName }: AdmissionAttributes, name: string): AuthorizerValue {
  const { server, user, resource, subresource, namespace } = context;
  const root = new AuthorizerValue(AUTHORIZER, (query, verb) => {
    const { serviceAccount, path = '' } = query;
    const asking = serviceAccount
      ? {
          username: `system:serviceaccount:${serviceAccount.namespace}:${serviceAccount.name}`,
          groups: serviceAccountGroups(serviceAccount.namespace),
        }
      : user;
    const { decision, reason } = server.authorizer.authorize({
      isResourceRequest: query.path === undefined,
      verb,
      path,
      group: query.group ?? '',
      version: '*',
      resource: query.resource ?? '',
      subresource: query.subresource ?? '',
      namespace: query.namespace ?? '',
      name: query.name ?? '',
      user: asking,
      fieldSelector: query.fieldSelector,
    });
    return { allowed: decision === 'allow', reason: reason ?? '' };
  });
  if (name === 'authorizer') return root;
  return root.with({ group: resource.group, resource: resource.resource, subresource, namespace, name: objectName }, RESOURCE_CHECK);
}

const serviceAccountGroups = (namespace: string): string[] => [
  'system:serviceaccounts',
  `system:serviceaccounts:${namespace}`,
  'system:authenticated',
];

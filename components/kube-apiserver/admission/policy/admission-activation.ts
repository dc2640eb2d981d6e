import { type Activation, type Budget, CostExceeded } from '../../../../src/api/cel/evaluator.ts';
import { jsonValue } from '../../../../src/api/cel/json-value.ts';
import {
  AUTHORIZER,
  type AuthorizerAnswer,
  type AuthorizerQuery,
  AuthorizerValue,
  RESOURCE_CHECK,
} from '../../../../src/api/cel/library/authorizer.ts';
import { CelError, MapValue, type Value } from '../../../../src/api/cel/values.ts';
import type { KubernetesObject } from '../../../../src/api/object.ts';
import type { Resource } from '../../../../src/api/resource.ts';
import { namespaces } from '../../../../src/api/resources.ts';
import type { AdmissionAttributes } from '../chain.ts';
import { admissionRequest, versioned } from '../webhook/review.ts';
import type { Expression } from './compiled-policy.ts';

export const PER_CALL = 1_000_000;

/** What expressions about a request see of it. apiserver pkg/admission/plugin/cel.newActivation */
export function admissionActivation(
  attributes: AdmissionAttributes,
  asked: Resource,
  { params, variables }: { readonly params?: KubernetesObject | undefined; readonly variables?: MapValue } = {},
): Activation {
  const known = new Map<string, Value | undefined>();
  const make = (name: string): Value | undefined => {
    switch (name) {
      case 'object':
        return jsonValue(versioned(attributes, attributes.object, asked));
      case 'oldObject':
        return jsonValue(versioned(attributes, attributes.oldObject, asked));
      case 'request': {
        const { object: _, oldObject: _1, ...request } = admissionRequest(attributes, asked);
        return jsonValue(request);
      }
      case 'namespaceObject':
        return jsonValue(namespaceObject(attributes));
      case 'params':
        return jsonValue(params);
      case 'variables':
        return variables;
      case 'authorizer':
        return authorizerOf(attributes);
      case 'authorizer.requestResource':
        return requestResource(attributes);
      default:
        return undefined;
    }
  };
  return (name) => {
    if (!known.has(name)) known.set(name, make(name));
    return known.get(name);
  };
}

function namespaceObject({ context }: AdmissionAttributes): KubernetesObject | undefined {
  const { resource, namespace, server } = context;
  return resource.namespaced ? server.storage(namespaces).get('', namespace) : undefined;
}

function authorizerOf({ context }: AdmissionAttributes): AuthorizerValue {
  return new AuthorizerValue(AUTHORIZER, (query, verb) => ask(context, query, verb));
}

function requestResource(attributes: AdmissionAttributes): AuthorizerValue {
  const { resource, subresource, namespace } = attributes.context;
  const query = { group: resource.group, resource: resource.resource, subresource, namespace, name: attributes.name };
  return authorizerOf(attributes).with(query, RESOURCE_CHECK);
}

function ask({ server, user }: AdmissionAttributes['context'], query: AuthorizerQuery, verb: string): AuthorizerAnswer {
  const { path = '', group = '', resource = '', subresource = '', namespace = '', name = '', fieldSelector, serviceAccount } = query;
  const asked = serviceAccount
    ? {
        username: `system:serviceaccount:${serviceAccount.namespace}:${serviceAccount.name}`,
        groups: ['system:serviceaccounts', `system:serviceaccounts:${serviceAccount.namespace}`, 'system:authenticated'],
      }
    : user;
  const { decision, reason } = server.authorizer.authorize({
    isResourceRequest: path === '',
    user: asked,
    verb,
    path,
    group,
    version: '*',
    resource,
    subresource,
    namespace,
    name,
    ...(fieldSelector ? { fieldSelector } : {}),
  });
  return { allowed: decision === 'allow', reason };
}

/** `variables.x`: each is computed when it is first asked for. apiserver pkg/admission/plugin/cel.CompositionContext */
export class ComposedVariables extends MapValue {
  readonly #expressions: ReadonlyMap<string, Expression>;
  readonly #values = new Map<string, Value | CelError>();
  readonly #budget: Budget;
  activation: Activation = () => undefined;

  constructor(expressions: readonly (Expression & { readonly name: string })[], budget: Budget) {
    super();
    this.#expressions = new Map(expressions.map((expression) => [expression.name, expression]));
    this.#budget = budget;
  }

  get size(): number {
    return this.#expressions.size;
  }

  keys(): Iterable<Value> {
    return this.#expressions.keys();
  }

  find(key: Value): Value | undefined {
    const name = String(key);
    const expression = this.#expressions.get(name);
    if (!expression) return undefined;
    let value = this.#values.get(name);
    if (value === undefined) {
      value = this.#compute(name, expression);
      this.#values.set(name, value);
    }
    if (value instanceof CelError) throw value;
    return value;
  }

  #compute(name: string, { program, error }: Expression): Value | CelError {
    if (!program) return new CelError(`composited variable ${JSON.stringify(name)} fails to compile: ${error}`);
    try {
      const { value, cost } = program.evaluate(this.activation, PER_CALL);
      this.#budget.spend(cost);
      return value;
    } catch (failure) {
      if (!(failure instanceof CelError) || failure instanceof CostExceeded) throw failure;
      return new CelError(`composited variable ${JSON.stringify(name)} fails to evaluate: ${failure.message}`);
    }
  }
}

import { member, type Overload } from '../functions.ts';
import { OpaqueValue } from '../values.ts';

/** What is asked of the authorizer. */
export interface AuthorizerQuery {
  readonly path?: string;
  readonly group?: string;
  readonly resource?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
  /** Asks for this account instead of the user of the request. */
  readonly serviceAccount?: { readonly namespace: string; readonly name: string };
}

export interface AuthorizerAnswer {
  readonly allowed: boolean;
  readonly reason: string;
  readonly error?: string;
}

export type AskAuthorizer = (query: AuthorizerQuery, verb: string) => AuthorizerAnswer;

/** A question in the making: `authorizer`, a path check, a group check or a resource check. */
export class AuthorizerValue extends OpaqueValue {
  readonly typeName: string;
  readonly ask: AskAuthorizer;
  readonly query: AuthorizerQuery;

  constructor(typeName: string, ask: AskAuthorizer, query: AuthorizerQuery = {}) {
    super();
    this.typeName = typeName;
    this.ask = ask;
    this.query = query;
  }

  equals(other: OpaqueValue): boolean {
    return other === this;
  }

  with(more: AuthorizerQuery, typeName = this.typeName): AuthorizerValue {
    return new AuthorizerValue(typeName, this.ask, { ...this.query, ...more });
  }
}

class DecisionValue extends OpaqueValue {
  readonly typeName = 'kubernetes.authorization.Decision';
  readonly answer: AuthorizerAnswer;

  constructor(answer: AuthorizerAnswer) {
    super();
    this.answer = answer;
  }

  equals(other: OpaqueValue): boolean {
    return other instanceof DecisionValue && other.answer.allowed === this.answer.allowed;
  }
}

export const AUTHORIZER = 'kubernetes.authorization.Authorizer';
export const RESOURCE_CHECK = 'kubernetes.authorization.ResourceCheck';
const PATH_CHECK = 'kubernetes.authorization.PathCheck';
const GROUP_CHECK = 'kubernetes.authorization.GroupCheck';
const DECISION = 'kubernetes.authorization.Decision';

const check = (value: AuthorizerValue, verb: string): DecisionValue => new DecisionValue(value.ask(value.query, verb));

const narrow = (name: keyof AuthorizerQuery): Overload =>
  member(name, `${RESOURCE_CHECK}, string -> ${RESOURCE_CHECK}`, (value: AuthorizerValue, text: string) => value.with({ [name]: text }));

/** Questions about what a user may do. apiserver pkg/cel/library Authz, AuthzSelectors */
export const AUTHORIZATION: readonly Overload[] = [
  member('path', `${AUTHORIZER}, string -> ${PATH_CHECK}`, (value: AuthorizerValue, path: string) => value.with({ path }, PATH_CHECK)),
  member('check', `${PATH_CHECK}, string -> ${DECISION}`, check),
  member('group', `${AUTHORIZER}, string -> ${GROUP_CHECK}`, (value: AuthorizerValue, group: string) => value.with({ group }, GROUP_CHECK)),
  member('serviceAccount', `${AUTHORIZER}, string, string -> ${AUTHORIZER}`, (value: AuthorizerValue, namespace: string, name: string) =>
    value.with({ serviceAccount: { namespace, name } }),
  ),
  member('resource', `${GROUP_CHECK}, string -> ${RESOURCE_CHECK}`, (value: AuthorizerValue, resource: string) =>
    value.with({ resource }, RESOURCE_CHECK),
  ),
  narrow('subresource'),
  narrow('namespace'),
  narrow('name'),
  narrow('fieldSelector'),
  narrow('labelSelector'),
  member('check', `${RESOURCE_CHECK}, string -> ${DECISION}`, check),
  member('errored', `${DECISION} -> bool`, ({ answer }: DecisionValue) => answer.error !== undefined),
  member('error', `${DECISION} -> string`, ({ answer }: DecisionValue) => answer.error ?? ''),
  member('allowed', `${DECISION} -> bool`, ({ answer }: DecisionValue) => answer.allowed),
  member('reason', `${DECISION} -> string`, ({ answer }: DecisionValue) => answer.reason),
];

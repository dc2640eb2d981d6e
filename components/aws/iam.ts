import type { XmlValue } from '../../src/api/xml-text.ts';
import { type Account, timestamp } from './account.ts';
import { AwsFailure } from './aws-failure.ts';
import type { QueryParameters } from './query-parameters.ts';

/** An identity provider whose tokens the account takes. */
export interface OpenIdConnectProvider {
  readonly arn: string;
  /** Without `https://`. */
  readonly url: string;
  readonly clientIds: readonly string[];
}

/** A statement of a trust policy: who may become the role. */
export interface TrustStatement {
  readonly Effect: 'Allow';
  readonly Principal: { readonly Federated?: string; readonly Service?: string };
  readonly Action: string;
  readonly Condition?: Readonly<Partial<Record<ConditionOperator, Readonly<Record<string, string | readonly string[]>>>>>;
}

export type ConditionOperator = 'StringEquals' | 'StringLike';

export interface Role {
  readonly name: string;
  readonly arn: string;
  readonly id: string;
  readonly createDate: string;
  readonly trust: readonly TrustStatement[];
  /** What it may do, e.g. `s3:List*`: the actions of all its policies. */
  readonly actions: readonly string[];
}

/** Who sends a request. */
export interface Principal {
  readonly arn: string;
  readonly userId: string;
  readonly actions: readonly string[];
  /** Wall time at which the credentials end. */
  readonly expiresAt?: number;
}

/** AWS Identity and Access Management: providers, roles, and whose credentials are whose. */
export class Iam {
  readonly providers = new Map<string, OpenIdConnectProvider>();
  readonly roles = new Map<string, Role>();
  /** By access key. */
  readonly #principals = new Map<string, Principal>();
  readonly #account: Account;

  constructor(account: Account) {
    this.#account = account;
  }

  /** New temporary credentials of a role. */
  issue(role: Role, sessionName: string, seconds?: number): { accessKeyId: string; principal: Principal } {
    const { random, id, actor } = this.#account;
    const accessKeyId = `ASIA${random.hex(16).toUpperCase()}`;
    const principal = {
      arn: `arn:aws:sts::${id}:assumed-role/${role.name}/${sessionName}`,
      userId: `${role.id}:${sessionName}`,
      actions: role.actions,
      ...(seconds === undefined ? {} : { expiresAt: actor.simulation.wallTime + seconds * 1000 }),
    };
    this.#principals.set(accessKeyId, principal);
    return { accessKeyId, principal };
  }

  principalOf(accessKeyId: string): Principal | undefined {
    return this.#principals.get(accessKeyId);
  }

  createProvider(url: string, clientIds: readonly string[]): OpenIdConnectProvider {
    const host = url.replace(/^https:\/\//, '');
    const arn = `arn:aws:iam::${this.#account.id}:oidc-provider/${host}`;
    if (this.providers.has(host)) throw new AwsFailure('EntityAlreadyExists', `Provider with url ${url} already exists.`, 409);
    const provider = { arn, url: host, clientIds };
    this.providers.set(host, provider);
    return provider;
  }

  createRole({ name, trust, actions = [] }: Pick<Role, 'name' | 'trust'> & { readonly actions?: readonly string[] }): Role {
    if (this.roles.has(name)) throw new AwsFailure('EntityAlreadyExists', `Role with name ${name} already exists.`, 409);
    const account = this.#account;
    const id = `AROA${account.random.hex(17).toUpperCase()}`;
    const role = { name, arn: `arn:aws:iam::${account.id}:role/${name}`, id, createDate: timestamp(account), trust, actions };
    this.roles.set(name, role);
    return role;
  }

  readonly operations: Readonly<Record<string, (parameters: QueryParameters) => XmlValue>> = {
    CreateOpenIDConnectProvider: (parameters) => {
      const { arn } = this.createProvider(parameters.required('Url'), parameters.texts('ClientIDList'));
      return { OpenIDConnectProviderArn: arn };
    },
    GetOpenIDConnectProvider: (parameters) => {
      const arn = parameters.required('OpenIDConnectProviderArn');
      const provider = [...this.providers.values()].find((each) => each.arn === arn);
      if (!provider) throw new AwsFailure('NoSuchEntity', `OpenIDConnect Provider not found for arn ${arn}`, 404);
      return { Url: provider.url, ClientIDList: provider.clientIds };
    },
    ListOpenIDConnectProviders: () => ({ OpenIDConnectProviderList: [...this.providers.values()].map(({ arn }) => ({ Arn: arn })) }),
    CreateRole: (parameters) => {
      const trust = statementsOf(parameters.required('AssumeRolePolicyDocument'));
      return { Role: describe(this.createRole({ name: parameters.required('RoleName'), trust })) };
    },
    GetRole: (parameters) => {
      const name = parameters.required('RoleName');
      const role = this.roles.get(name);
      if (!role) throw new AwsFailure('NoSuchEntity', `The role with name ${name} cannot be found.`, 404);
      return { Role: describe(role) };
    },
  };
}

function describe({ name, arn, id, createDate, trust }: Role): XmlValue {
  const document = encodeURIComponent(JSON.stringify({ Version: '2012-10-17', Statement: trust }));
  return { Path: '/', RoleName: name, RoleId: id, Arn: arn, CreateDate: createDate, AssumeRolePolicyDocument: document };
}

function statementsOf(document: string): TrustStatement[] {
  try {
    const { Statement } = JSON.parse(document) as { Statement?: TrustStatement | TrustStatement[] };
    return Statement === undefined ? [] : [Statement].flat();
  } catch {
    throw new AwsFailure('MalformedPolicyDocument', 'This policy contains invalid Json');
  }
}

/** Whether a pattern of a policy (`s3:Get*`, `*`) means this text. */
export function matchesPattern(pattern: string, text: string): boolean {
  const source = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\/]/g, (letter) => (letter === '?' ? '.' : `\\${letter}`)));
  return new RegExp(`^${source.join('.*')}$`).test(text);
}

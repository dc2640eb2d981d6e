import { bytesOfBase64Url } from '../../src/api/base64-url.ts';
import { isRecord } from '../../src/api/is-record.ts';
import { type RsaPublicKey, verifiesRs256 } from '../../src/api/rs256.ts';
import { formatTime } from '../../src/api/time.ts';
import type { XmlValue } from '../../src/api/xml-text.ts';
import { type Account, timestamp } from './account.ts';
import { AwsFailure } from './aws-failure.ts';
import { type Iam, matchesPattern, type OpenIdConnectProvider, type Principal, type Role } from './iam.ts';
import type { QueryParameters } from './query-parameters.ts';

/** A key of an issuer, as its JSON Web Key Set has it. */
export type JsonWebKey = RsaPublicKey & { readonly kid: string };

/** The public keys of an issuer of tokens: what its documents say. Undefined when they cannot be had. */
export type KeysOfIssuer = (issuer: string) => readonly JsonWebKey[] | undefined;

interface Claims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: readonly string[];
  readonly exp: number;
}

const DEFAULT_SECONDS = 3600;

/** AWS Security Token Service: temporary credentials of roles. */
export class Sts {
  readonly #account: Account;
  readonly #iam: Iam;
  readonly #keysOf: KeysOfIssuer;

  constructor(account: Account, iam: Iam, keysOf: KeysOfIssuer) {
    this.#account = account;
    this.#iam = iam;
    this.#keysOf = keysOf;
  }

  /** The token is the proof: the request itself is not signed. */
  assumeRoleWithWebIdentity(parameters: QueryParameters): XmlValue {
    const arn = parameters.required('RoleArn');
    const sessionName = parameters.required('RoleSessionName');
    const seconds = parameters.number('DurationSeconds') ?? DEFAULT_SECONDS;
    const { claims, provider } = this.#verify(parameters.required('WebIdentityToken'));
    const role = [...this.#iam.roles.values()].find((each) => each.arn === arn);
    // Whether there is such a role is nobody's business.
    if (!role || !isTrusted(role, provider, claims))
      throw new AwsFailure('AccessDenied', 'Not authorized to perform sts:AssumeRoleWithWebIdentity', 403);
    const { accessKeyId, principal } = this.#iam.issue(role, sessionName, seconds);
    const account = this.#account;
    return {
      Credentials: {
        AccessKeyId: accessKeyId,
        SecretAccessKey: account.random.hex(40),
        SessionToken: account.random.hex(64),
        Expiration: formatTime(account.actor.simulation.wallTime + seconds * 1000),
      },
      SubjectFromWebIdentityToken: claims.sub,
      AssumedRoleUser: { AssumedRoleId: principal.userId, Arn: principal.arn },
      Provider: provider.arn,
      Audience: claims.aud[0],
    };
  }

  getCallerIdentity({ arn, userId }: Principal): XmlValue {
    return { Arn: arn, UserId: userId, Account: this.#account.id };
  }

  /** Who signed the token, for whom, and until when. @throws AwsFailure */
  #verify(token: string): { claims: Claims; provider: OpenIdConnectProvider } {
    const [header = '', payload = '', signature = ''] = token.trim().split('.');
    const claims = claimsOf(decode(payload));
    const kid = decode(header)?.['kid'];
    if (!claims) throw invalidToken('The ID Token provided is not a valid JWT. (You may see this error if you sent an Access Token)');
    const provider = this.#iam.providers.get(claims.iss.replace(/^https:\/\//, ''));
    if (!provider) throw invalidToken(`No OpenIDConnect provider found in your account for ${claims.iss}`);
    const key = this.#keysOf(claims.iss)?.find((each) => each.kid === kid);
    if (!key || !verifiesRs256(`${header}.${payload}`, signature, key))
      throw invalidToken(
        "Couldn't retrieve verification key from your identity provider,  please reference AssumeRoleWithWebIdentity documentation for requirements",
      );
    if (!claims.aud.some((audience) => provider.clientIds.includes(audience))) throw invalidToken('Incorrect token audience');
    const { wallTime } = this.#account.actor.simulation;
    if (claims.exp * 1000 < wallTime) {
      const [now, end] = [wallTime, claims.exp * 1000].map((ms) => timestamp(this.#account, ms));
      throw new AwsFailure(
        'ExpiredTokenException',
        `Token expired: current date/time ${now} must be before the expiration date/time ${end}`,
      );
    }
    return { claims, provider };
  }
}

function invalidToken(message: string): AwsFailure {
  return new AwsFailure('InvalidIdentityToken', message);
}

function isTrusted({ trust }: Role, provider: OpenIdConnectProvider, claims: Claims): boolean {
  const values: Readonly<Record<string, readonly string[]>> = {
    [`${provider.url}:sub`]: [claims.sub],
    [`${provider.url}:aud`]: claims.aud,
  };
  return trust.some(({ Principal, Action, Condition = {} }) => {
    if (Principal.Federated !== provider.arn || Action !== 'sts:AssumeRoleWithWebIdentity') return false;
    return Object.entries(Condition).every(([operator, conditions]) =>
      Object.entries(conditions ?? {}).every(([name, wanted]) =>
        [wanted]
          .flat()
          .some((text) => values[name]?.some((value) => (operator === 'StringLike' ? matchesPattern(text, value) : text === value))),
      ),
    );
  });
}

function decode(part: string): Readonly<Record<string, unknown>> | undefined {
  const bytes = bytesOfBase64Url(part);
  try {
    const value: unknown = bytes && JSON.parse(new TextDecoder().decode(bytes));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function claimsOf(payload: Readonly<Record<string, unknown>> | undefined): Claims | undefined {
  const { iss, sub, aud, exp } = payload ?? {};
  if (typeof iss !== 'string' || typeof sub !== 'string' || typeof exp !== 'number') return undefined;
  const audiences = [aud].flat().filter((audience) => typeof audience === 'string');
  return { iss, sub, aud: audiences, exp };
}

import type { Secret } from '../../../src/api/kinds/core-v1.ts';
import type { UserInfo } from '../../../src/api/request.ts';
import { nodes, pods, secrets, serviceaccounts } from '../../../src/api/resources.ts';
import type { Random } from '../../../src/sim/random.ts';
import type { ServerCore } from '../server-core.ts';

/** Issuer and default audience of tokens: kube-apiserver --service-account-issuer. */
export const TOKEN_AUDIENCE = 'https://kubernetes.default.svc.cluster.local';

/** Issuer of tokens that live in Secrets, and the ends of the names of their claims. */
const LEGACY_ISSUER = 'kubernetes/serviceaccount';
const LEGACY_CLAIMS = ['namespace', 'secret.name', 'service-account.name', 'service-account.uid'];

export interface TokenClaims {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly audiences: readonly string[];
  readonly seconds: number;
  readonly bound: { readonly kind: string; readonly name: string; readonly uid: string } | undefined;
}

interface Payload {
  readonly aud: readonly string[];
  readonly exp: number;
  readonly sub: string;
  readonly 'kubernetes.io': {
    readonly namespace: string;
    readonly serviceaccount: { readonly name: string; readonly uid: string };
    readonly pod?: { readonly name: string; readonly uid: string };
    readonly secret?: { readonly name: string; readonly uid: string };
    readonly node?: { readonly name: string; readonly uid: string };
  };
}

/**
 * Tokens of service accounts: JSON Web Tokens by form, with a signature that means nothing outside of this simulation (chance, remembered by the server).
 * pkg/serviceaccount.JWTTokenGenerator and its authenticator
 */
export class ServiceAccountTokens {
  readonly #server: ServerCore;
  readonly #random: Random;
  /** Tokens that were given out. */
  readonly #issued = new Map<string, Payload>();

  constructor(server: ServerCore) {
    this.#server = server;
    this.#random = server.simulation.random.fork('kube-apiserver/token');
  }

  issue({ namespace, name, uid, audiences, seconds, bound }: TokenClaims): string {
    const issuedAt = Math.floor(this.#server.simulation.wallTime / 1000);
    const payload: Payload & Record<string, unknown> = {
      aud: audiences,
      exp: issuedAt + seconds,
      iat: issuedAt,
      iss: TOKEN_AUDIENCE,
      jti: this.#random.uuid(),
      'kubernetes.io': {
        namespace,
        serviceaccount: { name, uid },
        ...(bound ? { [bound.kind.toLowerCase()]: { name: bound.name, uid: bound.uid } } : {}),
      },
      nbf: issuedAt,
      sub: `system:serviceaccount:${namespace}:${name}`,
    };
    const token = [encode({ alg: 'RS256', kid: 'bottleship' }), encode(payload), this.#random.hex(64)].join('.');
    this.#issued.set(token, payload);
    return token;
  }

  /** Who the token is meant for. */
  audiencesOf(token: string): readonly string[] {
    return this.#issued.get(token)?.aud ?? [];
  }

  /** Who bears the token; undefined when it is unknown, out of date, or what it is bound to is gone. */
  authenticate(token: string, audiences: readonly string[] = [TOKEN_AUDIENCE]): UserInfo | undefined {
    const payload = this.#issued.get(token);
    if (!payload) return audiences.includes(TOKEN_AUDIENCE) ? this.#authenticateLegacy(token) : undefined;
    if (!this.audiencesOf(token).some((audience) => audiences.includes(audience)) || payload.exp * 1000 < this.#server.simulation.wallTime)
      return undefined;
    const { namespace, serviceaccount, pod, secret, node } = payload['kubernetes.io'];
    const server = this.#server;
    if (server.storage(serviceaccounts).get(namespace, serviceaccount.name)?.metadata.uid !== serviceaccount.uid) return undefined;
    if (pod && server.storage(pods).get(namespace, pod.name)?.metadata.uid !== pod.uid) return undefined;
    if (secret && server.storage(secrets).get(namespace, secret.name)?.metadata.uid !== secret.uid) return undefined;
    if (node && server.storage(nodes).get('', node.name)?.metadata.uid !== node.uid) return undefined;
    return userOf(namespace, serviceaccount.name, serviceaccount.uid);
  }

  /** A token that kube-controller-manager put into a Secret holds as long as the Secret holds it. pkg/serviceaccount legacyValidator */
  #authenticateLegacy(token: string): UserInfo | undefined {
    const claims = decode(token.split('.')[1] ?? '');
    if (claims?.iss !== LEGACY_ISSUER) return undefined;
    const [namespace = '', secretName = '', name = '', uid = ''] = LEGACY_CLAIMS.map((claim) =>
      String(claims[`kubernetes.io/serviceaccount/${claim}`] ?? ''),
    );
    const secret = this.#server.storage(secrets).get(namespace, secretName) as Secret | undefined;
    if (secret?.data?.token !== btoa(token)) return undefined;
    if (this.#server.storage(serviceaccounts).get(namespace, name)?.metadata.uid !== uid) return undefined;
    return userOf(namespace, name, uid);
  }
}

function encode(value: unknown): string {
  return btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function decode(part: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(atob(part.replaceAll('-', '+').replaceAll('_', '/'))) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** pkg/serviceaccount UserInfo */
function userOf(namespace: string, name: string, uid: string): UserInfo {
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  return { username: `system:serviceaccount:${namespace}:${name}`, uid, groups };
}

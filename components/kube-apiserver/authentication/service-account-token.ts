import { base64Url, bytesOfBase64Url } from '../../../src/api/base64-url.ts';
import type { Secret } from '../../../src/api/kinds/core-v1.ts';
import type { UserInfo } from '../../../src/api/request.ts';
import { nodes, pods, secrets, serviceaccounts } from '../../../src/api/resources.ts';
import { formatTime } from '../../../src/api/time.ts';
import type { Random } from '../../../src/sim/random.ts';
import { loopbackWrite } from '../loopback.ts';
import type { ServerCore } from '../server-core.ts';
import { KEY_ID, signRs256, verifiesRs256 } from './service-account-key.ts';

/** Issuer and default audience of tokens, unless the flag says otherwise. */
const DEFAULT_ISSUER = 'https://kubernetes.default.svc.cluster.local';

/** Issuer of tokens that live in Secrets, and the ends of the names of their claims. */
const LEGACY_ISSUER = 'kubernetes/serviceaccount';
const LAST_USED = 'kubernetes.io/legacy-token-last-used';
/** Set by kube-controller-manager on tokens that nobody has used for a year. */
const INVALID_SINCE = 'kubernetes.io/legacy-token-invalid-since';
const DAY_MS = 24 * 3_600_000;
const LEGACY_CLAIMS = ['namespace', 'secret.name', 'service-account.name', 'service-account.uid'];

export interface TokenClaims {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly audiences: readonly string[];
  readonly seconds: number;
  readonly bound: { readonly kind: string; readonly name: string; readonly uid: string } | undefined;
}

/** What a token is about. */
interface Bound {
  readonly name: string;
  readonly uid: string;
}

interface Payload {
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iss: string;
  readonly jti: string;
  readonly sub: string;
  readonly 'kubernetes.io': {
    readonly namespace: string;
    readonly serviceaccount: Bound;
    readonly pod?: Bound;
    readonly secret?: Bound;
    readonly node?: Bound;
  };
}

/** How many tokens are known to be signed rightly, without looking again. */
const MAX_KNOWN = 1_000;

/** Tokens of service accounts: JSON Web Tokens, signed. Nothing about them is kept. pkg/serviceaccount.JWTTokenGenerator and its authenticator */
export class ServiceAccountTokens {
  readonly #server: ServerCore;
  readonly #random: Random;
  /** kube-apiserver --service-account-issuer; also the default of --api-audiences. */
  readonly issuer: string;
  /** apiserver pkg/authentication/token/cache: what was verified already. */
  readonly #verified = new Map<string, Payload>();

  constructor(server: ServerCore) {
    this.#server = server;
    this.issuer = server.config.serviceAccountIssuer ?? DEFAULT_ISSUER;
    this.#random = server.simulation.random.fork('kube-apiserver/token');
  }

  issue({ namespace, name, uid, audiences, seconds, bound }: TokenClaims): string {
    const issuedAt = Math.floor(this.#server.simulation.wallTime / 1000);
    const payload: Payload & Record<string, unknown> = {
      aud: audiences,
      exp: issuedAt + seconds,
      iat: issuedAt,
      iss: this.issuer,
      jti: this.#random.uuid(),
      'kubernetes.io': {
        namespace,
        ...(bound && bound.kind !== 'Secret' ? boundClaims(this.#server, namespace, bound) : {}),
        ...(bound?.kind === 'Secret' ? { secret: { name: bound.name, uid: bound.uid } } : {}),
        serviceaccount: { name, uid },
      },
      nbf: issuedAt,
      sub: `system:serviceaccount:${namespace}:${name}`,
    };
    const signed = `${encode({ alg: 'RS256', kid: KEY_ID })}.${encode(payload)}`;
    return `${signed}.${signRs256(signed)}`;
  }

  /** Who the token is meant for. */
  audiencesOf(token: string): readonly string[] {
    return this.#verify(token)?.aud ?? [];
  }

  /** Who bears the token; undefined when it is not ours, out of date, or what it is bound to is gone. */
  authenticate(token: string, audiences: readonly string[] = [this.issuer]): UserInfo | undefined {
    const payload = this.#verify(token);
    if (!payload) return audiences.includes(this.issuer) ? this.#authenticateLegacy(token) : undefined;
    if (!payload.aud.some((audience) => audiences.includes(audience)) || payload.exp * 1000 < this.#server.simulation.wallTime)
      return undefined;
    const { namespace, serviceaccount, pod, secret, node } = payload['kubernetes.io'];
    const server = this.#server;
    if (server.storage(serviceaccounts).get(namespace, serviceaccount.name)?.metadata.uid !== serviceaccount.uid) return undefined;
    if (pod && server.storage(pods).get(namespace, pod.name)?.metadata.uid !== pod.uid) return undefined;
    if (secret && server.storage(secrets).get(namespace, secret.name)?.metadata.uid !== secret.uid) return undefined;
    // With a pod the node is told, not checked.
    if (node && !pod && server.storage(nodes).get('', node.name)?.metadata.uid !== node.uid) return undefined;
    return { ...userOf(namespace, serviceaccount.name, serviceaccount.uid), extra: extraOf(payload) };
  }

  /** What a token says, if this cluster signed it. */
  #verify(token: string): Payload | undefined {
    const known = this.#verified.get(token);
    if (known) return known;
    const [header = '', body = '', signature = '', ...more] = token.split('.');
    const payload = decode(body) as Payload | undefined;
    if (more.length > 0 || decode(header)?.['kid'] !== KEY_ID || payload?.iss !== this.issuer) return undefined;
    if (!verifiesRs256(`${header}.${body}`, signature)) return undefined;
    if (this.#verified.size >= MAX_KNOWN) this.#verified.clear();
    this.#verified.set(token, payload);
    return payload;
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
    if (secret.metadata.deletionTimestamp || this.#server.storage(serviceaccounts).get(namespace, name)?.metadata.uid !== uid)
      return undefined;
    this.#noteUse(secret);
    return secret.metadata.labels?.[INVALID_SINCE] ? undefined : userOf(namespace, name, uid);
  }

  /** Once a day the Secret is told that its token is in use. pkg/serviceaccount legacyValidator.patchSecretWithLastUsedDate */
  #noteUse(secret: Secret): void {
    const { wallTime } = this.#server.simulation;
    const day = (time: number): string => formatTime(time).slice(0, 10);
    const before = secret.metadata.labels?.[LAST_USED];
    if (before === day(wallTime) || before === day(wallTime + DAY_MS)) return;
    const labels = { ...secret.metadata.labels, [LAST_USED]: day(wallTime) };
    loopbackWrite(this.#server, { ...secret, metadata: { ...secret.metadata, labels } }, { resource: secrets, verb: 'patch' });
  }
}

function encode(value: unknown): string {
  return base64Url(new TextEncoder().encode(JSON.stringify(value)));
}

function decode(part: string): Record<string, unknown> | undefined {
  try {
    const bytes = bytesOfBase64Url(part);
    return bytes && (JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>);
  } catch {
    return undefined;
  }
}

/** What a token is bound to; that of a pod names its node as well. pkg/serviceaccount.Claims */
function boundClaims(
  server: ServerCore,
  namespace: string,
  { kind, name, uid }: { readonly kind: string; readonly name: string; readonly uid: string },
): Pick<Payload['kubernetes.io'], 'node' | 'pod'> {
  if (kind === 'Node') return { node: { name, uid } };
  const nodeName = server.storage(pods).get(namespace, name)?.spec?.nodeName;
  const nodeUid = nodeName && server.storage(nodes).get('', nodeName)?.metadata.uid;
  return { ...(nodeName && nodeUid ? { node: { name: nodeName, uid: nodeUid } } : {}), pod: { name, uid } };
}

/** pkg/serviceaccount ServiceAccountInfo.UserInfo */
function extraOf({ jti, 'kubernetes.io': { pod, node } }: Payload): Record<string, string[]> {
  const prefix = 'authentication.kubernetes.io/';
  return {
    [`${prefix}credential-id`]: [`JTI=${jti}`],
    ...(node ? { [`${prefix}node-name`]: [node.name], [`${prefix}node-uid`]: [node.uid] } : {}),
    ...(pod ? { [`${prefix}pod-name`]: [pod.name], [`${prefix}pod-uid`]: [pod.uid] } : {}),
  };
}

/** pkg/serviceaccount UserInfo */
function userOf(namespace: string, name: string, uid: string): UserInfo {
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
  return { username: `system:serviceaccount:${namespace}:${name}`, uid, groups };
}

import type { TokenRequest } from '../../src/api/kinds/authentication-v1.ts';
import type { Pod, ServiceAccountTokenProjection } from '../../src/api/kinds/core-v1.ts';
import { serviceaccounts } from '../../src/api/resources.ts';
import { parseTime } from '../../src/api/time.ts';
import type { Client } from '../../src/client/client.ts';

/** pkg/apis/core/v1 SetDefaults_ServiceAccountTokenProjection */
const DEFAULT_SECONDS = 3600;
/** A token is renewed when so much of its life is over, and at the latest after a day. */
const RENEW_AFTER = 0.8;
const MAX_AGE_MS = 24 * 3600_000;

interface Held {
  readonly token: string;
  readonly renewAt: number;
}

/** Tokens of service accounts that pods find in their volumes, each bound to its pod: pkg/kubelet/token Manager. */
export class TokenManager {
  readonly #client: Client;
  readonly #held = new Map<string, Held>();

  constructor(client: Client) {
    this.#client = client;
  }

  /** The token of before, while that is fresh. pkg/kubelet/token Manager.GetServiceAccountToken @throws ApiStatusError */
  async serviceAccountToken(pod: Pod, { audience, expirationSeconds = DEFAULT_SECONDS }: ServiceAccountTokenProjection): Promise<string> {
    const { name = '', namespace = '', uid = '' } = pod.metadata;
    const account = pod.spec?.serviceAccountName ?? 'default';
    const key = JSON.stringify([uid, account, audience, expirationSeconds]);
    const { wallTime } = this.#client.actor.simulation;
    const held = this.#held.get(key);
    if (held && wallTime < held.renewAt) return held.token;
    this.#cleanUp(wallTime);
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name, uid };
    const spec = { audiences: audience === undefined ? [] : [audience], expirationSeconds, boundObjectRef };
    const at = { namespace, name: account };
    const { status } = (await this.#client.resource(serviceaccounts).createSubresource(at, 'token', { spec })) as TokenRequest;
    const token = status?.token ?? '';
    const lifeMs = (parseTime(status?.expirationTimestamp ?? '') ?? wallTime) - wallTime;
    this.#held.set(key, { token, renewAt: wallTime + Math.min(lifeMs * RENEW_AFTER, MAX_AGE_MS) });
    return token;
  }

  /** pkg/kubelet/token Manager.cleanup: what is out of date by now. */
  #cleanUp(wallTime: number): void {
    for (const [key, { renewAt }] of this.#held) if (renewAt <= wallTime) this.#held.delete(key);
  }
}

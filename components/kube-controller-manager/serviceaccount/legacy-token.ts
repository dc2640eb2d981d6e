import type { Secret, ServiceAccount } from '../../../src/api/kinds/core-v1.ts';
import type { Random } from '../../../src/sim/random.ts';

/** Who issues tokens that live in Secrets. pkg/serviceaccount LegacyIssuer */
const LEGACY_ISSUER = 'kubernetes/serviceaccount';
const CLAIM = 'kubernetes.io/serviceaccount';

/**
 * A token of a service account for a Secret: a JSON Web Token without an end, whose signature is chance. pkg/serviceaccount LegacyClaims
 */
export function newLegacyToken(account: ServiceAccount, secret: Secret, random: Random): string {
  const { namespace = '', name = '', uid = '' } = account.metadata;
  const payload = {
    iss: LEGACY_ISSUER,
    [`${CLAIM}/namespace`]: namespace,
    [`${CLAIM}/secret.name`]: secret.metadata.name ?? '',
    [`${CLAIM}/service-account.name`]: name,
    [`${CLAIM}/service-account.uid`]: uid,
    sub: `system:serviceaccount:${namespace}:${name}`,
  };
  return [encode({ alg: 'RS256', kid: 'bottleship' }), encode(payload), random.hex(64)].join('.');
}

function encode(value: unknown): string {
  return btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

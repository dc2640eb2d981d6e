import type { ApiResponse } from '../../../src/api/request.ts';
import { PUBLIC_KEY } from '../authentication/service-account-key.ts';
import { DEFAULT_ADVERTISED } from '../bootstrap.ts';
import type { ServerCore } from '../server-core.ts';

const JWKS_PATH = '/openid/v1/jwks';

/** How others check tokens of service accounts. pkg/routes.OpenIDMetadataServer */
export function issuerDiscovery({ config, tokens }: ServerCore, path: string): ApiResponse | undefined {
  if (path === JWKS_PATH) return document({ keys: [PUBLIC_KEY] }, 'application/jwk-set+json');
  if (path !== '/.well-known/openid-configuration') return undefined;
  const metadata = {
    issuer: tokens.issuer,
    jwks_uri: `https://${config.advertise ?? DEFAULT_ADVERTISED}${JWKS_PATH}`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [PUBLIC_KEY.alg],
  };
  return document(metadata, 'application/json');
}

function document(value: object, type: string): ApiResponse {
  return { code: 200, text: JSON.stringify(value), headers: { 'content-type': type, 'cache-control': 'public, max-age=3600' } };
}

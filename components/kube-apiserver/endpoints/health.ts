import type { ApiRequest, ApiResponse } from '../../../src/api/request.ts';

/** What kube-apiserver checks of itself, by endpoint. apiserver pkg/server/healthz */
const CHECKS = [
  'ping',
  'log',
  'etcd',
  'poststarthook/start-apiserver-admission-initializer',
  'poststarthook/generic-apiserver-start-informers',
  'poststarthook/priority-and-fairness-config-consumer',
  'poststarthook/priority-and-fairness-filter',
  'poststarthook/storage-object-count-tracker-hook',
  'poststarthook/start-apiextensions-informers',
  'poststarthook/start-apiextensions-controllers',
  'poststarthook/crd-informer-synced',
  'poststarthook/start-system-namespaces-controller',
  'poststarthook/start-cluster-authentication-info-controller',
  'poststarthook/start-kube-apiserver-identity-lease-controller',
  'poststarthook/start-kube-apiserver-identity-lease-garbage-collector',
  'poststarthook/start-legacy-token-tracking-controller',
  'poststarthook/start-service-ip-repair-controllers',
  'poststarthook/rbac/bootstrap-roles',
  'poststarthook/scheduling/bootstrap-system-priority-classes',
  'poststarthook/priority-and-fairness-config-producer',
  'poststarthook/bootstrap-controller',
  'poststarthook/start-kubernetes-service-cidr-controller',
  'poststarthook/aggregator-reload-proxy-client-cert',
  'poststarthook/start-kube-aggregator-informers',
  'poststarthook/apiservice-status-local-available-controller',
  'poststarthook/apiservice-status-remote-available-controller',
  'poststarthook/apiservice-registration-controller',
  'poststarthook/apiservice-discovery-controller',
  'poststarthook/kube-apiserver-autoregistration',
  'autoregister-completion',
  'poststarthook/apiservice-openapi-controller',
  'poststarthook/apiservice-openapiv3-controller',
];
/** Whether it is ready as well: that comes after the first three. */
const READINESS = [...CHECKS.slice(0, 3), 'etcd-readiness', 'informer-sync', ...CHECKS.slice(3), 'shutdown'];
const ENDPOINTS: Readonly<Record<string, readonly string[]>> = { healthz: CHECKS, livez: CHECKS, readyz: READINESS };

/** Every path that answers about health. */
export function healthPaths(): string[] {
  return Object.entries(ENDPOINTS).flatMap(([endpoint, checks]) => [`/${endpoint}`, ...checks.map((check) => `/${endpoint}/${check}`)]);
}

/** `/healthz`, `/livez`, `/readyz` and their single checks; undefined for other paths. A server that answers at all is well. */
export function health(request: ApiRequest): ApiResponse | undefined {
  const [, endpoint = '', check = ''] = /^\/(healthz|livez|readyz)(?:\/(.*?))?\/?$/.exec(request.info.path) ?? [];
  if (!endpoint) return undefined;
  const checks = ENDPOINTS[endpoint] ?? [];
  if (check) return checks.includes(check) ? { code: 200, text: 'ok' } : undefined;
  if (request.query['verbose'] === undefined) return { code: 200, text: 'ok' };
  const excluded = request.query['exclude'];
  const lines = checks.map((name) => (name === excluded ? `[+]${name} excluded: ok` : `[+]${name} ok`));
  const warning = 'warn: some health checks cannot be excluded: no matches for';
  if (excluded && !checks.includes(excluded)) lines.push(`${warning} ${JSON.stringify(excluded)}`);
  return { code: 200, text: `${lines.join('\n')}\n${endpoint} check passed\n` };
}

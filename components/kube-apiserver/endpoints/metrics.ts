import type { ApiRequest, ApiResponse } from '../../../src/api/request.ts';
import type { ServerCore } from '../server-core.ts';
import { healthPaths } from './health.ts';

type Labels = Readonly<Record<string, string | number>>;

/** A series that the server has counted since it started. */
interface RequestCount {
  readonly labels: Labels;
  count: number;
}

const counts = new WeakMap<ServerCore, Map<string, RequestCount>>();

/** Takes note of an answered request. apiserver pkg/endpoints/metrics.MonitorRequest */
export function countRequest(server: ServerCore, { info, query }: ApiRequest, code: number): void {
  let known = counts.get(server);
  if (!known) {
    known = new Map();
    counts.set(server, known);
  }
  const { verb, group, version, resource, subresource, namespace, name } = info;
  const scope = name ? 'resource' : namespace ? 'namespace' : 'cluster';
  const key = `${code} ${verb} ${group} ${version} ${resource} ${subresource} ${scope} ${query['dryRun'] ?? ''}`;
  const series = known.get(key);
  if (series) series.count++;
  else
    known.set(key, {
      labels: { code, dry_run: query['dryRun'] ?? '', group, resource, scope, subresource, verb: verb.toUpperCase(), version },
      count: 1,
    });
}

/** `/metrics` and `/metrics/slis`: a few of the real series, in the text format of Prometheus; undefined for other paths. */
export function metrics(server: ServerCore, { info: { path } }: ApiRequest): ApiResponse | undefined {
  const lines = path === '/metrics' ? requestMetrics(server) : path === '/metrics/slis' ? healthMetrics() : undefined;
  const headers = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8; escaping=underscores' };
  return lines && { code: 200, text: `${lines.join('\n')}\n`, headers };
}

/** component-base/metrics/prometheus/slis */
function healthMetrics(): string[] {
  const results = healthPaths().flatMap((path) => {
    const [, type, name] = /^\/(\w+)\/(.+)$/.exec(path) ?? [];
    return name ? [`{name="${name}",type="${type}"} 1`] : [];
  });
  return series('kubernetes_healthcheck', ['gauge', '[STABLE] This metric records the result of a single healthcheck.'], results);
}

function requestMetrics(server: ServerCore): string[] {
  const requests = [...(counts.get(server)?.values() ?? [])].map(({ labels, count }) => `${labelsOf(labels)} ${count}`);
  const stored = [...server.resources()].flatMap(({ resource, group, version }) => {
    const storage = server.storage({ resource, group });
    // One line for a resource that is served in several versions or groups.
    if (storage?.resource.version !== version || storage.resource.group !== group) return [];
    return [`{resource="${resource}${group ? `.${group}` : ''}"} ${storage.list().length}`];
  });
  return [
    ...series(
      'apiserver_request_total',
      [
        'counter',
        'Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, and HTTP response code.',
      ],
      requests,
    ),
    ...series('apiserver_storage_objects', ['gauge', 'Number of stored objects at the time of last check split by kind.'], stored),
    ...series('etcd_debugging_mvcc_current_revision', ['gauge', 'The current revision of store.'], [` ${server.etcd.revision}`]),
    ...series(
      'process_start_time_seconds',
      ['gauge', 'Start time of the process since unix epoch in seconds.'],
      [` ${server.simulation.epoch / 1000}`],
    ),
  ];
}

function series(name: string, [type, help]: readonly [type: string, help: string], values: readonly string[]): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...[...values].sort().map((value) => `${name}${value}`)];
}

function labelsOf(labels: Labels): string {
  const all = Object.entries({ component: 'apiserver', ...labels }).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${all.map(([name, value]) => `${name}=${JSON.stringify(String(value))}`).join(',')}}`;
}

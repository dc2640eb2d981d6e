// The metrics API of recordings: what the running pods of a namespace use together is said by the case and shared evenly among them. It serves any group.
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { parseLabelSelector } from '../../../src/api/label-selector.ts';
import { type OutboundAnswer, OutboundError, type OutboundRequest } from '../../../src/api/outbound.ts';
import { newMilliQuantity, parseQuantity } from '../../../src/api/quantity.ts';
import { apiservices, endpointslices, nodes, pods, services } from '../../../src/api/resources.ts';
import { formatTime } from '../../../src/api/time.ts';
import type { Client } from '../../../src/client/client.ts';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import { KUBERNETES_ADMIN } from '../../../src/cluster/users.ts';
import type { GoldenCase } from '../compare.mjs';
import type { LabSystem } from './system.ts';

const ADDRESS = { ip: '172.31.0.1', port: 9444 };
const PLACE = { namespace: 'kube-system', name: 'metrics-server' };
const NODE_CPU_MILLI = 250;
const NODE_MEMORY_MI = 1024;
const DEFAULT_MEMORY = '64Mi';

interface Usage {
  readonly cpu?: string;
  readonly memory?: string;
  readonly containers?: Readonly<Record<string, string>>;
}

interface Answer {
  readonly status: number;
  readonly body: object;
}

class MetricsServer {
  readonly usage = new Map<string, Usage>();
  /** By group, or for all: why it does not work. */
  readonly down = new Map<string, string>();
  #client: Client | undefined;

  /** Runs it, and tells kube-apiserver of it. */
  async install(cluster: Cluster): Promise<void> {
    cluster.addProcess('metrics-server', KUBERNETES_ADMIN, (_, client) => void (this.#client = client)).start();
    const ports = [{ name: 'https', port: 443, targetPort: ADDRESS.port }];
    await cluster.call(async (client) => {
      await client.resource(services).create({ metadata: PLACE, spec: { ports } });
      await client.resource(endpointslices).create({
        metadata: { namespace: PLACE.namespace, name: 'metrics-server-lab', labels: { 'kubernetes.io/service-name': PLACE.name } },
        addressType: 'IPv4',
        endpoints: [{ addresses: [ADDRESS.ip], conditions: { ready: true } }],
        ports: [{ name: 'https', port: ADDRESS.port, protocol: 'TCP' }],
      });
      const spec = { group: 'metrics.k8s.io', version: 'v1beta1', groupPriorityMinimum: 100, versionPriority: 100, insecureSkipTLSVerify: true, service: PLACE };
      await client.resource(apiservices).create({ metadata: { name: 'v1beta1.metrics.k8s.io' }, spec });
    });
    await cluster.advance(1_000);
  }

  async answer({ url }: OutboundRequest): Promise<OutboundAnswer> {
    const { host, pathname, searchParams } = new URL(url);
    if (host !== `${ADDRESS.ip}:${ADDRESS.port}`) throw new OutboundError(`dial tcp ${host}: connect: connection refused`);
    const { status, body } = await this.#serve(pathname, searchParams);
    return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  }

  async #serve(path: string, query: URLSearchParams): Promise<Answer> {
    const [, , group = '', version = '', ...rest] = path.split('/');
    const groupVersion = `${group}/${version}`;
    const message = this.down.get(group) ?? this.down.get('');
    if (message) return failure({ code: 503, reason: 'ServiceUnavailable', message });
    const client = this.#client;
    if (rest.length === 0 || !client) return { status: 200, body: { kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: RESOURCES } };
    const [namespace, resource, name] = rest[0] === 'namespaces' ? rest.slice(1) : ['', ...rest];
    const selector = parseLabelSelector(query.get('labelSelector') ?? '');
    const kind = resource === 'nodes' ? 'NodeMetrics' : 'PodMetrics';
    const all = resource === 'nodes' ? await this.#nodes(client) : await this.#pods(client, namespace ?? '');
    const found = all.filter(({ metadata }) => selector.matches(metadata.labels) && (!name || metadata.name === name));
    if (!name) return { status: 200, body: { kind: `${kind}List`, apiVersion: groupVersion, metadata: {}, items: found } };
    const [one] = found;
    if (one) return { status: 200, body: { kind, apiVersion: groupVersion, ...one } };
    const details = { name, group, kind: resource ?? '' };
    return failure({ code: 404, reason: 'NotFound', message: `${resource}.${group} "${name}" not found`, details });
  }

  async #nodes(client: Client) {
    const { items } = await client.resource(nodes).list();
    return items.map(({ metadata: { name, labels } }, index) => ({
      metadata: { name, ...(labels ? { labels } : {}) },
      timestamp: formatTime(client.actor.simulation.wallTime),
      window: '10s',
      usage: { cpu: `${NODE_CPU_MILLI * (index + 1)}m`, memory: `${NODE_MEMORY_MI * (index + 1)}Mi` },
    }));
  }

  async #pods(client: Client, namespace: string) {
    const { items } = await client.resource(pods).list(namespace ? { namespace } : {});
    const running = items.filter(({ status }) => status?.phase === 'Running');
    const countOf = (where: string | undefined): number => running.filter(({ metadata }) => metadata.namespace === where).length;
    return running.map(({ metadata: { name, namespace: where = '', labels }, spec }) => ({
      metadata: { name, namespace: where, ...(labels ? { labels } : {}) },
      timestamp: formatTime(client.actor.simulation.wallTime),
      window: '1s',
      containers: containersOf(spec, this.usage.get(where) ?? {}, countOf(where)),
    }));
  }
}

function containersOf(spec: Pod['spec'], { cpu = '0', memory, containers = {} }: Usage, count: number) {
  return (spec?.containers ?? []).map(({ name }) => {
    const milli = Math.floor(parseQuantity(containers[name] ?? cpu).milliValue() / count);
    const bytes = memory === undefined ? DEFAULT_MEMORY : share(memory, count);
    return { name, usage: { cpu: newMilliQuantity(milli).toString(), memory: bytes } };
  });
}

/** In Mi where that is exact. */
function share(memory: string, count: number): string {
  const bytes = Math.floor(parseQuantity(memory).value() / count);
  return bytes % 2 ** 20 === 0 ? `${bytes / 2 ** 20}Mi` : `${bytes}`;
}

function failure({ code, ...rest }: { code: number; reason: string; message: string; details?: object }): Answer {
  return { status: code, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', ...rest, code } };
}

const resourceOf = (name: string, namespaced: boolean, kind: string) => ({ name, singularName: '', namespaced, kind, verbs: ['get', 'list'] });
const RESOURCES = [resourceOf('nodes', false, 'NodeMetrics'), resourceOf('pods', true, 'PodMetrics')];

const ofCase = new WeakMap<GoldenCase, MetricsServer>();
const ofCluster = new WeakMap<Cluster, MetricsServer>();

function serverOf(cluster: Cluster): MetricsServer {
  const server = ofCluster.get(cluster);
  if (!server) throw new Error('there is no metrics API in this cluster');
  return server;
}

export const METRICS_LAB: LabSystem = {
  clusterFor: (testCase) => {
    if (!testCase.needs?.includes('/lab/metrics')) return {};
    const server = new MetricsServer();
    ofCase.set(testCase, server);
    return {
      outbound: (request) => server.answer(request),
      flags: {
        'kube-apiserver': { 'enable-aggregator-routing': true },
        'kube-controller-manager': { 'horizontal-pod-autoscaler-sync-period': '2s' },
        kubelet: { 'node-status-update-frequency': '1s' },
      },
    };
  },
  prepare: (cluster, testCase) => {
    const server = ofCase.get(testCase);
    if (!server) return;
    ofCluster.set(cluster, server);
    return server.install(cluster);
  },
  routes: {
    '/lab/metrics/usage': ({ cluster, body }) => {
      const { namespace, ...usage } = body as Usage & { namespace: string };
      serverOf(cluster).usage.set(namespace, usage);
    },
    '/lab/metrics/down': ({ cluster, body }) => {
      const { group = '', message = '' } = body as { group?: string; message?: string };
      serverOf(cluster).down.set(group, message);
    },
  },
};

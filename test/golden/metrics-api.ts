import type { OutboundAnswer, OutboundRequest } from '../../src/api/outbound.ts';
import { apiservices, namespaces, pods, services } from '../../src/api/resources.ts';
import { formatTime } from '../../src/api/time.ts';
import type { Client } from '../../src/client/client.ts';
import type { Cluster } from '../../src/cluster/cluster.ts';
import { KUBERNETES_ADMIN } from '../../src/cluster/users.ts';

const PLACE = { namespace: 'kube-system', name: 'metrics' };
const ANNOTATION = 'example.com/cpu';
const PODS_PATH = /^\/apis\/metrics\.k8s\.io\/v1beta1\/namespaces\/([^/]+)\/pods$/;

/** The metrics API of some recordings: every pod uses what an annotation of its namespace says. It runs outside the cluster. */
export class MetricsApi {
  #client: Client | undefined;

  /** Makes kube-apiserver ask it. */
  async install(cluster: Cluster): Promise<void> {
    const actor = cluster.addProcess('metrics', KUBERNETES_ADMIN, (_, client) => {
      this.#client = client;
    });
    actor.start();
    const ports = [{ port: 443 }];
    await cluster.call(async (client) => {
      await client.resource(services).create({ metadata: PLACE, spec: { type: 'ExternalName', externalName: 'metrics.example.com', ports } });
      const spec = { group: 'metrics.k8s.io', version: 'v1beta1', groupPriorityMinimum: 100, versionPriority: 100, insecureSkipTLSVerify: true, service: PLACE };
      await client.resource(apiservices).create({ metadata: { name: 'v1beta1.metrics.k8s.io' }, spec });
    });
    await cluster.advance(5_000);
  }

  async answer({ url }: OutboundRequest): Promise<OutboundAnswer> {
    const { pathname, searchParams } = new URL(url);
    const [, namespace] = PODS_PATH.exec(pathname) ?? [];
    const body = namespace && this.#client ? await usage(this.#client, namespace, searchParams.get('labelSelector') ?? '') : {};
    return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  }
}

async function usage(client: Client, namespace: string, labelSelector: string): Promise<unknown> {
  const { metadata } = await client.resource(namespaces).get({ name: namespace });
  const cpu = metadata.annotations?.[ANNOTATION] ?? '0';
  const { items } = await client.resource(pods).list({ namespace, ...(labelSelector ? { labelSelector } : {}) });
  const timestamp = formatTime(client.actor.simulation.wallTime);
  return {
    kind: 'PodMetricsList',
    apiVersion: 'metrics.k8s.io/v1beta1',
    metadata: {},
    items: items.map((pod) => ({
      metadata: { name: pod.metadata.name, namespace },
      timestamp,
      window: '1s',
      containers: (pod.spec?.containers ?? []).map(({ name }) => ({ name, usage: { cpu, memory: '1Mi' } })),
    })),
  };
}

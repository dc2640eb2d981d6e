import type { Node, Service } from '../../src/api/kinds/core-v1.ts';
import type { EndpointSlice } from '../../src/api/kinds/discovery-v1.ts';
import { endpointslices, nodes, services } from '../../src/api/resources.ts';
import type { Client } from '../../src/client/client.ts';
import { EventsV1Recorder } from '../../src/client/events-v1-recorder.ts';
import { SharedInformer } from '../../src/client/informer.ts';
import type { Actor } from '../../src/sim/actor.ts';
import { DEFAULT_KUBE_PROXY_CONFIGURATION, type KubeProxyConfiguration } from './config.ts';
import { Netfilter } from './iptables/netfilter.ts';
import { Proxier, type SyncReport } from './iptables/proxier.ts';
import { BoundedFrequencyRunner } from './runner/bounded-frequency-runner.ts';

const NOT_OURS = '!service.kubernetes.io/headless,!service.kubernetes.io/service-proxy-name';
const INTERVALS = { minIntervalMs: 1_000, retryIntervalMs: 30_000, maxIntervalMs: 3_600_000 };

export interface KubeProxyOptions {
  readonly actor: Actor;
  /** Logged in as `system:kube-proxy`. */
  readonly client: Client;
  readonly config: Pick<KubeProxyConfiguration, 'nodeName'> & Partial<KubeProxyConfiguration>;
}

/**
 * The program of kube-proxy on one node: watches Services and EndpointSlices and writes the node's packet filter. cmd/kube-proxy/app/server.go ProxyServer.Run
 * @example runKubeProxy({ actor, client, config: { nodeName: 'n1', netfilter } });
 */
export async function runKubeProxy({ actor, client, config: given }: KubeProxyOptions): Promise<void> {
  const config = { ...DEFAULT_KUBE_PROXY_CONFIGURATION, ...given };
  const { nodeName, clusterCIDR } = config;
  const netfilter = config.netfilter ?? new Netfilter({ now: () => actor.simulation.now });
  const proxier = new Proxier({ netfilter, family: 'IPv4', node: nodeName, clusterCIDR });
  const recorder = new EventsV1Recorder({ client, controller: 'kube-proxy', instance: `kube-proxy-${nodeName}` });
  const reference = { kind: 'Node', name: nodeName, uid: nodeName };
  recorder.event(reference, { type: 'Normal', reason: 'Starting', action: 'StartKubeProxy', note: '' });

  const informers = watch(client, nodeName);
  let isReady = false;
  const runner = new BoundedFrequencyRunner(actor, () => sync(actor, proxier, nodeName), INTERVALS);
  const request = (isNeeded: boolean): void => {
    if (isNeeded && isReady) runner.run();
  };
  const onService = (service: Service, isDeleted = false): void => request(proxier.onService(service, isDeleted));
  const onSlice = (slice: EndpointSlice, isDeleted = false): void => request(proxier.onEndpointSlice(slice, isDeleted));
  const onNode = (node: Node): void => {
    const ip = node.status?.addresses?.find(({ type }) => type === 'InternalIP')?.address;
    if (ip) netfilter.addAddress(ip);
    request(proxier.onNode(node.metadata.labels?.['topology.kubernetes.io/zone'] ?? '', ip));
  };
  informers.services.addEventHandler({
    onAdd: (service) => onService(service),
    onUpdate: (_, service) => onService(service),
    onDelete: (service) => onService(service, true),
  });
  informers.slices.addEventHandler({
    onAdd: (slice) => onSlice(slice),
    onUpdate: (_, slice) => onSlice(slice),
    onDelete: (slice) => onSlice(slice, true),
  });
  informers.node.addEventHandler({ onAdd: onNode, onUpdate: (_, node) => onNode(node) });
  for (const informer of Object.values(informers)) informer.start();
  // Half of the truth would cut connections: nothing is written before both are known.
  await informers.services.waitForSync();
  await informers.slices.waitForSync();
  isReady = true;
  runner.run();
}

function watch(
  client: Client,
  nodeName: string,
): {
  services: SharedInformer<Service>;
  slices: SharedInformer<EndpointSlice>;
  node: SharedInformer<Node>;
} {
  return {
    services: new SharedInformer({
      client: client.resource(services),
      list: { labelSelector: NOT_OURS, fieldSelector: 'spec.clusterIP!=None' },
    }),
    slices: new SharedInformer({ client: client.resource(endpointslices), list: { labelSelector: NOT_OURS } }),
    node: new SharedInformer({ client: client.resource(nodes), list: { fieldSelector: `metadata.name=${nodeName}` } }),
  };
}

function sync(actor: Actor, proxier: Proxier, nodeName: string): boolean {
  const report = proxier.sync();
  if (report.changed.length > 0) {
    actor.simulation.recordCause({ kind: 'runtime', what: 'rules', message: describe(report, nodeName), details: report });
  }
  return true;
}

function describe({ changed }: SyncReport, nodeName: string): string {
  const [first, ...others] = changed.map(({ service, endpoints }) => `${service} (${endpoints} endpoint${endpoints === 1 ? '' : 's'})`);
  const more = others.length > 2 ? ` and ${others.length} more Services` : others.map((other) => `, ${other}`).join('');
  return `kube-proxy wrote the rules of node ${nodeName} for ${first}${more}`;
}

// Goal: what comes from outside gets to pods by the way that a load balancer takes. Method: whole clusters in a cloud, requests to what statuses say.
import { describe, expect, it } from 'vitest';
import { type Cluster, createCluster } from './cluster.ts';
import type { CloudConfig } from './config.ts';
import type { VisitResult } from './service-network.ts';

const SECOND = 1_000;
const images = [{ name: 'web', ports: [8080], cpuMilli: 0, cpuPerRequestMs: 2 }];

async function clusterWithWeb(cloud: CloudConfig, more = ''): Promise<Cluster> {
  const cluster = await createCluster({ nodes: 2, images, cloud });
  await cluster.kubectl(['create', 'deployment', 'web', '--image=web', '--replicas=2']);
  await apply(
    cluster,
    `
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { type: LoadBalancer, selector: { app: web }, ports: [{ port: 80, targetPort: 8080 }]${more} }
`,
  );
  await cluster.settle();
  return cluster;
}

async function apply(cluster: Cluster, manifest: string): Promise<void> {
  expect((await cluster.kubectl(['apply', '-f', 'a.yaml'], { 'a.yaml': manifest })).stderr).toEqual([]);
}

const visit = (cluster: Cluster, more: Partial<Parameters<Cluster['visit']>[0]> = {}): Promise<VisitResult> =>
  cluster.visit({ namespace: 'default', host: 'service/web', port: 80, path: '/', ...more });

/** In seconds of a CPU, of all pods of a name, while the time passes. */
async function usedWithin(cluster: Cluster, ms: number, prefix = 'web'): Promise<number[]> {
  const used = () =>
    ['n1', 'n2']
      .flatMap((node) => cluster.serviceNetwork.runtimeOf(node)?.runtime.listContainerStats() ?? [])
      .filter(({ pod }) => pod.startsWith(prefix))
      .map(({ cpuNanos }) => cpuNanos / 1e9);
  const before = used();
  await cluster.advance(ms);
  return used().map((seconds, index) => Number((seconds - (before[index] ?? 0)).toFixed(3)));
}

describe('a load balancer of the cloud', () => {
  it('with an address hands packets on to a node, where kube-proxy knows the address', async () => {
    const cluster = await clusterWithWeb({ loadBalancers: 'ip' });
    const { outcome, address, way } = await visit(cluster);
    expect([outcome, address]).toEqual(['answered', expect.stringMatching(/^10\..*:8080$/)]);
    expect(way[0]).toBe('load balancer of default/web, port 80: 2 of 2 nodes healthy');
    expect(way[1]).toMatch(/^from 198\.51\.100\.10 to node n[12], 203\.0\.113\.1:80$/);
    expect(way.join('\n')).toMatch(/kube-proxy\/n[12] KUBE-SERVICES: .*203\.0\.113\.1\/32.*-j KUBE-EXT-/);
  });

  it('with a name makes connections to the ports of nodes', async () => {
    const cluster = await clusterWithWeb({ loadBalancers: 'hostname' });
    const { outcome, way } = await visit(cluster);
    expect(outcome).toBe('answered');
    expect(way[0]).toBe('dns: web.lb.example.com is 203.0.113.1');
    expect(way[2]).toMatch(/^from 203\.0\.113\.1 to node n[12], 192\.168\.100\.\d+:3\d{4}$/);
    expect(way.join('\n')).toMatch(/KUBE-NODEPORTS/);
    const within = await cluster.visit({ node: 'n1', namespace: 'default', host: 'web.lb.example.com', port: 80, path: '/' });
    expect(within.outcome).toBe('answered');
    expect(within.way[0]).toMatch(/^coredns: .*web\.lb\.example\.com\. is 203\.0\.113\.1$/);
  });

  it('sends nothing to nodes that fail its health checks, and knows no other ports', async () => {
    const cluster = await clusterWithWeb({ loadBalancers: 'ip' }, ', externalTrafficPolicy: Local');
    await cluster.kubectl(['scale', 'deployment', 'web', '--replicas=1']);
    await cluster.settle();
    await cluster.advance(5 * SECOND);
    const one = await visit(cluster);
    expect(one.way[0]).toContain('1 of 2 nodes healthy');
    expect(one.way.join('\n')).toMatch(/KUBE-SVL-/);
    expect((await visit(cluster, { port: 81 })).outcome).toBe('timeout');
    const node = /to node (n\d)/.exec(one.way[1] ?? '')?.[1] ?? '';
    cluster.fault({ fault: 'stop-node', node });
    await cluster.advance(SECOND);
    const none = await visit(cluster);
    expect([none.outcome, none.way]).toEqual(['timeout', ['load balancer of default/web, port 80: 0 of 2 nodes healthy']]);
  });

  it.each(['Cluster', 'Local'])(
    'with externalTrafficPolicy %s and a dead node: only rules that lead there lose requests',
    async (policy) => {
      const cluster = await clusterWithWeb({ loadBalancers: 'ip' }, `, externalTrafficPolicy: ${policy}`);
      await cluster.advance(5 * SECOND);
      cluster.fault({ fault: 'stop-node', node: 'n2' });
      const visits: VisitResult[] = [];
      for (let i = 0; i < 12; i++) visits.push(await visit(cluster));
      expect(new Set(visits.map(({ way }) => way[0]))).toEqual(new Set(['load balancer of default/web, port 80: 1 of 2 nodes healthy']));
      expect(new Set(visits.map(({ way }) => / to node (n\d),/.exec(way[1] ?? '')?.[1]))).toEqual(new Set(['n1']));
      const lost = visits.filter(({ outcome }) => outcome === 'timeout');
      if (policy === 'Local') return expect(lost).toEqual([]);
      expect(lost.length).toBeGreaterThan(0);
      // Masqueraded by the node, on their way to the pod of the other; nobody answered.
      expect(new Set(lost.map(({ address, way }) => [address, way.at(-1)].join()))).toEqual(
        new Set([expect.stringMatching(/^,from 192\.168\.100\.\d+ to 10\.128\.8\.\d+:8080$/)]),
      );
      await cluster.advance(60 * SECOND);
      for (let i = 0; i < 12; i++) expect((await visit(cluster)).outcome).toBe('answered');
    },
  );

  it('takes loads, too; and is unknown when its Service is gone', async () => {
    const cluster = await clusterWithWeb({ loadBalancers: 'ip' });
    cluster.load({ service: 'service/web', requestsPerSecond: 100 });
    await cluster.advance(SECOND);
    expect(await usedWithin(cluster, 10 * SECOND)).toEqual([1, 1]);
    cluster.load({ service: 'service/web', requestsPerSecond: 0 });
    await cluster.advance(SECOND);
    expect(await usedWithin(cluster, 10 * SECOND)).toEqual([0, 0]);
    await cluster.kubectl(['delete', 'service', 'web']);
    await cluster.settle();
    expect(await visit(cluster)).toEqual({ outcome: 'no such name', way: ['service/web has no load balancer'] });
    expect((await visit(cluster, { host: '203.0.113.1' })).outcome).toBe('timeout');
  });
});

const SHOP = (target: string) => `
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { type: NodePort, selector: { app: web }, ports: [{ port: 80, targetPort: 8080 }] }
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: shop
  annotations: { alb.ingress.kubernetes.io/scheme: internet-facing, alb.ingress.kubernetes.io/target-type: ${target} }
spec:
  ingressClassName: alb
  rules: [{ host: shop.example.com, http: { paths: [{ path: /cart, pathType: Prefix, backend: { service: { name: web, port: { number: 80 } } } }] } }]
---
apiVersion: v1
kind: Service
metadata:
  name: direct
  annotations:
    service.beta.kubernetes.io/aws-load-balancer-scheme: internet-facing
    service.beta.kubernetes.io/aws-load-balancer-nlb-target-type: ${target}
spec: { type: LoadBalancer, selector: { app: web }, ports: [{ port: 443, targetPort: 8080 }] }
`;

describe.each(['ip', 'instance'])('a load balancer of AWS with targets of type %s', (target) => {
  it('chooses by host and path, and sends to healthy targets', async () => {
    const cluster = await createCluster({ nodes: 2, images, addons: { 'aws-load-balancer-controller': {} } });
    await cluster.kubectl(['create', 'deployment', 'web', '--image=web', '--replicas=2']);
    await apply(cluster, SHOP(target));
    await cluster.advance(60 * SECOND);
    expect((await visit(cluster, { host: 'ingress/shop' })).outcome).toBe('no such name');
    await cluster.settle();
    await cluster.advance(120 * SECOND);
    const shop = { host: 'ingress/shop', hostHeader: 'shop.example.com' };
    const found = await visit(cluster, { ...shop, path: '/cart/1' });
    expect([found.outcome, found.status]).toEqual(['answered', 200]);
    expect(found.way[1]).toMatch(
      /^application load balancer k8s-default-shop-\w+, listener 80, rule 1: target group k8s-default-web-\w+, 2 of 2 targets healthy$/,
    );
    expect(found.way[2]).toMatch(
      target === 'ip' ? /^from 192\.168\..* to .*:8080$/ : /^from 192\.168\..* to node n[12], 192\.168\..*:3\d{4}$/,
    );
    expect(await visit(cluster, { ...shop, path: '/' })).toMatchObject({ outcome: 'answered', status: 404 });
    expect(await visit(cluster, { host: 'ingress/shop', path: '/cart' })).toMatchObject({ outcome: 'answered', status: 404 });
    expect((await visit(cluster, { ...shop, port: 8080 })).outcome).toBe('timeout');
    const direct = await visit(cluster, { host: 'service/direct', port: 443 });
    expect(direct.outcome).toBe('answered');
    // Instances see the client's address, pods that of the load balancer.
    expect(direct.way[2]).toMatch(target === 'ip' ? /^from 192\.168\./ : /^from 198\.51\.100\.10 to node/);
    cluster.load({ service: 'ingress/shop', host: 'shop.example.com', requestsPerSecond: 100 });
    cluster.load({ service: 'service/direct', port: 443, requestsPerSecond: 100 });
    await cluster.advance(SECOND);
    // The rule of the Ingress is about another path than that of the load.
    expect((await usedWithin(cluster, 10 * SECOND)).reduce((sum, each) => sum + each, 0)).toBeCloseTo(2);
    cluster.fault({ fault: 'stop-node', node: 'n2' });
    await cluster.advance(SECOND);
    expect((await visit(cluster, { ...shop, path: '/cart' })).way[1]).toContain('1 of 2 targets healthy');
    cluster.fault({ fault: 'start-node', node: 'n2' });
    await cluster.kubectl(['scale', 'deployment', 'web', '--replicas=0']);
    await cluster.settle();
    await cluster.advance(60 * SECOND);
    const nobody = await visit(cluster, { ...shop, path: '/cart' });
    expect([nobody.outcome, nobody.status]).toEqual(['answered', target === 'ip' ? 503 : 502]);
  });
});

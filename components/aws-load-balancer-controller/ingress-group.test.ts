import { describe, expect, it } from 'vitest';
import { ingressclasses, ingresses, namespaces } from '../../src/api/resources.ts';
import { parseXml, type XmlElement } from '../../src/api/xml-text.ts';
import { createTestCluster, type TestCluster } from '../../src/testing/index.ts';
import { type IngressClassParams, ingressclassparams, targetgroupbindings } from './api.ts';

const ANNOTATIONS = 'alb.ingress.kubernetes.io/';

async function clusterWithShops(...names: string[]): Promise<TestCluster> {
  const cluster = await createTestCluster({
    nodes: [{ name: 'n1', images: ['nginx:1.27'] }],
    cloud: { zones: ['us-west-2a', 'us-west-2b'] },
    addons: { 'aws-load-balancer-controller': {} },
  });
  for (const name of names) await cluster.kubectl(['create', 'service', 'nodeport', name, '--tcp=80:80']);
  await cluster.settle();
  return cluster;
}

const ingress = (name: string, annotations: Record<string, string> = {}, more: object = {}) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: {
    name,
    namespace: 'default',
    annotations: Object.fromEntries(Object.entries(annotations).map(([key, value]) => [`${ANNOTATIONS}${key}`, value])),
  },
  spec: { ingressClassName: 'alb', rules: [{ host: `${name}.example.com`, http: { paths: [pathTo(name)] } }], ...more },
});
const pathTo = (name: string) => ({ path: '/', pathType: 'Prefix', backend: { service: { name, port: { number: 80 } } } });

function elbv2({ aws }: TestCluster, action: string, parameters: Record<string, string> = {}): XmlElement | undefined {
  const role = aws?.iam.roles.get('eksNodeRole');
  const key = role && aws?.iam.issue(role, 'test').accessKeyId;
  const headers = { authorization: `AWS4-HMAC-SHA256 Credential=${key}/20260101/us-west-2/elasticloadbalancing/aws4_request` };
  const url = `https://elasticloadbalancing.us-west-2.amazonaws.com/?${new URLSearchParams({ Action: action, ...parameters })}`;
  return parseXml(aws?.handle({ method: 'GET', url, headers, timeoutMs: 1000 }).body ?? '')?.get(`${action}Result`);
}
const balancers = (cluster: TestCluster) => elbv2(cluster, 'DescribeLoadBalancers')?.items('LoadBalancers') ?? [];

/** Hosts of the rules at port 80, in their order. */
function hosts(cluster: TestCluster): string[] {
  const LoadBalancerArn = balancers(cluster)[0]?.text('LoadBalancerArn') ?? '';
  const ListenerArn = elbv2(cluster, 'DescribeListeners', { LoadBalancerArn })?.text('Listeners', 'member', 'ListenerArn') ?? '';
  const rules = elbv2(cluster, 'DescribeRules', { ListenerArn })?.items('Rules') ?? [];
  return rules
    .filter((rule) => rule.text('IsDefault') === 'false')
    .sort((one, other) => Number(one.text('Priority')) - Number(other.text('Priority')))
    .flatMap((rule) => rule.items('Conditions').filter((each) => each.text('Field') === 'host-header'))
    .map((condition) => condition.items('Values')[0]?.content ?? '');
}
const finalizersOf = async (cluster: TestCluster, name: string) => (await cluster.get(ingresses, name))?.metadata.finalizers;
const hostnameOf = async (cluster: TestCluster, name: string) =>
  (await cluster.get(ingresses, name))?.status?.loadBalancer?.ingress?.[0]?.hostname;
const eventsOf = async (cluster: TestCluster, name: string) => (await cluster.eventsOf(ingresses, name)).join('\n');

describe('a group of Ingresses', () => {
  it('has one load balancer with the rules of all of them, in their order, for as long as there is a member', async () => {
    const cluster = await clusterWithShops('a', 'b', 'c');
    await cluster.apply(ingress('a', { 'group.name': 'shops' }));
    await cluster.apply(ingress('b', { 'group.name': 'shops', 'group.order': '-1' }));
    await cluster.apply(ingress('c', { 'group.name': 'shops', scheme: 'internet-facing' }));
    await cluster.settle();
    expect(balancers(cluster).map((each) => each.text('LoadBalancerName'))).toEqual([expect.stringMatching(/^k8s-shops-[0-9a-f]{10}$/)]);
    expect(balancers(cluster)[0]?.text('Scheme')).toBe('internet-facing');
    expect(hosts(cluster)).toEqual(['b.example.com', 'a.example.com', 'c.example.com']);
    expect(new Set([await hostnameOf(cluster, 'a'), await hostnameOf(cluster, 'b')]).size).toBe(1);
    expect(await finalizersOf(cluster, 'a')).toEqual(['group.ingress.k8s.aws/shops']);
    const [binding] = await cluster.list(targetgroupbindings, { namespace: 'default' });
    expect(binding?.metadata.labels).toEqual({ 'ingress.k8s.aws/stack': 'shops' });
    await cluster.delete(ingresses, 'b');
    await cluster.waitUntilGone(ingresses, 'b');
    expect(hosts(cluster)).toEqual(['a.example.com', 'c.example.com']);
    for (const name of ['a', 'c']) await cluster.delete(ingresses, name);
    await cluster.waitUntilGone(ingresses, 'c');
    expect([balancers(cluster), await cluster.list(targetgroupbindings)]).toEqual([[], []]);
  });

  it('is left for another, or for none', async () => {
    const cluster = await clusterWithShops('a', 'b');
    for (const name of ['a', 'b']) await cluster.apply(ingress(name, { 'group.name': 'shops' }));
    await cluster.settle();
    const before = await hostnameOf(cluster, 'a');
    await cluster.kubectl(['annotate', 'ingress', 'a', `${ANNOTATIONS}group.name-`]);
    await cluster.settle();
    expect(await finalizersOf(cluster, 'a')).toEqual(['ingress.k8s.aws/resources']);
    expect(await hostnameOf(cluster, 'a')).not.toBe(before);
    expect(balancers(cluster)).toHaveLength(2);
    expect(await hostnameOf(cluster, 'b')).toBe(before);
  });

  it.each([
    [{ scheme: 'internal' }, 'conflicting scheme: map[internal:{} internet-facing:{}]'],
    [{ 'load-balancer-name': 'two' }, 'conflicting load balancer name: map[one:{} two:{}]'],
  ])('whose members disagree (%j) says so to all of them', async (annotations, why) => {
    const cluster = await clusterWithShops('a', 'b');
    const first = { scheme: 'internet-facing', 'load-balancer-name': 'one' };
    await cluster.apply(ingress('a', { 'group.name': 'shops', ...first }));
    await cluster.settle();
    await cluster.apply(ingress('b', { 'group.name': 'shops', ...annotations }));
    await cluster.settle();
    for (const name of ['a', 'b'])
      expect(await eventsOf(cluster, name)).toContain(`Warning FailedBuildModel: Failed build model due to ${why}`);
    expect(hosts(cluster)).toEqual(['a.example.com']);
  });

  it('has one default backend at most', async () => {
    const cluster = await clusterWithShops('a', 'b');
    const more = (name: string) => ({ defaultBackend: { service: { name, port: { number: 80 } } } });
    for (const name of ['a', 'b']) await cluster.apply(ingress(name, { 'group.name': 'shops' }, more(name)));
    await cluster.settle();
    expect(await eventsOf(cluster, 'b')).toContain('multiple ingress defined default backend: [default/a default/b]');
  });

  it.each([
    [{ 'group.name': 'Shops' }, {}, "invalid ingress group: groupName must consist of lower case alphanumeric characters, '-' or '.'"],
    [{}, { ingressClassName: 'none' }, 'invalid ingress class: IngressClass.networking.k8s.io "none" not found'],
  ])('is not found: %j %j', async (annotations, more, why) => {
    const cluster = await clusterWithShops('a');
    await cluster.apply(ingress('a', annotations, more));
    await cluster.settle();
    expect(await eventsOf(cluster, 'a')).toContain(`Warning FailedLoadGroupID: failed load groupID due to ${why}`);
    expect([balancers(cluster), await finalizersOf(cluster, 'a')]).toEqual([[], undefined]);
  });
});

describe('IngressClassParams', () => {
  const withParams = async (spec: IngressClassParams['spec']) => {
    const cluster = await clusterWithShops('a', 'b');
    await cluster.create(ingressclassparams, { metadata: { name: 'shared' }, ...(spec ? { spec } : {}) });
    await cluster.create(ingressclasses, {
      metadata: { name: 'shared' },
      spec: { controller: 'ingress.k8s.aws/alb', parameters: { apiGroup: 'elbv2.k8s.aws', kind: 'IngressClassParams', name: 'shared' } },
    });
    return cluster;
  };

  it('say more than annotations do', async () => {
    const cluster = await withParams({ group: { name: 'all' }, scheme: 'internet-facing', targetType: 'ip' });
    for (const name of ['a', 'b'])
      await cluster.apply(ingress(name, { scheme: 'internal', 'group.name': 'mine' }, { ingressClassName: 'shared' }));
    await cluster.settle();
    expect(balancers(cluster).map((each) => each.text('Scheme'))).toEqual(['internet-facing']);
    const bindings = await cluster.list(targetgroupbindings);
    expect(bindings.map(({ spec }) => spec.targetType)).toEqual(['ip', 'ip']);
    await cluster.edit(ingressclassparams, 'shared', ({ spec }) => void delete spec?.group);
    await cluster.settle();
    expect(await finalizersOf(cluster, 'a')).toEqual(['group.ingress.k8s.aws/mine']);
  });

  it('are for some namespaces only', async () => {
    const cluster = await withParams({ namespaceSelector: { matchLabels: { team: 'a' } } });
    await cluster.apply(ingress('a', {}, { ingressClassName: 'shared' }));
    await cluster.settle();
    expect(await eventsOf(cluster, 'a')).toContain(
      'failed load groupID due to invalid ingress class: namespaceSelector of IngressClassParams shared mismatch',
    );
    await cluster.edit(namespaces, 'default', ({ metadata }) => void Object.assign(metadata.labels ?? {}, { team: 'a' }));
    await cluster.kubectl(['annotate', 'ingress', 'a', 'look=again']);
    await cluster.settle();
    expect(balancers(cluster)).toHaveLength(1);
  });
});

import { describe, expect, it } from 'vitest';
import { ingresses, services } from '../../src/api/resources.ts';
import { parseXml, type XmlElement } from '../../src/api/xml-text.ts';
import { createTestCluster, type TestCluster } from '../../src/testing/index.ts';
import { targetgroupbindings } from './api.ts';

function albCluster(zones = ['us-west-2a', 'us-west-2b']): Promise<TestCluster> {
  return createTestCluster({
    nodes: [{ name: 'n1', images: ['nginx:1.27'] }],
    cloud: { zones },
    addons: { 'aws-load-balancer-controller': {} },
  });
}

/** Asks the account itself, as `aws elbv2` does. */
function elbv2({ aws }: TestCluster, action: string, parameters: Record<string, string> = {}): XmlElement | undefined {
  const role = aws?.iam.roles.get('eksNodeRole');
  const key = role && aws?.iam.issue(role, 'test').accessKeyId;
  const headers = { authorization: `AWS4-HMAC-SHA256 Credential=${key}/20260101/us-west-2/elasticloadbalancing/aws4_request` };
  const query = new URLSearchParams({ Action: action, ...parameters });
  const answer = aws?.handle({
    method: 'GET',
    url: `https://elasticloadbalancing.us-west-2.amazonaws.com/?${query}`,
    headers,
    timeoutMs: 1000,
  });
  return parseXml(answer?.body ?? '')?.get(`${action}Result`);
}

async function shop(cluster: TestCluster): Promise<void> {
  await cluster.kubectl(['create', 'deployment', 'shop', '--image=nginx:1.27', '--replicas=2']);
  await cluster.kubectl(['expose', 'deployment', 'shop', '--port=80', '--type=NodePort']);
}

const ingress = (paths: readonly object[], annotations: Record<string, string> = {}) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: {
    name: 'shop',
    namespace: 'default',
    annotations: { 'alb.ingress.kubernetes.io/scheme': 'internet-facing', 'alb.ingress.kubernetes.io/target-type': 'ip', ...annotations },
  },
  spec: { ingressClassName: 'alb', rules: [{ host: 'shop.example.com', http: { paths } }] },
});
const backend = (name: string) => ({ service: { name, port: { number: 80 } } });

describe('an Ingress', () => {
  it('gets a load balancer with a rule for each path, and pods as healthy targets', async () => {
    const cluster = await albCluster();
    await shop(cluster);
    await cluster.apply(
      ingress([
        { path: '/', pathType: 'Prefix', backend: backend('shop') },
        { path: '/cart', pathType: 'Prefix', backend: backend('shop') },
        { path: '/gone', pathType: 'Exact', backend: backend('nowhere') },
      ]),
    );
    await cluster.settle();
    const balancer = elbv2(cluster, 'DescribeLoadBalancers')?.get('LoadBalancers', 'member');
    const found = await cluster.get(ingresses, 'shop');
    expect(found?.status?.loadBalancer).toEqual({ ingress: [{ hostname: balancer?.text('DNSName') }] });
    expect(balancer?.text('LoadBalancerName')).toMatch(/^k8s-default-shop-[0-9a-f]{10}$/);
    const LoadBalancerArn = balancer?.text('LoadBalancerArn') ?? '';
    const ListenerArn = elbv2(cluster, 'DescribeListeners', { LoadBalancerArn })?.text('Listeners', 'member', 'ListenerArn') ?? '';
    const rules = elbv2(cluster, 'DescribeRules', { ListenerArn })?.items('Rules') ?? [];
    const described = rules.map((rule) => [
      rule.text('Priority'),
      ...rule.items('Conditions').map((condition) =>
        condition
          .items('Values')
          .map(({ content }) => content)
          .join(' '),
      ),
      rule.text('Actions', 'member', 'FixedResponseConfig', 'StatusCode') ?? 'forward',
    ]);
    expect(described).toEqual([
      ['1', 'shop.example.com', '/gone', '503'],
      ['2', 'shop.example.com', '/cart /cart/*', 'forward'],
      ['3', 'shop.example.com', '/*', 'forward'],
      ['default', '404'],
    ]);
    const [binding] = await cluster.list(targetgroupbindings, { namespace: 'default' });
    expect(binding?.spec).toMatchObject({ targetType: 'ip', serviceRef: { name: 'shop', port: 80 } });
    await cluster.advance(60_000);
    const health = elbv2(cluster, 'DescribeTargetHealth', { TargetGroupArn: binding?.spec.targetGroupARN ?? '' });
    expect(health?.items('TargetHealthDescriptions').map((target) => target.text('TargetHealth', 'State'))).toEqual(['healthy', 'healthy']);
    expect((await cluster.eventsOf(ingresses, 'shop'))[0]).toBe('Normal SuccessfullyReconciled: Successfully reconciled');
  });

  it('is followed when it changes', async () => {
    const cluster = await albCluster();
    await shop(cluster);
    await cluster.apply(ingress([{ path: '/', pathType: 'Prefix', backend: backend('shop') }]));
    await cluster.settle();
    await cluster.apply(
      ingress([{ path: '/new', pathType: 'Exact', backend: backend('nowhere') }], { 'alb.ingress.kubernetes.io/scheme': 'internal' }),
    );
    await cluster.settle();
    const balancers = elbv2(cluster, 'DescribeLoadBalancers')?.items('LoadBalancers') ?? [];
    expect(balancers.map((each) => each.text('Scheme'))).toEqual(['internal']);
    expect((await cluster.get(ingresses, 'shop'))?.status?.loadBalancer?.ingress?.[0]?.hostname).toMatch(/^internal-k8s-default-shop-/);
    expect(await cluster.list(targetgroupbindings)).toEqual([]);
    expect(elbv2(cluster, 'DescribeTargetGroups')?.items('TargetGroups')).toEqual([]);
  });

  it('says why there is no load balancer, and gets it in the end', async () => {
    const cluster = await albCluster();
    await shop(cluster);
    cluster.aws?.failures.set('elasticloadbalancing:CreateLoadBalancer', {
      code: 'TooManyLoadBalancers',
      message: 'The maximum number of load balancers has been reached',
    });
    await cluster.apply(ingress([{ path: '/', pathType: 'Prefix', backend: backend('shop') }]));
    await cluster.advance(10_000);
    expect((await cluster.eventsOf(ingresses, 'shop')).join('\n')).toMatch(
      /Warning FailedDeployModel: Failed deploy model due to operation error Elastic Load Balancing v2: CreateLoadBalancer, https response error StatusCode: 400, RequestID: [0-9a-f-]{36}, api error TooManyLoadBalancers: The maximum/,
    );
    cluster.aws?.failures.clear();
    await cluster.settle();
    expect((await cluster.get(ingresses, 'shop'))?.status?.loadBalancer?.ingress).toHaveLength(1);
  });

  it('needs two zones', async () => {
    const cluster = await albCluster(['us-west-2a']);
    await shop(cluster);
    await cluster.apply(ingress([{ path: '/', pathType: 'Prefix', backend: backend('shop') }]));
    await cluster.advance(5_000);
    expect((await cluster.eventsOf(ingresses, 'shop')).join('\n')).toContain(
      'At least two subnets in two different Availability Zones must be specified',
    );
  });

  it('writes nothing when the controller starts anew', async () => {
    const cluster = await albCluster();
    await shop(cluster);
    await cluster.apply(ingress([{ path: '/', pathType: 'Prefix', backend: backend('shop') }]));
    await cluster.settle();
    const { last } = cluster.simulation.trace;
    cluster.crash('aws-load-balancer-controller');
    cluster.restart('aws-load-balancer-controller');
    await cluster.settle();
    const asked = cluster.simulation.trace.entries.filter(
      (entry) =>
        entry.seq > last &&
        entry.kind === 'runtime' &&
        /AWS is asked: \S+:(Register|Deregister|Delete|Modify|CreateRule|CreateListener)/.test(entry.message),
    );
    expect(asked).toEqual([]);
  });
});

describe('a controller that crashes', () => {
  /** Plays an Ingress from beginning to end; the controller crashes right after its n-th request to AWS or write. @returns how many there were */
  async function play(crashAt: number): Promise<number> {
    const cluster = await albCluster();
    await shop(cluster);
    await cluster.settle();
    const name = 'aws-load-balancer-controller';
    const actor = cluster.simulation.actors.get(name);
    let steps = 0;
    cluster.simulation.trace.listen((entry) => {
      const isRequest = entry.kind === 'runtime' && /AWS is asked: elasticload\S+:(Create|Delete|Register|Deregister)/.test(entry.message);
      const isWrite = entry.kind === 'write' && entry.user.endsWith(`:${name}`);
      if (!isRequest && !isWrite) return;
      if (++steps !== crashAt) return;
      actor?.crash();
      actor?.start(1_000);
    });
    await cluster.apply(ingress([{ path: '/', pathType: 'Prefix', backend: backend('shop') }]));
    await cluster.settle();
    expect(elbv2(cluster, 'DescribeLoadBalancers')?.items('LoadBalancers')).toHaveLength(1);
    const [binding] = await cluster.list(targetgroupbindings, { namespace: 'default' });
    const health = elbv2(cluster, 'DescribeTargetHealth', { TargetGroupArn: binding?.spec.targetGroupARN ?? '' });
    expect(health?.items('TargetHealthDescriptions')).toHaveLength(2);
    await cluster.delete(ingresses, 'shop');
    await cluster.settle();
    const left = ['LoadBalancers', 'TargetGroups'].flatMap((what) => elbv2(cluster, `Describe${what}`)?.items(what) ?? []);
    expect([left, await cluster.get(ingresses, 'shop'), await cluster.list(targetgroupbindings)]).toEqual([[], undefined, []]);
    return steps;
  }

  it('leaves nothing half done, wherever that is', async () => {
    const steps = await play(0);
    expect(steps).toBeGreaterThan(10);
    for (let crashAt = 1; crashAt <= steps; crashAt++) await play(crashAt);
  });
});

describe('a Service', () => {
  const service = (spec: object, annotations: Record<string, string> = {}) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'direct', namespace: 'default', annotations },
    spec: { type: 'LoadBalancer', selector: { app: 'shop' }, ports: [{ port: 80 }], ...spec },
  });

  it('of the class gets a network load balancer for the machines', async () => {
    const cluster = await albCluster();
    await shop(cluster);
    await cluster.apply(service({}));
    await cluster.settle();
    const found = await cluster.get(services, 'direct');
    expect(found?.metadata.finalizers).toEqual(['service.k8s.aws/resources']);
    expect(found?.status?.loadBalancer?.ingress?.[0]?.hostname).toMatch(
      /^k8s-default-direct-[0-9a-f]{10}-[0-9a-f]{16}\.elb\.us-west-2\.amazonaws\.com$|^internal-/,
    );
    const [binding] = await cluster.list(targetgroupbindings, { namespace: 'default' });
    const health = elbv2(cluster, 'DescribeTargetHealth', { TargetGroupArn: binding?.spec.targetGroupARN ?? '' });
    const target = health?.get('TargetHealthDescriptions', 'member', 'Target');
    expect([target?.text('Id'), target?.text('Port')]).toEqual([
      cluster.aws?.ec2.instances.all[0]?.instanceId,
      String(found?.spec?.ports?.[0]?.nodePort),
    ]);
    await cluster.advance(60_000);
    const healthOf = elbv2(cluster, 'DescribeTargetHealth', { TargetGroupArn: binding?.spec.targetGroupARN ?? '' });
    expect(healthOf?.text('TargetHealthDescriptions', 'member', 'TargetHealth', 'State')).toBe('healthy');
  });

  it('without a class is given this one; without the controller there are no new Services at all', async () => {
    const cluster = await albCluster();
    await cluster.apply(service({}));
    expect((await cluster.get(services, 'direct'))?.spec?.loadBalancerClass).toBe('service.k8s.aws/nlb');
    cluster.crash('aws-load-balancer-controller');
    const { stderr } = await cluster.kubectl(['create', 'service', 'clusterip', 'other', '--tcp=80']);
    expect(stderr.join('')).toContain(
      'failed calling webhook "mservice.elbv2.k8s.aws": failed to call webhook: Post "https://127.0.0.1:9443/mutate-v1-service?timeout=10s": dial tcp 127.0.0.1:9443: connect: connection refused',
    );
  });
});

it.each([
  [{ type: 'nlb-ip' }, { scheme: 'internal', target: 'ip', name: 'k8s-default-direct-' }],
  [
    { type: 'external', internal: 'false' },
    { scheme: 'internet-facing', target: 'instance', name: 'k8s-default-direct-' },
  ],
  [
    { type: 'external', name: 'my-lb', scheme: 'internet-facing', 'nlb-target-type': 'ip' },
    { scheme: 'internet-facing', target: 'ip', name: 'my-lb' },
  ],
])('a Service with %j gets a load balancer that is %j', async (annotations, { scheme, target, name }) => {
  const cluster = await albCluster();
  await cluster.apply({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name: 'direct',
      namespace: 'default',
      annotations: Object.fromEntries(
        Object.entries(annotations).map(([key, value]) => [`service.beta.kubernetes.io/aws-load-balancer-${key}`, value]),
      ),
    },
    spec: {
      ...{ type: 'LoadBalancer', selector: { app: 'shop' } },
      ports: [
        { name: 'web', port: 80 },
        { name: 'dns', port: 53, protocol: 'UDP' },
      ],
    },
  } as never);
  await cluster.settle();
  const balancer = elbv2(cluster, 'DescribeLoadBalancers')?.get('LoadBalancers', 'member');
  expect(balancer?.text('Scheme')).toBe(scheme);
  expect(balancer?.text('LoadBalancerName')).toContain(name);
  const groups = elbv2(cluster, 'DescribeTargetGroups')?.items('TargetGroups') ?? [];
  const found = groups.map((group) => ['Protocol', 'TargetType', 'HealthCheckProtocol'].map((field) => group.text(field)));
  expect(found.sort()).toEqual([
    ['TCP', target, 'TCP'],
    ['UDP', target, 'TCP'],
  ]);
});

it('says that a name is too long', async () => {
  const cluster = await albCluster();
  await cluster.apply(
    ingress([{ path: '/', pathType: 'Prefix', backend: backend('shop') }], {
      'alb.ingress.kubernetes.io/load-balancer-name': 'a'.repeat(33),
    }),
  );
  await cluster.advance(1_000);
  expect((await cluster.eventsOf(ingresses, 'shop')).join()).toContain('load balancer name cannot be longer than 32 characters');
});

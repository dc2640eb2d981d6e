import { expect, it } from 'vitest';
import { nodes, services } from '../../src/api/resources.ts';
import { createTestCluster } from '../../src/testing/index.ts';

it('says what the machines of nodes are, and that one is gone', async () => {
  const cluster = await createTestCluster({ nodes: 2, cloud: { region: 'eu-west-1', instanceType: 'm5.xlarge' }, addons: { aws: {} } });
  const instance = cluster.aws?.ec2.instances.all.find(({ name }) => name === 'n2');
  const node = await cluster.get(nodes, 'n2');
  expect(node?.spec).toMatchObject({ providerID: `aws:///eu-west-1b/${instance?.instanceId}` });
  expect(node?.spec?.taints).toBeUndefined();
  expect(node?.status?.addresses).toEqual([
    { type: 'InternalIP', address: '192.168.32.10' },
    { type: 'InternalDNS', address: 'ip-192-168-32-10.eu-west-1.compute.internal' },
    { type: 'Hostname', address: 'ip-192-168-32-10.eu-west-1.compute.internal' },
  ]);
  expect(node?.status?.capacity).toMatchObject({ cpu: '4', memory: '16Gi' });
  cluster.crash('kubelet/n2');
  if (instance) instance.state = 'terminated';
  await cluster.advance(120_000);
  expect(await cluster.get(nodes, 'n2')).toBeUndefined();
  expect(await cluster.get(nodes, 'n1')).toBeDefined();
});

it('makes load balancers for Services that nobody else looks after', async () => {
  const cluster = await createTestCluster({ nodes: 1, addons: { aws: {} } });
  await cluster.kubectl(['create', 'deployment', 'shop', '--image=nginx:1.27']);
  await cluster.kubectl(['expose', 'deployment', 'shop', '--port=80', '--type=LoadBalancer']);
  await cluster.settle();
  const found = await cluster.get(services, 'shop');
  expect(found?.metadata.finalizers).toEqual(['service.kubernetes.io/load-balancer-cleanup']);
  expect(found?.status?.loadBalancer?.ingress?.[0]?.hostname).toMatch(/^a[0-9a-f]{31}-[0-9a-f]{16}\.elb\.us-west-2\.amazonaws\.com$/);
  const asked = (): string[] =>
    cluster.simulation.trace.entries.flatMap((entry) =>
      entry.kind === 'runtime' ? (/elasticloadbalancing:(Create|Register|Delete)\w+/.exec(entry.message)?.[0] ?? []) : [],
    );
  expect(asked()).toEqual([
    'elasticloadbalancing:CreateLoadBalancer',
    'elasticloadbalancing:CreateTargetGroup',
    'elasticloadbalancing:RegisterTargets',
    'elasticloadbalancing:CreateTargetGroup',
    'elasticloadbalancing:CreateListener',
  ]);
  await cluster.delete(services, 'shop');
  await cluster.settle();
  expect(await cluster.get(services, 'shop')).toBeUndefined();
  expect(
    asked()
      .slice(5)
      .filter((action) => action.includes('Delete')),
  ).toEqual(['elasticloadbalancing:DeleteLoadBalancer', 'elasticloadbalancing:DeleteTargetGroup']);
});

import { expect, it } from 'vitest';
import { nodes } from '../../src/api/resources.ts';
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

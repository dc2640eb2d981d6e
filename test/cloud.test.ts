import { describe, expect, it } from 'vitest';
import type { Node, Service } from '../src/api/kinds/core-v1.ts';
import { events, nodes, services } from '../src/api/resources.ts';
import { type Cluster, createCluster } from '../src/cluster/cluster.ts';

const NEW_NODE: Node = {
  metadata: { name: 'vm-1' },
  spec: { taints: [{ key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' }] },
};
const WEB: Service = {
  metadata: { name: 'web', namespace: 'default' },
  spec: { type: 'LoadBalancer', selector: { app: 'web' }, ports: [{ port: 80 }] },
};

async function clusterInCloud(): Promise<{ cluster: Cluster; cloud: NonNullable<Cluster['cloud']> }> {
  const cluster = await createCluster({ nodes: 2, cloud: { zones: ['zone-a', 'zone-b'] } });
  const { cloud } = cluster;
  if (!cloud) throw new Error('there is no cloud');
  return { cluster, cloud };
}

const node = (cluster: Cluster, name: string): Promise<Node> => cluster.call((client) => client.resource(nodes).get({ name }));
const service = (cluster: Cluster): Promise<Service> =>
  cluster.call((client) => client.resource(services).get({ namespace: 'default', name: 'web' }));
const reasons = async (cluster: Cluster, name: string): Promise<string[]> => {
  const { items } = await cluster.call((client) => client.resource(events).list({ namespace: 'default' }));
  return items.filter(({ involvedObject }) => involvedObject.name === name).map(({ reason }) => reason ?? '');
};

describe('a cluster in a cloud', () => {
  it('initializes a node as the cloud knows its machine, and deletes it with the machine', async () => {
    const { cluster, cloud } = await clusterInCloud();
    cloud.instances.set('vm-1', {
      providerID: 'bottle:///zone-b/i-1',
      type: 't3.small',
      zone: 'zone-b',
      region: 'r',
      addresses: [{ type: 'InternalIP', address: '192.0.2.1' }],
    });
    await cluster.call((client) => client.resource(nodes).create(NEW_NODE));
    await cluster.settle();
    const { metadata, spec, status } = await node(cluster, 'vm-1');
    expect(spec?.providerID).toBe('bottle:///zone-b/i-1');
    expect(metadata.labels?.['topology.kubernetes.io/zone']).toBe('zone-b');
    expect(spec?.taints?.map(({ key }) => key) ?? []).not.toContain('node.cloudprovider.kubernetes.io/uninitialized');
    expect(status?.addresses).toEqual([{ type: 'InternalIP', address: '192.0.2.1' }]);
    cloud.instances.delete('vm-1');
    await cluster.advance(10_000);
    await expect(node(cluster, 'vm-1')).rejects.toMatchObject({ code: 404 });
    expect(await reasons(cluster, 'vm-1')).toContain('DeletingNode');
  });

  it('leaves a node that is ready alone, whatever the cloud says', async () => {
    const { cluster, cloud } = await clusterInCloud();
    cloud.instances.delete('n1');
    await cluster.advance(30_000);
    expect((await node(cluster, 'n1')).metadata.name).toBe('n1');
  });

  it('waits with the end of a Service until its load balancer is gone', async () => {
    const { cluster, cloud } = await clusterInCloud();
    await cluster.call((client) => client.resource(services).create(WEB));
    await cluster.settle();
    expect((await service(cluster)).status?.loadBalancer?.ingress).toEqual([{ ip: '203.0.113.1', ipMode: 'VIP' }]);
    expect(cloud.loadBalancers.get('default/web')?.nodes).toEqual(['n1', 'n2']);
    cloud.failures.set('EnsureLoadBalancerDeleted', 'the cloud is on holiday');
    await cluster.call((client) => client.resource(services).delete({ namespace: 'default', name: 'web' }));
    await cluster.advance(3_000);
    expect((await service(cluster)).metadata.deletionTimestamp).toBeDefined();
    expect(await reasons(cluster, 'web')).toContain('SyncLoadBalancerFailed');
    cloud.failures.clear();
    await cluster.settle();
    await expect(service(cluster)).rejects.toMatchObject({ code: 404 });
    expect(cloud.loadBalancers.size).toBe(0);
  });

  it('tells load balancers of new nodes', async () => {
    const { cluster, cloud } = await clusterInCloud();
    await cluster.call((client) => client.resource(services).create(WEB));
    await cluster.settle();
    cloud.instances.set('vm-1', { providerID: 'bottle:///zone-a/i-1', addresses: [] });
    await cluster.call((client) => client.resource(nodes).create(NEW_NODE));
    await cluster.settle();
    expect(cloud.loadBalancers.get('default/web')?.nodes).toEqual(['n1', 'n2', 'vm-1']);
    expect(await reasons(cluster, 'web')).toContain('UpdatedLoadBalancer');
  });

  it('goes on where it was when its process has crashed in the middle', async () => {
    const { cluster, cloud } = await clusterInCloud();
    await cluster.call((client) => client.resource(services).create(WEB));
    await cluster.advance(20);
    cluster.fault({ fault: 'crash', component: 'cloud-controller-manager' });
    await cluster.advance(1_000);
    expect((await service(cluster)).status?.loadBalancer).toEqual({});
    cluster.fault({ fault: 'restart', component: 'cloud-controller-manager' });
    await cluster.advance(60_000);
    expect((await service(cluster)).status?.loadBalancer?.ingress).toBeDefined();
    expect([...cloud.loadBalancers.keys()]).toEqual(['default/web']);
  });
});

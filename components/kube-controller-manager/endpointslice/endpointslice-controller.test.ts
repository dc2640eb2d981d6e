import { expect, test } from 'vitest';
import type { Pod, Service } from '../../../src/api/kinds/core-v1.ts';
import type { EndpointSlice } from '../../../src/api/kinds/discovery-v1.ts';
import { endpoints, endpointslices, nodes, pods, services } from '../../../src/api/resources.ts';
import type { Client } from '../../../src/client/client.ts';
import { ControlPlane } from '../../../test/support/control-plane.ts';

const TIME = '2026-01-01T00:00:00Z';

async function newPlane(): Promise<ControlPlane> {
  const plane = new ControlPlane(['endpointslice-controller', 'endpoints-controller', 'serviceaccount-controller']);
  await plane.simulation.settle();
  await plane.act((client) => client.resource(nodes).create({ metadata: { name: 'n1', labels: { 'topology.kubernetes.io/zone': 'a' } } }));
  return plane;
}

async function readyPod(client: Client, name: string, ip: string, spec: Partial<NonNullable<Pod['spec']>> = {}): Promise<void> {
  const metadata = { namespace: 'default', name, labels: { app: 'web' } };
  await client.resource(pods).create({ metadata, spec: { containers: [{ name: 'c', image: 'nginx' }], nodeName: 'n1', ...spec } });
  const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime: TIME }];
  const status = { phase: 'Running', podIP: ip, podIPs: [{ ip }], conditions };
  await client.resource(pods).patch({ namespace: 'default', name }, { status }, { type: 'strategic', subresource: 'status' });
}

const web = (spec: Partial<NonNullable<Service['spec']>> = {}): Service => ({
  metadata: { namespace: 'default', name: 'web' },
  spec: { selector: { app: 'web' }, ports: [{ port: 80 }], ...spec },
});

async function slicesOf(plane: ControlPlane): Promise<EndpointSlice[]> {
  const selector = { namespace: 'default', labelSelector: 'kubernetes.io/service-name=web' };
  return (await plane.act((client) => client.resource(endpointslices).list(selector))).items;
}

function picture(slices: readonly EndpointSlice[]): string[] {
  return slices.map(({ endpoints: list, ports }) => {
    const places = (list ?? []).map(({ addresses, conditions, zone }) => {
      const states = Object.entries(conditions ?? {}).flatMap(([state, holds]) => (holds ? [state] : []));
      return `${addresses[0]} ${states.join('+')} ${zone}`;
    });
    return `[${places.join(', ')}] at ${(ports ?? []).map(({ name, port }) => `${name}:${port}`).join(' ') || 'none'}`;
  });
}

test('a slice follows its pods: placeholder, ready, relabelled, back', async () => {
  const plane = await newPlane();
  await plane.act((client) => client.resource(services).create(web()));
  await plane.simulation.settle();
  expect(picture(await slicesOf(plane))).toEqual(['[] at none']);

  await plane.act((client) => readyPod(client, 'a', '10.0.0.1'));
  await plane.simulation.settle();
  const [slice] = await slicesOf(plane);
  expect(picture(await slicesOf(plane))).toEqual(['[10.0.0.1 ready+serving a] at :80']);
  expect(slice?.metadata.labels).toEqual({
    'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
    'kubernetes.io/service-name': 'web',
  });
  expect(slice?.metadata.annotations).toEqual({ 'endpoints.kubernetes.io/last-change-trigger-time': TIME });

  const relabel = (app: string) => (client: Client) =>
    client.resource(pods).patch({ namespace: 'default', name: 'a' }, { metadata: { labels: { app } } }, { type: 'merge' });
  await plane.act(relabel('other'));
  await plane.simulation.settle();
  const [emptied] = await slicesOf(plane);
  expect([emptied?.metadata.name, emptied?.metadata.annotations]).toEqual([slice?.metadata.name, undefined]);
  await plane.act(relabel('web'));
  await plane.simulation.settle();
  expect(picture(await slicesOf(plane))).toEqual(['[10.0.0.1 ready+serving a] at :80']);
  expect(plane.writes('endpointslices').map((line) => line.replace(/^\d+ /, ''))).toEqual([
    `endpointslice-controller create ${slice?.metadata.name}`,
    ...Array(3).fill(`endpointslice-controller update ${slice?.metadata.name}`),
  ]);
});

test('more than 100 pods fill slices of 100; ports are sorted as upstream does', async () => {
  const plane = await newPlane();
  await plane.act(async (client) => {
    for (let i = 0; i < 120; i++)
      await readyPod(client, `p${i}`, `10.0.0.${i}`, {
        containers: [{ name: 'c', image: 'nginx', ports: [{ name: 'm', containerPort: 9090 }] }],
      });
    const ports = [
      { name: 'http', port: 80, targetPort: 8080, appProtocol: 'kubernetes.io/h2c' },
      { name: 'metrics', port: 9000, targetPort: 'm' },
      { name: 'dns', port: 53, protocol: 'UDP' },
    ];
    await client.resource(services).create(web({ ports }));
  });
  await plane.simulation.settle();
  const slices = await slicesOf(plane);
  expect(slices.map((slice) => slice.endpoints.length).sort()).toEqual([100, 20].sort());
  expect(slices[0]?.ports?.map(({ name }) => name)).toEqual(['dns', 'http', 'metrics']);
  const written = await plane.act((client) => client.resource(endpoints).get({ namespace: 'default', name: 'web' }));
  expect(written.subsets?.[0]?.ports?.map(({ name }) => name)).toEqual(['dns', 'metrics', 'http']);
  expect(written.subsets?.[0]?.addresses).toHaveLength(120);
});

test('a pod that is being deleted stays in the slice as terminating, and leaves Endpoints', async () => {
  const plane = await newPlane();
  await plane.act(async (client) => {
    await readyPod(client, 'a', '10.0.0.1');
    await client.resource(services).create(web({ trafficDistribution: 'PreferClose' }));
  });
  await plane.simulation.settle();
  const [slice] = await slicesOf(plane);
  expect(slice?.endpoints[0]?.hints).toEqual({ forZones: [{ name: 'a' }] });
  await plane.act((client) => client.resource(pods).delete({ namespace: 'default', name: 'a' }));
  await plane.simulation.settle();
  expect(picture(await slicesOf(plane))).toEqual(['[10.0.0.1 serving+terminating a] at :80']);
  const written = await plane.act((client) => client.resource(endpoints).get({ namespace: 'default', name: 'web' }));
  expect(written.subsets).toBeUndefined();
});

import { expect, test } from 'vitest';
import type { Endpoints } from '../../../src/api/kinds/core-v1.ts';
import { endpoints, endpointslices, services } from '../../../src/api/resources.ts';
import { ControlPlane } from '../../../test/support/control-plane.ts';

async function mirrored(plane: ControlPlane): Promise<string[]> {
  await plane.simulation.settle();
  const { items } = await plane.act((client) =>
    client.resource(endpointslices).list({ namespace: 'default', labelSelector: 'kubernetes.io/service-name=ext' }),
  );
  return items.map(({ addressType, endpoints: list, ports }) => {
    const places = list.map(({ addresses, conditions }) => `${addresses[0]}${conditions?.ready ? '' : ' (not ready)'}`);
    return `${addressType} ${places.join(', ')} at ${(ports ?? []).map(({ port }) => port).join()}`;
  });
}

test('Endpoints by hand are copied into slices, and the copies follow', async () => {
  const plane = new ControlPlane(['endpointslice-mirroring-controller']);
  await plane.simulation.settle();
  const at = { namespace: 'default', name: 'ext' };
  const subsets = [
    { addresses: [{ ip: '198.51.100.7' }, { ip: '2001:db8::7' }], notReadyAddresses: [{ ip: '198.51.100.8' }], ports: [{ port: 8080 }] },
  ];
  await plane.act(async (client) => {
    await client.resource(services).create({ metadata: at, spec: { ports: [{ port: 80 }] } });
    await client.resource(endpoints).create({ metadata: at, subsets });
  });
  expect((await mirrored(plane)).sort()).toEqual(['IPv4 198.51.100.7, 198.51.100.8 (not ready) at 8080', 'IPv6 2001:db8::7 at 8080']);

  const change: Partial<Endpoints> = { subsets: [{ addresses: [{ ip: '198.51.100.8' }], ports: [{ port: 8080 }] }] };
  await plane.act((client) => client.resource(endpoints).patch(at, change, { type: 'merge' }));
  expect(await mirrored(plane)).toEqual(['IPv4 198.51.100.8 at 8080']);

  await plane.act((client) => client.resource(services).patch(at, { spec: { selector: { app: 'web' } } }, { type: 'merge' }));
  expect(await mirrored(plane)).toEqual([]);
});

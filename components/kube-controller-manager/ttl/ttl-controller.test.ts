import { expect, test } from 'vitest';
import { nodes } from '../../../src/api/resources.ts';
import { ControlPlane } from '../../../test/support/control-plane.ts';

test('nodes may cache for longer in larger clusters', async () => {
  const plane = new ControlPlane(['ttl-controller']);
  await plane.simulation.settle();
  const add = (from: number, to: number): Promise<void> =>
    plane.act(async (client) => {
      for (let i = from; i <= to; i++) await client.resource(nodes).create({ metadata: { name: `n${i}` } });
    });
  const ttlOf = async (name: string): Promise<string | undefined> => {
    await plane.simulation.settle();
    return (await plane.act((client) => client.resource(nodes).get({ name }))).metadata.annotations?.['node.alpha.kubernetes.io/ttl'];
  };
  await add(1, 100);
  expect(await ttlOf('n100')).toBe('0');
  await add(101, 101);
  expect(await ttlOf('n101')).toBe('15');
});

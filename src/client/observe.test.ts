import { filter, map } from 'rxjs';
import { expect, it } from 'vitest';
import type { ConfigMap } from '../api/kinds/core-v1.ts';
import { configmaps } from '../api/resources.ts';
import { createCluster } from '../cluster/cluster.ts';
import { SharedInformerFactory } from './informer-factory.ts';
import { type Change, observe } from './observe.ts';

it('shows what comes, changes and goes', async () => {
  const cluster = await createCluster({ nodes: 0, components: [] });
  const at = { namespace: 'default', name: 'a' };
  const seen: string[] = [];
  const words = ({ before, after }: Change<ConfigMap>): string => `${before?.data?.['x'] ?? '-'} > ${after?.data?.['x'] ?? '-'}`;
  await cluster.call(async (client) => {
    const informers = new SharedInformerFactory(client);
    const informer = informers.forResource(configmaps);
    const subscription = observe(informer)
      .pipe(
        filter(({ before, after }) => (after ?? before)?.metadata.name === 'a'),
        map(words),
      )
      .subscribe((line) => void seen.push(line));
    informers.start();
    await informers.waitForCacheSync();
    const maps = client.resource(configmaps);
    const made = await maps.create({ metadata: at, data: { x: '1' } });
    await maps.update({ ...made, data: { x: '2' } });
    await maps.delete(at);
    await client.actor.sleep(10);
    subscription.unsubscribe();
    await maps.create({ metadata: at, data: { x: '3' } });
    await client.actor.sleep(10);
  });
  expect(seen).toEqual(['- > 1', '1 > 2', '2 > -']);
});

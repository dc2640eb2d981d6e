import { expect, test } from 'vitest';
import { Cluster } from './cluster.ts';

test('kube-apiserver sees whether the components beside it are up', async () => {
  const cluster = new Cluster({ nodes: 0 });
  await cluster.settle();
  const statuses = async (): Promise<string[]> => {
    const { stdout } = await cluster.kubectl(['get', 'componentstatuses', '--no-headers']);
    return stdout.map((line) => line.split(/\s+/).slice(0, 3).join(' '));
  };
  expect(await statuses()).toEqual(['controller-manager Healthy ok', 'etcd-0 Healthy ok', 'scheduler Healthy ok']);
  cluster.fault({ fault: 'crash', component: 'kube-scheduler' });
  expect(await statuses()).toEqual(['controller-manager Healthy ok', 'etcd-0 Healthy ok', 'scheduler Unhealthy Get']);
});

import { expect, it } from 'vitest';
import type { Pod, PodCondition } from './kinds/core-v1.ts';
import { quotaUsage } from './quota-usage.ts';

/** A pod that is being resized from `has` to `wants`. */
function resized({ has, wants, conditions = [] }: { has: string; wants: string; conditions?: PodCondition[] }): Pod {
  const amounts = (cpu: string) => ({ requests: { cpu }, limits: { cpu } });
  return {
    metadata: { name: 'web', namespace: 'default' },
    spec: { containers: [{ name: 'c', image: 'nginx', resources: amounts(wants) }] },
    status: {
      conditions,
      containerStatuses: [
        {
          name: 'c',
          image: 'nginx',
          imageID: '',
          ready: true,
          restartCount: 0,
          allocatedResources: { cpu: has },
          resources: amounts(has),
        },
      ],
    },
  };
}

function cpuOf(pod: Pod): string[] {
  const usage = quotaUsage({ group: '', resource: 'pods' }, pod, 0);
  return [String(usage['requests.cpu']), String(usage['limits.cpu'])];
}

it('counts what a pod has for as long as that is more than it wants', () => {
  expect(cpuOf(resized({ has: '500m', wants: '0.2' }))).toEqual(['500m', '500m']);
  expect(cpuOf(resized({ has: '500m', wants: '0.8' }))).toEqual(['800m', '800m']);
});

it('does not count what no node can give', () => {
  const conditions = [{ type: 'PodResizePending', status: 'True', reason: 'Infeasible' }];
  expect(cpuOf(resized({ has: '500m', wants: '100', conditions }))).toEqual(['500m', '500m']);
});

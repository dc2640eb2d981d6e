import { expect, it } from 'vitest';
import type { ContainerStats, HostFiles } from '../../../src/api/cri.ts';
import { podOf } from '../../../test/support/runtime-states.ts';
import { exceededLocalStorage } from './local-storage.ts';

const MI = 1024 ** 2;
const files = (size: number): HostFiles => ({ size: () => size }) as unknown as HostFiles;
const stats = (container: string, rootfsBytes: number): ContainerStats => ({
  ...{ podUid: 'u', namespace: 'default', pod: 'p', container, startedAt: 0, cpuNanos: 0, memoryBytes: 0 },
  ...{ rootfsBytes, logBytes: 0, processes: 1 },
});
const limits = (storage: string) => ({ resources: { limits: { 'ephemeral-storage': storage } } });

it('is within its limits', () => {
  const pod = podOf({ containers: [{ name: 'a', ...limits('10Mi') }] });
  expect(exceededLocalStorage(pod, { memory: 0, disk: MI, processes: 1, containers: [stats('a', MI)] }, files(0))).toBeUndefined();
});

it('names the emptyDir, the pod or the container that is too large', () => {
  const volume = podOf({ containers: [{ name: 'a' }], volumes: [{ name: 'cache', emptyDir: { sizeLimit: '1Mi' } }] });
  expect(exceededLocalStorage(volume, undefined, files(2 * MI))).toBe('Usage of EmptyDir volume "cache" exceeds the limit "1Mi". ');
  const pod = podOf({
    containers: [
      { name: 'a', ...limits('10Mi') },
      { name: 'b', ...limits('20Mi') },
    ],
  });
  const containers = [stats('a', 15 * MI), stats('b', MI)];
  expect(exceededLocalStorage(pod, { memory: 0, disk: 16 * MI, processes: 2, containers }, files(0))).toBe(
    'Container a exceeded its local ephemeral storage limit "10Mi". ',
  );
  expect(exceededLocalStorage(pod, { memory: 0, disk: 40 * MI, processes: 2, containers }, files(0))).toBe(
    'Pod ephemeral local storage usage exceeds the total limit of containers 30Mi. ',
  );
});

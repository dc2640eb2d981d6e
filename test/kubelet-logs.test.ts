// Goal: logs of containers that are gone. Method: a container fails again and again; its kubelet keeps the last dead one alone.
import { expect, it } from 'vitest';
import type { ContainerStatus } from '../src/api/kinds/core-v1.ts';
import { oneNode, pod, statusOf } from './support/pods.ts';

it('says of a log that went with its container that it cannot be had', async () => {
  const cluster = await oneNode();
  const containers = [{ name: 'main', image: 'busybox:1.36', command: ['sh', '-c', 'echo hi; sleep 2; exit 1'] }];
  await cluster.apply(pod('p', { containers }));
  const previous = async (): Promise<string> => {
    const { stdout, stderr } = await cluster.kubectl(['logs', 'p', '--previous']);
    return [...stdout, ...stderr].join('\n');
  };
  /** The container's status once it is in this state after so many restarts. */
  const reach = async (state: 'terminated' | 'waiting', restarts: number): Promise<ContainerStatus | undefined> => {
    for (let tries = 0; tries < 120; tries++) {
      const [main] = (await statusOf(cluster, 'p')).containerStatuses ?? [];
      if (main?.restartCount === restarts && main.state?.[state]) return main;
      await cluster.advance(500);
    }
    return undefined;
  };
  await reach('terminated', 0);
  expect(await previous()).toBe('Error from server (BadRequest): previous terminated container "main" in pod "p" not found');
  const failed = await reach('terminated', 1);
  await cluster.advance(2000);
  expect(await previous()).toBe(`unable to retrieve container logs for ${failed?.lastState?.terminated?.containerID}`);
  await reach('waiting', 1);
  expect(await previous()).toBe('hi');
});

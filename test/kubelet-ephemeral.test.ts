// Goal: what becomes of containers for debugging that cannot start. Method: a whole cluster, statuses out.
import { resources } from 'bottleship';
import { expect, it } from 'vitest';
import { oneNode, pod, statusOf } from './support/pods.ts';

const { pods } = resources;

it('an ephemeral container that cannot start says why, and the pod stays ready', async () => {
  const cluster = await oneNode();
  await cluster.apply(pod('web', { containers: [{ name: 'web', image: 'nginx:1.27' }] }));
  await cluster.waitUntilReady(pods, 'web');
  const ephemeralContainers = [
    { name: 'a', image: 'localhost:5999/nope:1' },
    { name: 'b', image: 'busybox:1.36', command: ['nope'] },
  ];
  await cluster.call((client) =>
    client
      .resource(pods)
      .patch(
        { namespace: 'default', name: 'web' },
        { spec: { ephemeralContainers } },
        { type: 'strategic', subresource: 'ephemeralcontainers' },
      ),
  );
  await cluster.advance(5_000);
  const { ephemeralContainerStatuses: statuses, conditions } = await statusOf(cluster, 'web');
  expect(statuses).toMatchObject([
    { state: { waiting: { reason: 'ErrImagePull', message: expect.stringContaining('connection refused') } } },
    { state: { waiting: { reason: 'RunContainerError' } }, lastState: { terminated: { reason: 'StartError', exitCode: 128 } } },
  ]);
  expect(conditions?.find(({ type }) => type === 'Ready')).toMatchObject({ status: 'True' });
});

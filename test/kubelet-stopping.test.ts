// Goal: what becomes of pods that are deleted, in whatever they are at that moment. Method: a whole cluster, deletions in, times and events out.
import { resources } from 'bottleship';
import { describe, expect, it } from 'vitest';
import { containerOf, oneNode, pod, shell, statusOf } from './support/pods.ts';

const { pods } = resources;

describe('a pod that is deleted', () => {
  it('takes as long as the first deletion said: the kubelet does not hear of less time while it waits for the containers', async () => {
    const cluster = await oneNode();
    await cluster.apply(shell('slow', 'exec sleep 10000', { terminationGracePeriodSeconds: 60 }));
    await cluster.waitUntilReady(pods, 'slow');
    const before = cluster.simulation.now;
    await cluster.kubectl(['delete', 'pod', 'slow', '--wait=false']);
    await cluster.advance(10_000);
    await cluster.kubectl(['delete', 'pod', 'slow', '--wait=false', '--grace-period=15']);
    expect((await cluster.get(pods, 'slow'))?.metadata.deletionGracePeriodSeconds).toBe(15);
    await cluster.waitUntilGone(pods, 'slow', { withinMs: 60_000 });
    expect(cluster.simulation.now - before).toBeGreaterThan(60_000);
    expect((await cluster.eventsOf(pods, 'slow')).filter((event) => event.includes('Killing'))).toEqual([
      'Normal Killing: Stopping container main',
    ]);
  });

  it('waits for the pull of an image, and for the start of the container', async () => {
    const cluster = await oneNode({ images: [{ name: 'huge:1', pull: { ms: 60_000 } }] });
    await cluster.apply(pod('pulling', { containers: [{ name: 'c', image: 'huge:1' }] }));
    await cluster.advance(5_000);
    await cluster.kubectl(['delete', 'pod', 'pulling', '--wait=false']);
    await cluster.advance(50_000);
    expect((await containerOf(cluster, 'pulling'))?.state).toEqual({ waiting: { reason: 'ContainerCreating' } });
    await cluster.waitUntilGone(pods, 'pulling', { withinMs: 20_000 });
    expect((await cluster.eventsOf(pods, 'pulling')).map((event) => event.replace(/^Normal (\w+):.*/, '$1')).slice(-3)).toEqual([
      'Created',
      'Started',
      'Killing',
    ]);
  });

  it('ends the wait for volumes', async () => {
    const cluster = await oneNode();
    const volumes = [{ name: 'v', secret: { secretName: 'missing' } }];
    const containers = [{ name: 'c', image: 'nginx:1.27', volumeMounts: [{ name: 'v', mountPath: '/v' }] }];
    await cluster.apply(pod('waiting', { containers, volumes }));
    await cluster.advance(5_000);
    await cluster.kubectl(['delete', 'pod', 'waiting', '--wait=false']);
    await cluster.waitUntilGone(pods, 'waiting', { withinMs: 5_000 });
  });

  it('runs preStop within the grace period, and sidecars last', async () => {
    const cluster = await oneNode();
    const command = ['sh', '-c', "trap 'exit 0' TERM; sleep 10000 & wait"];
    const main = { name: 'main', image: 'busybox:1.36', command, lifecycle: { preStop: { sleep: { seconds: 4 } } } };
    await cluster.apply(
      pod('web', { containers: [main], initContainers: [{ name: 'side', image: 'busybox:1.36', command, restartPolicy: 'Always' }] }),
    );
    await cluster.waitUntilReady(pods, 'web');
    const before = cluster.simulation.now;
    await cluster.kubectl(['delete', 'pod', 'web', '--wait=false']);
    await cluster.waitUntilGone(pods, 'web');
    expect(cluster.simulation.now - before).toBeGreaterThan(4_000);
    const ended = cluster.simulation.trace.entries.flatMap((entry) =>
      entry.kind === 'runtime' && entry.what === 'container-exited' ? [entry.container] : [],
    );
    expect(ended).toEqual(['main', 'side']);
  });
});

it('a pod that somebody else says has failed is stopped, and stays failed for the reason that was given', async () => {
  const cluster = await oneNode();
  await cluster.apply(pod('web', { containers: [{ name: 'web', image: 'nginx:1.27' }] }));
  await cluster.waitUntilReady(pods, 'web');
  const status = { phase: 'Failed', reason: 'Tired', message: 'enough for today' };
  await cluster.call((client) =>
    client.resource(pods).patch({ namespace: 'default', name: 'web' }, { status }, { type: 'merge', subresource: 'status' }),
  );
  await cluster.settle();
  expect(await statusOf(cluster, 'web')).toMatchObject({
    ...status,
    containerStatuses: [{ state: { terminated: { exitCode: 0, reason: 'Completed' } } }],
  });
});

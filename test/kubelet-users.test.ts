// Goal: what the security context of a pod means inside of its containers. Method: a whole cluster with one node; kubectl exec looks.
import { resources } from 'bottleship';
import { expect, it } from 'vitest';
import type { Container, PodSpec } from '../src/api/kinds/core-v1.ts';
import { oneNode, pod, statusOf } from './support/pods.ts';

const { pods } = resources;

async function inside(spec: Partial<PodSpec>, container: Partial<Container> = {}): Promise<(script: string) => Promise<string[]>> {
  const cluster = await oneNode();
  const main = { name: 'main', image: 'busybox:1.36', command: ['sleep', '100000'], ...container };
  await cluster.apply(pod('web', { ...spec, containers: [main] }));
  await cluster.waitUntilReady(pods, 'web');
  return async (script) => {
    const { stdout, stderr } = await cluster.kubectl(['exec', 'web', '--', 'sh', '-c', script]);
    return [...stdout, ...stderr];
  };
}

it('is root where nothing else is said', async () => {
  const run = await inside({});
  expect(await run('id; whoami')).toEqual(['uid=0(root) gid=0(root) groups=0(root)', 'root']);
});

it('is the user, and in the groups, of the security context', async () => {
  const securityContext = { runAsUser: 1000, runAsGroup: 3000, fsGroup: 2000, supplementalGroups: [4000] };
  const run = await inside({ securityContext });
  expect(await run('id; id -u; id -G')).toEqual(['uid=1000 gid=3000 groups=2000,3000,4000', '1000', '2000 3000 4000']);
  const other = await inside({ securityContext: { runAsUser: 1000 } }, { securityContext: { runAsUser: 2000 } });
  expect((await other('id; whoami')).slice(0, 2)).toEqual(['uid=2000 gid=0(root) groups=0(root)', 'whoami: unknown uid 2000']);
});

it('can write only to volumes with a root that is read-only', async () => {
  const volumeMounts = [{ name: 'tmp', mountPath: '/tmp' }];
  const run = await inside(
    { volumes: [{ name: 'tmp', emptyDir: {} }] },
    { volumeMounts, securityContext: { readOnlyRootFilesystem: true } },
  );
  expect((await run('echo hello > /tmp/f && cat /tmp/f; echo hello > /f; mkdir /d; echo x > /dev/null')).slice(0, 3)).toEqual([
    'hello',
    expect.stringContaining('Read-only file system'),
    expect.stringContaining('Read-only file system'),
  ]);
});

it('can be told to end by a command', async () => {
  const cluster = await oneNode();
  await cluster.apply(pod('web', { containers: [{ name: 'web', image: 'nginx:1.27' }] }));
  await cluster.waitUntilReady(pods, 'web');
  expect((await cluster.kubectl(['exec', 'web', '--', 'pwd'])).stdout).toEqual(['/']);
  expect(await cluster.kubectl(['exec', 'web', '--', 'kill', '1'])).toMatchObject({ code: 0 });
  await cluster.advance(5_000);
  expect((await statusOf(cluster, 'web')).containerStatuses).toMatchObject([{ restartCount: 1, ready: true }]);
});

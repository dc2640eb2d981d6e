// Goal: what pods are told of volumes and secrets that are not as they should be, and what their containers see of them. Method: a whole cluster with one node.
import { resources } from 'bottleship';
import type { TestCluster } from 'bottleship/testing';
import { describe, expect, it } from 'vitest';
import type { Container, PodSpec } from '../src/api/kinds/core-v1.ts';
import { containerOf, oneNode, pod, statusOf } from './support/pods.ts';

const { events, pods } = resources;

async function warnings(cluster: TestCluster, name: string): Promise<string[]> {
  const all = await cluster.list(events, { namespace: 'default' });
  return all
    .filter(({ involvedObject, type }) => involvedObject.name === name && type === 'Warning')
    .map(({ reason, message }) => `${reason}: ${message}`);
}

const read = async (cluster: TestCluster, name: string, path: string): Promise<string> =>
  (await cluster.kubectl(['exec', name, '--', 'cat', path])).stdout.join('\n');

const sleeper = (container: Partial<Container>, spec: Partial<PodSpec>): PodSpec => ({
  containers: [{ name: 'main', image: 'busybox:1.36', command: ['sleep', '100000'], ...container }],
  ...spec,
});

it('tells of secrets for registries that are missing, and pulls all the same', async () => {
  const cluster = await oneNode();
  await cluster.kubectl(['create', 'secret', 'generic', 'there', '--from-literal=a=b']);
  await cluster.apply(pod('web', sleeper({}, { imagePullSecrets: [{ name: 'gone' }, { name: 'there' }, { name: 'lost' }] })));
  await cluster.waitUntilReady(pods, 'web');
  expect(await warnings(cluster, 'web')).toEqual([
    'FailedToRetrieveImagePullSecret: Unable to retrieve some image pull secrets (gone, lost); attempting to pull the image may not succeed.',
  ]);
});

describe('a hostPath volume', () => {
  it('has to be of the type that the pod names', async () => {
    const cluster = await oneNode();
    const spec = sleeper({}, { volumes: [{ name: 'data', hostPath: { path: '/data', type: 'Directory' } }] });
    await cluster.apply(pod('web', spec));
    await cluster.advance(3_000);
    expect(await warnings(cluster, 'web')).toContain(
      'FailedMount: MountVolume.SetUp failed for volume "data" : hostPath type check failed: /data is not a directory',
    );
    expect(await statusOf(cluster, 'web')).toMatchObject({ phase: 'Pending' });
    cluster.machines.get('n1')?.containerd.files.makeDirectory('/data');
    await cluster.waitUntilReady(pods, 'web');
  });
});

describe('a part of a volume', () => {
  const volumes = [{ name: 'settings', configMap: { name: 'settings' } }];

  it('is mounted as it is when the container starts', async () => {
    const cluster = await oneNode();
    await cluster.kubectl(['create', 'configmap', 'settings', '--from-literal=color=red']);
    const volumeMounts = [
      { name: 'settings', mountPath: '/whole' },
      { name: 'settings', mountPath: '/part/color', subPath: 'color' },
    ];
    await cluster.apply(pod('web', sleeper({ volumeMounts }, { volumes })));
    await cluster.waitUntilReady(pods, 'web');
    await cluster.kubectl(['patch', 'configmap', 'settings', '-p', '{"data":{"color":"blue"}}']);
    await cluster.advance(130_000);
    expect([await read(cluster, 'web', '/whole/color'), await read(cluster, 'web', '/part/color')]).toEqual(['blue', 'red']);
  });

  it('is named by variables of the container', async () => {
    const cluster = await oneNode();
    const env = [{ name: 'NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }];
    const mount = (subPathExpr: string) => [{ name: 'data', mountPath: '/data', subPathExpr }];
    const shared = { volumes: [{ name: 'data', hostPath: { path: '/shared' } }] };
    const writes = ['sh', '-c', 'echo hello > /data/f; sleep 1000'];
    await cluster.apply([
      pod('one', sleeper({ env, command: writes, volumeMounts: mount('of-$(NAME)') }, shared)),
      pod('bad', sleeper({ env, volumeMounts: mount('$(NOBODY)') }, shared)),
    ]);
    await cluster.waitUntilReady(pods, 'one');
    expect(cluster.machines.get('n1')?.containerd.files.readFile('/shared/of-one/f')).toBe('hello\n');
    expect(await containerOf(cluster, 'bad')).toMatchObject({
      state: { waiting: { reason: 'CreateContainerConfigError', message: 'missing value for "NOBODY"' } },
    });
  });
});

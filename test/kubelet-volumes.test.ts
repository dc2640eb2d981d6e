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

describe('volumes that cannot be had', () => {
  it('are tried one beside the other, each after twice the time of before, also when the sync that waits for them gives up', async () => {
    const cluster = await oneNode();
    const volumes = [
      { name: 'key', secret: { secretName: 'key' } },
      { name: 'settings', configMap: { name: 'settings' } },
    ];
    await cluster.apply(pod('web', sleeper({}, { volumes })));
    await cluster.advance(200_000);
    const told = (await cluster.list(events, { namespace: 'default' })).filter(({ reason }) => reason === 'FailedMount');
    expect(told.map(({ message, count }) => `${message} x${count}`)).toEqual([
      'MountVolume.SetUp failed for volume "key" : secret "key" not found x9',
      'MountVolume.SetUp failed for volume "settings" : configmap "settings" not found x9',
    ]);
    await cluster.kubectl(['create', 'secret', 'generic', 'key', '--from-literal=a=b']);
    await cluster.kubectl(['create', 'configmap', 'settings', '--from-literal=a=b']);
    await cluster.advance(45_000);
    expect((await containerOf(cluster, 'web'))?.state).toEqual({ waiting: { reason: 'ContainerCreating' } });
    await cluster.advance(15_000);
    expect((await containerOf(cluster, 'web'))?.ready).toBe(true);
  });

  it('of several sources tell of all that are missing', async () => {
    const cluster = await oneNode();
    const sources = [{ configMap: { name: 'settings' } }, { secret: { name: 'key' } }, { secret: { name: 'other', optional: true } }];
    await cluster.apply(pod('web', sleeper({}, { volumes: [{ name: 'all', projected: { sources } }] })));
    await cluster.advance(1_000);
    const problem = 'FailedMount: MountVolume.SetUp failed for volume "all" : [configmap "settings" not found, secret "key" not found]';
    expect(await warnings(cluster, 'web')).toEqual([problem]);
  });

  it.each([
    ['is not there', [], 'failed to fetch PVC from API server: persistentvolumeclaims "data" not found'],
    ['is not bound', [{ metadata: { namespace: 'default', name: 'data' }, accessModes: ['ReadWriteOnce'] }], 'PVC is not bound'],
  ])('fail the sync when a claim %s', async (_, claims, why) => {
    const cluster = await oneNode();
    for (const { metadata, accessModes } of claims) {
      const spec = { accessModes, storageClassName: 'none', resources: { requests: { storage: '1Gi' } } };
      await cluster.apply({ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata, spec });
    }
    const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
    await cluster.apply(pod('web', sleeper({}, { nodeName: 'n1', volumes })));
    await cluster.advance(1_000);
    expect(await warnings(cluster, 'web')).toEqual([
      `FailedMount: Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[], failed to process volumes=[data]: error processing PVC default/data: ${why}`,
    ]);
  });
});

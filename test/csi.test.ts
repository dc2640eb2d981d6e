import { describe, expect, it } from 'vitest';
import { persistentvolumeclaims, persistentvolumes, pods, volumeattachments } from '../src/api/resources.ts';
import { type Cluster, createCluster } from '../src/cluster/cluster.ts';
import { addCsiDriver, installCsiObjects } from '../src/cluster/csi.ts';

const NAMESPACE = 'default';
const CLAIM = {
  metadata: { name: 'data', namespace: NAMESPACE },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};

function pod(name: string, node: string, command: string) {
  return {
    metadata: { name, namespace: NAMESPACE },
    spec: {
      nodeSelector: { 'kubernetes.io/hostname': node },
      terminationGracePeriodSeconds: 1,
      containers: [
        { name: 'c', image: 'busybox:1.36', command: ['sh', '-c', command], volumeMounts: [{ name: 'data', mountPath: '/data' }] },
      ],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    },
  };
}

async function start(cluster: Cluster, made: ReturnType<typeof pod>): Promise<void> {
  await cluster.call((client) => client.resource(pods).create(made));
  await cluster.settle();
  await cluster.advance(30_000);
}

async function remove(cluster: Cluster, name: string): Promise<void> {
  await cluster.call((client) => client.resource(pods).delete({ namespace: NAMESPACE, name }));
  await cluster.advance(60_000);
}

describe('volumes of a CSI driver', () => {
  it('follow the pods that use them, with what is written on them', async () => {
    const cluster = await createCluster({ nodes: 2, addons: { 'csi-driver': {} } });
    await cluster.call((client) => client.resource(persistentvolumeclaims).create(CLAIM));
    await start(cluster, pod('writer', 'n1', 'echo kept > /data/file; sleep 1000'));
    const attached = await cluster.call((client) => client.resource(volumeattachments).list());
    expect(attached.items.map(({ spec, status }) => [spec.nodeName, status?.attached])).toEqual([['n1', true]]);
    await remove(cluster, 'writer');
    await start(cluster, pod('reader', 'n2', 'cat /data/file; sleep 1000'));
    expect((await cluster.kubectl(['logs', 'reader'])).stdout).toEqual(['kept']);
  });

  it('keep what was written when their node dies', async () => {
    const cluster = await createCluster({ nodes: 2, addons: { 'csi-driver': {} } });
    await cluster.call((client) => client.resource(persistentvolumeclaims).create(CLAIM));
    await start(cluster, pod('writer', 'n1', 'echo kept > /data/file; sleep 1000'));
    cluster.fault({ fault: 'stop-node', node: 'n1' });
    await cluster.kubectl(['taint', 'node', 'n1', 'node.kubernetes.io/out-of-service=nodeshutdown:NoExecute']);
    await cluster.advance(600_000);
    await start(cluster, pod('reader', 'n2', 'cat /data/file; sleep 1000'));
    expect((await cluster.kubectl(['logs', 'reader'])).stdout).toEqual(['kept']);
  });

  it('waits on the second node until the first has let go of it', async () => {
    const cluster = await createCluster({ nodes: 2, addons: { 'csi-driver': {} } });
    await cluster.call((client) => client.resource(persistentvolumeclaims).create(CLAIM));
    await start(cluster, pod('first', 'n1', 'sleep 1000'));
    await start(cluster, pod('second', 'n2', 'sleep 1000'));
    const phase = async (): Promise<string | undefined> =>
      (await cluster.call((client) => client.resource(pods).get({ namespace: NAMESPACE, name: 'second' }))).status?.phase;
    expect(await phase()).toBe('Pending');
    expect((await cluster.kubectl(['events', '--for', 'pod/second'])).stdout.join('\n')).toContain('Multi-Attach error for volume');
    await remove(cluster, 'first');
    await cluster.advance(180_000);
    expect(await phase()).toBe('Running');
  });

  it('goes with its claim, and is made again after the provisioner has crashed in the middle', async () => {
    const cluster = await createCluster({ nodes: 1, addons: { 'csi-driver': {} } });
    await cluster.call((client) => client.resource(persistentvolumeclaims).create(CLAIM));
    await cluster.call((client) => client.resource(pods).create(pod('app', 'n1', 'sleep 1000')));
    cluster.fault({ fault: 'crash', component: 'csi-provisioner' });
    await cluster.advance(5_000);
    cluster.fault({ fault: 'restart', component: 'csi-provisioner' });
    await cluster.advance(60_000);
    const volumes = async () => (await cluster.call((client) => client.resource(persistentvolumes).list())).items;
    expect(await volumes()).toHaveLength(1);
    await remove(cluster, 'app');
    await cluster.call((client) => client.resource(persistentvolumeclaims).delete({ namespace: NAMESPACE, name: 'data' }));
    await cluster.advance(60_000);
    expect(await volumes()).toHaveLength(0);
  });

  it('is detached and deleted although its Pod has gone before it was mounted', async () => {
    const cluster = await createCluster({ nodes: 1 });
    const driver = addCsiDriver(cluster);
    await cluster.call((client) => installCsiObjects(client, driver.options.name));
    driver.failures.set('NodeStageVolume', { code: 'Internal', message: 'no file system' });
    await cluster.call((client) => client.resource(persistentvolumeclaims).create(CLAIM));
    await cluster.call((client) => client.resource(pods).create(pod('app', 'n1', 'sleep 1000')));
    await cluster.advance(10_000);
    const attachments = async () => (await cluster.call((client) => client.resource(volumeattachments).list())).items;
    expect(await attachments()).toHaveLength(1);
    await remove(cluster, 'app');
    await cluster.call((client) => client.resource(persistentvolumeclaims).delete({ namespace: NAMESPACE, name: 'data' }));
    await cluster.advance(60_000);
    expect(await attachments()).toHaveLength(0);
    expect((await cluster.call((client) => client.resource(persistentvolumes).list())).items).toHaveLength(0);
  });
});

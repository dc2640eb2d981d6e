import { beforeEach, expect, test } from 'vitest';
import { TestApiserver } from '../../../test/support/apiserver.ts';

const NAMESPACE = '/api/v1/namespaces/default';
let api: TestApiserver;

/** What the kubelet of a node is answered: the code, and why not. */
async function as(node: string, line: string): Promise<string> {
  const headers = { 'impersonate-user': `system:node:${node}`, 'impersonate-group': 'system:nodes' };
  const { code, body } = await api.send(line, line.startsWith('PATCH') ? {} : undefined, headers);
  return code === 403 ? `403 ${body.message.slice(body.message.lastIndexOf(': ') + 2)}` : String(code);
}

const unrelated = (node: string): string => `403 no relationship found between node '${node}' and this object`;

beforeEach(async () => {
  api = new TestApiserver({ disableAdmissionPlugins: ['ServiceAccount'] });
  const csi = { driver: 'csi.example.com', volumeHandle: 'h', nodeStageSecretRef: { name: 'key', namespace: 'default' } };
  const claimRef = { namespace: 'default', name: 'data' };
  const volume = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], csi, claimRef };
  const claim = { accessModes: ['ReadWriteOnce'], volumeName: 'pv', resources: { requests: { storage: '1Gi' } } };
  await api.send(`POST ${NAMESPACE}/secrets`, { metadata: { name: 'key' } });
  await api.send('POST /api/v1/persistentvolumes', { metadata: { name: 'pv' }, spec: volume });
  await api.send(`POST ${NAMESPACE}/persistentvolumeclaims`, { metadata: { name: 'data' }, spec: claim });
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
  const pod = { nodeName: 'n1', volumes, containers: [{ name: 'c', image: 'i' }] };
  await api.send(`POST ${NAMESPACE}/pods`, { metadata: { name: 'p' }, spec: pod });
});

test.each([
  `GET ${NAMESPACE}/persistentvolumeclaims/data`,
  `PATCH ${NAMESPACE}/persistentvolumeclaims/data/status`,
  'GET /api/v1/persistentvolumes/pv',
  `GET ${NAMESPACE}/secrets/key`,
])('%s is for the node of the pod that mounts the volume', async (line) => {
  expect([await as('n1', line), await as('n2', line)]).toEqual(['200', unrelated('n2')]);
});

test('attachments and slices are for the nodes that they name', async () => {
  const attachment = { attacher: 'csi.example.com', nodeName: 'n1', source: { persistentVolumeName: 'pv' } };
  await api.send('POST /apis/storage.k8s.io/v1/volumeattachments', { metadata: { name: 'a' }, spec: attachment });
  const pool = { name: 'n1', generation: 1, resourceSliceCount: 1 };
  const slice = { driver: 'gpu.example.com', nodeName: 'n1', pool, devices: [{ name: 'gpu-0' }] };
  await api.send('POST /apis/resource.k8s.io/v1/resourceslices', { metadata: { name: 's' }, spec: slice });
  for (const line of ['GET /apis/storage.k8s.io/v1/volumeattachments/a', 'DELETE /apis/resource.k8s.io/v1/resourceslices/s'])
    expect([await as('n2', line), await as('n1', line)]).toEqual([unrelated('n2'), '200']);
});

test('why a node is not let in', async () => {
  const send = (line: string): Promise<string> => as('n1', line);
  expect(await send('GET /api/v1/persistentvolumes')).toBe('403 can only get individual resources of this type');
  expect(await send(`DELETE ${NAMESPACE}/persistentvolumeclaims/data/status`)).toBe('403 can only get/update/patch this type');
  expect(await send('GET /apis/resource.k8s.io/v1/resourceslices')).toBe(
    '403 can only list/watch/deletecollection resourceslices with nodeName field selector',
  );
  expect(await send('GET /apis/resource.k8s.io/v1/resourceslices?fieldSelector=spec.nodeName%3Dn1')).toBe('200');
  expect(await send(`GET ${NAMESPACE}/secrets`)).toBe('403 No Object name found');
});

test('a pod that a kubelet has made up itself leads nowhere', async () => {
  const annotations = { 'kubernetes.io/config.mirror': 'x' };
  const volumes = [{ name: 'v', configMap: { name: 'settings' } }];
  const spec = { nodeName: 'n2', volumes, containers: [{ name: 'c', image: 'i' }] };
  await api.send(`POST ${NAMESPACE}/configmaps`, { metadata: { name: 'settings' } });
  await api.send(`POST ${NAMESPACE}/pods`, { metadata: { name: 'mirror', annotations }, spec });
  expect(await as('n2', `GET ${NAMESPACE}/configmaps/settings`)).toBe(unrelated('n2'));
});

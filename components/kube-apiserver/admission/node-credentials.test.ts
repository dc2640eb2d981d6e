import { beforeEach, expect, test } from 'vitest';
import { TestApiserver } from '../../../test/support/apiserver.ts';

const KUBELET = { 'impersonate-user': 'system:node:n1', 'impersonate-group': 'system:nodes' };
const NAMESPACE = '/api/v1/namespaces/default';
const CLUSTER_ROLE = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'other-audience' };
let api: TestApiserver;
let uid: string;

beforeEach(async () => {
  api = new TestApiserver();
  await api.send(`POST ${NAMESPACE}/serviceaccounts`, { metadata: { name: 'default' } });
  const sources = [{ serviceAccountToken: { path: 'token', audience: 'vault' } }];
  const pod = (name: string, nodeName: string): object => ({
    metadata: { name },
    spec: { nodeName, volumes: [{ name: 'v', projected: { sources } }], containers: [{ name: 'c', image: 'i' }] },
  });
  uid = (await api.send(`POST ${NAMESPACE}/pods`, pod('here', 'n1'))).body.metadata.uid;
  await api.send(`POST ${NAMESPACE}/pods`, pod('there', 'n2'));
});

/** What is answered when the kubelet of n1 asks for a token. */
async function ask(pod: object | undefined, ...audiences: string[]): Promise<string> {
  const boundObjectRef = pod && { apiVersion: 'v1', kind: 'Pod', ...pod };
  const { code, body } = await api.send(
    `POST ${NAMESPACE}/serviceaccounts/default/token`,
    { spec: { audiences, ...(boundObjectRef ? { boundObjectRef } : {}) } },
    KUBELET,
  );
  return code === 201 ? '201' : `${code} ${body.message.replace('serviceaccounts "default" is forbidden: ', '')}`;
}

test('a kubelet gets tokens for pods on its node', async () => {
  expect(await ask({ name: 'here', uid })).toBe('201');
  expect(await ask(undefined)).toBe('403 node requested token not bound to a pod');
  expect(await ask({ name: 'here' })).toBe('403 node requested token with a pod binding without a uid');
  expect(await ask({ name: 'here', uid: 'u' })).toBe(
    '403 the UID in the bound object reference (u) does not match the UID in record. The object might have been deleted and then recreated',
  );
  const { uid: other } = (await api.send(`GET ${NAMESPACE}/pods/there`)).body.metadata;
  expect(await ask({ name: 'there', uid: other })).toBe('403 node requested token bound to a pod scheduled on a different node');
  expect(await ask({ name: 'none', uid })).toBe('404 pods "none" not found');
});

test('for whom these have volumes, or roles let it ask', async () => {
  expect(await ask({ name: 'here', uid }, 'vault')).toBe('201');
  expect(await ask({ name: 'here', uid }, 'vault', 'more')).toBe('403 node may only request 0 or 1 audiences');
  const refused = '403 audience "other" not found in pod spec volume, system:node:n1 is not authorized to request tokens for this audience';
  expect(await ask({ name: 'here', uid }, 'other')).toBe(refused);
  const rules = [{ apiGroups: [''], resources: ['other'], verbs: ['request-serviceaccounts-token-audience'] }];
  await api.send('POST /apis/rbac.authorization.k8s.io/v1/clusterroles', { metadata: { name: CLUSTER_ROLE.name }, rules });
  const subjects = [{ kind: 'Group', name: 'system:nodes' }];
  const binding = { metadata: { name: CLUSTER_ROLE.name }, roleRef: CLUSTER_ROLE, subjects };
  await api.send('POST /apis/rbac.authorization.k8s.io/v1/clusterrolebindings', binding);
  expect(await ask({ name: 'here', uid }, 'other')).toBe('201');
});

test('or drivers of their volumes', async () => {
  const claims = `${NAMESPACE}/persistentvolumeclaims`;
  const spec = { accessModes: ['ReadWriteOnce'], volumeName: 'pv', resources: { requests: { storage: '1Gi' } } };
  const volume = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], csi: { driver: 'csi.example.com', volumeHandle: 'h' } };
  await api.send('POST /api/v1/persistentvolumes', { metadata: { name: 'pv' }, spec: volume });
  await api.send(`POST ${claims}`, { metadata: { name: 'data' }, spec });
  const mounted = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
  const pod = { nodeName: 'n1', volumes: mounted, containers: [{ name: 'c', image: 'i' }] };
  const { metadata } = (await api.send(`POST ${NAMESPACE}/pods`, { metadata: { name: 'mounting' }, spec: pod })).body;
  expect(await ask({ name: 'mounting', uid: metadata.uid }, 'cloud')).toContain('audience "cloud" not found in pod spec volume');
  const driver = { metadata: { name: 'csi.example.com' }, spec: { tokenRequests: [{ audience: 'cloud' }] } };
  await api.send('POST /apis/storage.k8s.io/v1/csidrivers', driver);
  expect(await ask({ name: 'mounting', uid: metadata.uid }, 'cloud')).toBe('201');
});

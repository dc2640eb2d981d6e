import { expect, test } from 'vitest';
import { TestApiserver } from '../../../test/support/apiserver.ts';

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const as = (user: string, ...groups: string[]): Record<string, string> => ({
  'impersonate-user': user,
  ...(groups.length > 0 ? { 'impersonate-group': groups.join(',') } : {}),
});

test('a role binding lets its subject in, in its namespace, until it is gone', async () => {
  const api = new TestApiserver();
  const read = async (path: string): Promise<number> => (await api.send(`GET ${path}`, undefined, as('ann'))).code;
  await api.send(`POST ${RBAC}/namespaces/default/roles`, {
    metadata: { name: 'reader' },
    rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }],
  });
  expect(await read('/api/v1/namespaces/default/configmaps')).toBe(403);
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reader' };
  await api.send(`POST ${RBAC}/namespaces/default/rolebindings`, {
    metadata: { name: 'b' },
    roleRef,
    subjects: [{ kind: 'User', name: 'ann' }],
  });
  expect(await read('/api/v1/namespaces/default/configmaps')).toBe(200);
  expect(await read('/api/v1/namespaces/kube-system/configmaps')).toBe(403);
  await api.send(`DELETE ${RBAC}/namespaces/default/rolebindings/b`);
  expect(await read('/api/v1/namespaces/default/configmaps')).toBe(403);
});

test('a rule for certain names lets through those alone, whoever was asked for before', async () => {
  const api = new TestApiserver();
  const rules = [{ apiGroups: [''], resources: ['configmaps'], resourceNames: ['mine'], verbs: ['get'] }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'reader' };
  await api.send(`POST ${RBAC}/clusterroles`, { metadata: { name: 'reader' }, rules });
  await api.send(`POST ${RBAC}/clusterrolebindings`, { metadata: { name: 'reader' }, roleRef, subjects: [{ kind: 'User', name: 'ann' }] });
  const read = async (name: string): Promise<number> =>
    (await api.send(`GET /api/v1/namespaces/default/configmaps/${name}`, undefined, as('ann'))).code;
  const codes: number[] = [];
  for (const name of ['other', 'mine', 'other', 'mine']) codes.push(await read(name));
  expect(codes).toEqual([403, 404, 403, 404]);
});

test('a refusal says who cannot do what', async () => {
  const { body } = await new TestApiserver().send('GET /api/v1/nodes', undefined, as('ann'));
  expect(body).toMatchObject({
    code: 403,
    message: 'nodes is forbidden: User "ann" cannot list resource "nodes" in API group "" at the cluster scope',
    details: { kind: 'nodes' },
  });
});

test('nobody grants what they do not hold', async () => {
  const api = new TestApiserver();
  await api.send(`POST ${RBAC}/clusterroles`, {
    metadata: { name: 'maker' },
    rules: [{ apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'], verbs: ['create'] }],
  });
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'maker' };
  await api.send(`POST ${RBAC}/clusterrolebindings`, { metadata: { name: 'maker' }, roleRef, subjects: [{ kind: 'User', name: 'ann' }] });
  const { body } = await api.send(
    `POST ${RBAC}/clusterroles`,
    { metadata: { name: 'x' }, rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }] },
    as('ann'),
  );
  expect(body.message).toBe(
    'clusterroles.rbac.authorization.k8s.io "x" is forbidden: user "ann" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}',
  );
});

test('a kubelet reads what its pods refer to, and nothing else', async () => {
  const api = new TestApiserver({ disableAdmissionPlugins: ['ServiceAccount'] });
  const kubelet = as('system:node:n1', 'system:nodes');
  for (const name of ['used', 'other']) await api.send('POST /api/v1/namespaces/default/secrets', { metadata: { name } });
  const read = async (name: string): Promise<number> =>
    (await api.send(`GET /api/v1/namespaces/default/secrets/${name}`, undefined, kubelet)).code;
  expect(await read('used')).toBe(403);
  const volumes = [{ name: 'v', secret: { secretName: 'used' } }];
  await api.send('POST /api/v1/namespaces/default/pods', {
    metadata: { name: 'p' },
    spec: { nodeName: 'n1', volumes, containers: [{ name: 'c', image: 'i' }] },
  });
  expect([await read('used'), await read('other')]).toEqual([200, 403]);
  expect((await api.send('GET /api/v1/pods', undefined, kubelet)).body.message).toMatch(
    /: can only list\/watch pods with spec.nodeName field selector$/,
  );
});

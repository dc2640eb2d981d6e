import { expect, test } from 'vitest';
import { TestApiserver } from '../../../test/support/apiserver.ts';

const PODS = '/api/v1/namespaces/default/pods';
const container = { name: 'app', image: 'nginx' };
const newPod = (name: string, more: object = {}): object => ({ metadata: { name }, spec: { containers: [container], ...more } });

async function server(): Promise<TestApiserver> {
  const api = new TestApiserver();
  await api.send('POST /api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  return api;
}

test('a pod gets its account, token volume, priority and tolerations', async () => {
  const api = await server();
  const { body } = await api.send(`POST ${PODS}`, newPod('a'));
  expect(body.spec.serviceAccountName).toBe('default');
  expect(body.spec.volumes[0].name).toMatch(/^kube-api-access-[a-z0-9]{5}$/);
  expect(body.spec.containers[0].volumeMounts).toEqual([
    { name: body.spec.volumes[0].name, readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' },
  ]);
  expect([body.spec.priority, body.spec.preemptionPolicy]).toEqual([0, 'PreemptLowerPriority']);
  expect(body.spec.tolerations.map(({ key }: { key: string }) => key)).toEqual([
    'node.kubernetes.io/not-ready',
    'node.kubernetes.io/unreachable',
  ]);
});

test('a missing account, class or namespace is named', async () => {
  const api = await server();
  const message = async (line: string, pod: object): Promise<string> => (await api.send(line, pod)).body.message;
  expect(await message(`POST ${PODS}`, newPod('a', { serviceAccountName: 'x' }))).toBe(
    'pods "a" is forbidden: error looking up service account default/x: serviceaccount "x" not found',
  );
  expect(await message(`POST ${PODS}`, newPod('a', { priorityClassName: 'x' }))).toBe(
    'pods "a" is forbidden: no PriorityClass with name x was found',
  );
  expect(await message('POST /api/v1/namespaces/none/pods', newPod('a'))).toBe('namespaces "none" not found');
});

test('a namespace on its way out takes nothing new', async () => {
  const api = await server();
  await api.send('POST /api/v1/namespaces', { metadata: { name: 'old' } });
  await api.send('DELETE /api/v1/namespaces/old');
  const { code, body } = await api.send('POST /api/v1/namespaces/old/configmaps', { metadata: { name: 'a' } });
  expect([code, body.message]).toEqual([
    403,
    'configmaps "a" is forbidden: unable to create new content in namespace old because it is being terminated',
  ]);
  expect(body.details.causes[0].reason).toBe('NamespaceTerminating');
});

test('limit ranges fill in and bound', async () => {
  const api = await server();
  const limits = [{ type: 'Container', default: { cpu: '200m' }, defaultRequest: { cpu: '100m' }, max: { cpu: '1' } }];
  await api.send('POST /api/v1/namespaces/default/limitranges', { metadata: { name: 'l' }, spec: { limits } });
  const { body } = await api.send(`POST ${PODS}`, newPod('a'));
  expect(body.spec.containers[0].resources).toEqual({ limits: { cpu: '200m' }, requests: { cpu: '100m' } });
  expect(body.metadata.annotations['kubernetes.io/limit-ranger']).toBe(
    'LimitRanger plugin set: cpu request for container app; cpu limit for container app',
  );
  const large = await api.send(`POST ${PODS}`, newPod('b', { containers: [{ ...container, resources: { limits: { cpu: '2' } } }] }));
  expect(large.body.message).toBe('pods "b" is forbidden: maximum cpu usage per Container is 1, but limit is 2');
});

test('a quota is charged and refuses what exceeds it', async () => {
  const api = await server();
  const path = '/api/v1/namespaces/default/resourcequotas';
  await api.send(`POST ${path}`, { metadata: { name: 'q' }, spec: { hard: { pods: '1' } } });
  await api.send(`PATCH ${path}/q/status`, { status: { hard: { pods: '1' }, used: { pods: '0' } } });
  expect((await api.send(`POST ${PODS}`, newPod('a'))).code).toBe(201);
  expect((await api.send(`GET ${path}/q`)).body.status.used).toEqual({ pods: '1' });
  expect((await api.send(`POST ${PODS}`, newPod('b'))).body.message).toBe(
    'pods "b" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1',
  );
});

test('pod security refuses by the label of the namespace', async () => {
  const api = await server();
  await api.send('PATCH /api/v1/namespaces/default', { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } } });
  const { code, body } = await api.send(`POST ${PODS}`, newPod('a', { hostNetwork: true }));
  expect([code, body.message]).toEqual([
    403,
    'pods "a" is forbidden: violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)',
  ]);
});

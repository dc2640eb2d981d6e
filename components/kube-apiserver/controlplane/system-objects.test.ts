import { beforeEach, expect, test } from 'vitest';
import { TestApiserver } from '../../../test/support/apiserver.ts';

const SERVICE = '/api/v1/namespaces/default/services/kubernetes';
const ENDPOINTS = '/api/v1/namespaces/default/endpoints/kubernetes';
const FLOW_SCHEMAS = '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas';
const RBAC = '/apis/rbac.authorization.k8s.io/v1';
let api: TestApiserver;

beforeEach(() => {
  api = new TestApiserver();
});

const codeOf = async (path: string): Promise<number> => (await api.send(`GET ${path}`)).code;

test('the Service kubernetes comes back with its address and endpoints', async () => {
  await api.send(`DELETE ${SERVICE}`);
  expect([await codeOf(SERVICE), await codeOf(ENDPOINTS)]).toEqual([404, 404]);
  await api.simulation.advance(10_000);
  expect((await api.send(`GET ${SERVICE}`)).body.spec.clusterIP).toBe('10.96.0.1');
  expect((await api.send(`GET ${ENDPOINTS}`)).body.subsets).toEqual([
    { addresses: [{ ip: '10.0.0.1' }], ports: [{ name: 'https', port: 6443, protocol: 'TCP' }] },
  ]);
  expect(await codeOf('/apis/networking.k8s.io/v1/ipaddresses/10.96.0.1')).toBe(200);
});

test('its ports are put right, what else somebody has written on it stays', async () => {
  await api.send(`PATCH ${SERVICE}`, { metadata: { labels: { mine: 'yes' } }, spec: { ports: [{ port: 444 }] } });
  await api.simulation.advance(10_000);
  const { metadata, spec } = (await api.send(`GET ${SERVICE}`)).body;
  expect([metadata.labels.mine, spec.ports[0].port]).toEqual(['yes', 443]);
});

test('flow schemas come back within a minute, and are as they should be unless somebody has made them their own', async () => {
  const own = { metadata: { annotations: { 'apf.kubernetes.io/autoupdate-spec': 'false' } }, spec: { matchingPrecedence: 8999 } };
  await api.send(`PATCH ${FLOW_SCHEMAS}/service-accounts`, own);
  await api.send(`PATCH ${FLOW_SCHEMAS}/exempt`, { ...own, spec: { matchingPrecedence: 5 } });
  await api.send(`DELETE ${FLOW_SCHEMAS}/probes`);
  await api.simulation.advance(60_000);
  const precedence = async (name: string): Promise<number> => (await api.send(`GET ${FLOW_SCHEMAS}/${name}`)).body.spec.matchingPrecedence;
  expect([await precedence('service-accounts'), await precedence('exempt'), await precedence('probes')]).toEqual([8999, 1, 2]);
});

test('who refuses to let it be put right keeps nobody waiting', async () => {
  const matchConstraints = { resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['services'] }] };
  const policy = { metadata: { name: 'none' }, spec: { matchConstraints, validations: [{ expression: 'false' }] } };
  const admission = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolic';
  await api.send(`POST ${admission}ies`, policy);
  await api.send(`POST ${admission}ybindings`, { metadata: { name: 'none' }, spec: { policyName: 'none', validationActions: ['Deny'] } });
  await api.send(`DELETE ${SERVICE}`);
  await api.simulation.settle();
  expect(await codeOf(SERVICE)).toBe(404);
  await api.send(`DELETE ${admission}ybindings/none`);
  await api.simulation.advance(10_000);
  expect(await codeOf(SERVICE)).toBe(200);
});

test('roles are put right at a start: what is missing is added, unless they are protected', async () => {
  const { rules } = (await api.send(`GET ${RBAC}/clusterroles/system:basic-user`)).body;
  const own = { apiGroups: ['example.com'], resources: ['widgets'], verbs: ['get'] };
  await api.send(`PATCH ${RBAC}/clusterroles/system:basic-user`, { rules: [own, ...rules.slice(1)] });
  const annotations = { 'rbac.authorization.kubernetes.io/autoupdate': 'false' };
  await api.send(`PATCH ${RBAC}/clusterroles/system:monitoring`, { metadata: { annotations }, rules: [] });
  await api.send(`DELETE ${RBAC}/clusterrolebindings/system:discovery`);
  await api.send(`PATCH ${RBAC}/clusterrolebindings/system:monitoring`, { subjects: [{ kind: 'User', name: 'ann' }] });
  api.apiserver.runPostStartHooks();
  await api.simulation.settle();
  const after = async (path: string) => (await api.send(`GET ${RBAC}/${path}`)).body;
  const missing = rules[0].resources.map((resource: string) => ({ ...rules[0], resources: [resource] }));
  expect((await after('clusterroles/system:basic-user')).rules).toEqual([own, ...rules.slice(1), ...missing]);
  expect((await after('clusterroles/system:monitoring')).rules ?? []).toEqual([]);
  expect((await after('clusterrolebindings/system:discovery')).subjects).toHaveLength(1);
  const names = (await after('clusterrolebindings/system:monitoring')).subjects.map(({ name }: { name: string }) => name);
  expect(names).toEqual(['ann', 'system:monitoring']);
});

test('a start where nothing is missing writes nothing', () => {
  const before = api.etcd.revision;
  api.apiserver.runPostStartHooks();
  expect(api.etcd.revision).toBe(before);
});

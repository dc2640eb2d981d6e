import { expect, test } from 'vitest';
import { TestApiserver } from '../../../test/support/apiserver.ts';

const SERVICES = '/api/v1/namespaces/default/services';
const newService = (name: string, spec: object = {}): object => ({
  metadata: { name },
  spec: { ports: [{ port: 80 }], selector: { app: name }, ...spec },
});

test('each Service has an address of its own, recorded as IPAddress, and gives it back', async () => {
  const api = new TestApiserver();
  const { body } = await api.send(`POST ${SERVICES}`, newService('a'));
  const { clusterIP } = body.spec;
  expect(body.spec).toMatchObject({ clusterIPs: [clusterIP], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' });
  const address = `/apis/networking.k8s.io/v1/ipaddresses/${clusterIP}`;
  expect((await api.send(`GET ${address}`)).body.spec.parentRef).toEqual({ resource: 'services', namespace: 'default', name: 'a' });
  const taken = await api.send(`POST ${SERVICES}`, newService('b', { clusterIP }));
  expect(taken.body.message).toBe(
    `Service "b" is invalid: spec.clusterIPs: Invalid value: ["${clusterIP}"]: failed to allocate IP ${clusterIP}: provided IP is already allocated`,
  );
  await api.send(`DELETE ${SERVICES}/a`);
  expect((await api.send(`GET ${address}`)).code).toBe(404);
});

test('a ServiceCIDR offers more addresses, until it is to go', async () => {
  const api = new TestApiserver();
  const cidrs = '/apis/networking.k8s.io/v1/servicecidrs';
  await api.send(`POST ${cidrs}`, { metadata: { name: 'extra', finalizers: ['example.com/keep'] }, spec: { cidrs: ['10.200.0.0/29'] } });
  const add = (name: string, clusterIP?: string) => api.send(`POST ${SERVICES}`, newService(name, clusterIP ? { clusterIP } : {}));
  expect((await add('chosen', '10.200.0.6')).body.spec).toMatchObject({ clusterIP: '10.200.0.6' });
  expect((await add('network', '10.200.0.0')).body.message).toContain(
    'the provided IP (10.200.0.0) is not in the valid range. The range of valid IPs is 10.200.0.0/29',
  );
  const given: string[] = [];
  for (let i = 0; i < 40; i++) given.push((await add(`s${i}`)).body.spec.clusterIP);
  expect(given.filter((ip) => ip.startsWith('10.200.0.')).sort()).toEqual([1, 2, 3, 4, 5].map((last) => `10.200.0.${last}`));
  await api.send(`DELETE ${SERVICES}/chosen`);
  await api.send(`DELETE ${cidrs}/extra`);
  expect((await add('late', '10.200.0.6')).body.message).toContain('the provided network does not match the current range');
});

test('a dry run does not ask whether an address is free', async () => {
  const api = new TestApiserver();
  await api.send(`POST ${SERVICES}`, newService('a', { clusterIP: '10.96.0.77' }));
  expect((await api.send(`POST ${SERVICES}?dryRun=All`, newService('b', { clusterIP: '10.96.0.77' }))).code).toBe(201);
});

test('node ports come with the type and go with it', async () => {
  const api = new TestApiserver();
  const { body } = await api.send(`POST ${SERVICES}`, newService('a', { type: 'NodePort', ports: [{ port: 80, nodePort: 30080 }] }));
  expect(body.spec.ports[0].nodePort).toBe(30080);
  const taken = await api.send(`POST ${SERVICES}`, newService('b', { type: 'NodePort', ports: [{ port: 80, nodePort: 30080 }] }));
  expect(taken.body.message).toBe(
    'Service "b" is invalid: spec.ports[0].nodePort: Invalid value: 30080: provided port is already allocated',
  );
  await api.send(`DELETE ${SERVICES}/a`);
  expect((await api.send(`POST ${SERVICES}`, newService('b', { type: 'NodePort', ports: [{ port: 80, nodePort: 30080 }] }))).code).toBe(
    201,
  );
});

test('a PUT that leaves out what was allocated keeps it', async () => {
  const api = new TestApiserver();
  const { body } = await api.send(`POST ${SERVICES}`, newService('a', { type: 'NodePort' }));
  const after = await api.send(`PUT ${SERVICES}/a`, newService('a', { type: 'NodePort', sessionAffinity: 'ClientIP' }));
  expect(after.body.spec).toMatchObject({ clusterIP: body.spec.clusterIP, ports: [{ nodePort: body.spec.ports[0].nodePort }] });
});

test('a headless Service has no address', async () => {
  const { body } = await new TestApiserver().send(`POST ${SERVICES}`, newService('a', { clusterIP: 'None' }));
  expect(body.spec).toMatchObject({ clusterIP: 'None', clusterIPs: ['None'] });
});

test('a cluster of one family refuses what needs another', async () => {
  const api = new TestApiserver();
  const add = async (spec: object): Promise<string> => {
    const { code, body } = await api.send(`POST ${SERVICES}`, newService(`s${api.etcd.revision}`, spec));
    return code === 201 ? body.spec.ipFamilyPolicy : body.message.replace(/^Service ".*" is invalid: /, '');
  };
  const notThere = (index: number): string => `spec.ipFamilies[${index}]: Invalid value: "IPv6": not configured on this cluster`;
  const policy = (given: string): string => `spec.ipFamilyPolicy: Invalid value: "${given}": `;
  expect(await add({ ipFamilyPolicy: 'RequireDualStack' })).toBe(
    `${policy('RequireDualStack')}this cluster is not configured for dual-stack services`,
  );
  expect(await add({ ipFamilies: ['IPv6'] })).toBe(notThere(0));
  expect(await add({ ipFamilies: ['IPv6'], clusterIP: 'None' })).toBe(notThere(0));
  expect(await add({ ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'PreferDualStack' })).toBe(notThere(1));
  expect(await add({ ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'SingleStack' })).toBe(
    `${policy('SingleStack')}must be RequireDualStack or PreferDualStack when multiple 'ipFamilies' are specified`,
  );
  expect(await add({ ipFamilyPolicy: 'PreferDualStack' })).toBe('PreferDualStack');
  expect(await add({ ipFamilyPolicy: 'RequireDualStack', clusterIP: 'None', selector: undefined })).toBe('RequireDualStack');
});

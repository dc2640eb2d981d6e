import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { printerOf } from './printers.ts';

const cells = (kind: string, parts: object): unknown[] => {
  const object = { kind, metadata: { name: 'web', creationTimestamp: '1970-01-01T00:00:00Z' }, ...parts } as KubernetesObject;
  return printerOf(object)(object, 60_000);
};
const rules = (...hosts: string[]): object => ({ spec: { rules: hosts.map((host) => (host ? { host } : {})) } });

test.each([
  ['no host stands for all', rules(''), '*'],
  ['a host that two rules name comes twice', rules('a', 'a'), 'a,a'],
  ['three are shown', rules('a', '', 'b', 'c'), 'a,b,c'],
  ['of more, how many rules there are besides', rules('a', '', 'b', 'c', 'd'), 'a,b,c + 2 more...'],
])('hosts of an Ingress: %s', (_name, parts, expected) => {
  expect(cells('Ingress', parts)[2]).toBe(expected);
});

test('addresses of a load balancer come once, in order', () => {
  const status = { loadBalancer: { ingress: [{ ip: '10.0.0.2' }, { hostname: 'b' }, { ip: '10.0.0.1' }, { ip: '10.0.0.2' }] } };
  expect(cells('Ingress', { status })[3]).toBe('10.0.0.1,10.0.0.2,b');
  expect(cells('Service', { spec: { type: 'LoadBalancer', externalIPs: ['1.2.3.4'] }, status })[3]).toBe('10.0.0.1,10.0.0.2,b,1.2.3.4');
});

test('Endpoints without subsets have none, with nobody ready they show nothing', () => {
  expect(cells('Endpoints', {})[1]).toBe('<none>');
  expect(cells('Endpoints', { subsets: [{ notReadyAddresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }] })[1]).toBe('');
  const addresses = ['1', '2', '3', '4'].map((last) => ({ ip: `10.0.0.${last}` }));
  expect(cells('Endpoints', { subsets: [{ addresses, ports: [{ port: 80 }] }] })[1]).toBe(
    '10.0.0.1:80,10.0.0.2:80,10.0.0.3:80 + 1 more...',
  );
});

test('ports of an EndpointSlice are numbers, else names', () => {
  const slice = (ports: object[]): object => ({ addressType: 'IPv4', ports, endpoints: [] });
  expect(cells('EndpointSlice', slice([{ port: 80 }, { name: 'http' }, {}]))[2]).toBe('80,http,*');
  expect(cells('EndpointSlice', slice([{ name: '' }]))[2]).toBe('<unset>');
});

test('parameters of a binding that are selected are shown as Go prints a selector', () => {
  const selector = { matchLabels: { b: '1', a: '2' }, matchExpressions: [{ key: 'c', operator: 'In', values: ['x', 'y'] }] };
  expect(cells('ValidatingAdmissionPolicyBinding', { spec: { policyName: 'p', paramRef: { selector } } })[2]).toBe(
    '&LabelSelector{MatchLabels:map[string]string{a: 2,b: 1,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:c,Operator:In,Values:[x y],},},}',
  );
});

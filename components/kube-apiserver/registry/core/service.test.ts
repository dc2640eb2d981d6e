import { expect, test } from 'vitest';
import { services } from '../../../../src/api/resources.ts';
import { tryCreate, tryUpdate } from '../try-strategy.ts';

const service = (spec: object): object => ({ metadata: { name: 'web' }, spec: { ports: [{ port: 80 }], ...spec } });

test('defaults depend on the type', () => {
  expect(tryCreate(services, service({})).object.spec).toEqual({
    ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
    sessionAffinity: 'None',
    type: 'ClusterIP',
    internalTrafficPolicy: 'Cluster',
  });
  expect(tryCreate(services, service({ type: 'LoadBalancer' })).object.spec).toMatchObject({
    externalTrafficPolicy: 'Cluster',
    allocateLoadBalancerNodePorts: true,
  });
});

test('mistakes', () => {
  const problems = (spec: object): string[] => tryCreate(services, service(spec)).problems;
  expect(problems({ ports: [] })).toEqual(['spec.ports: Required value']);
  expect(problems({ ports: [{ port: 80 }, { port: 81 }] })).toEqual([
    'spec.ports[0].name: Required value',
    'spec.ports[1].name: Required value',
  ]);
  expect(problems({ type: 'NodePort', clusterIP: 'None' })).toEqual([
    'spec.clusterIPs[0]: Invalid value: "None": may not be set to \'None\' for NodePort services',
  ]);
  expect(problems({ type: 'Internal' })).toEqual([
    'spec.type: Unsupported value: "Internal": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
  ]);
});

test('a replacement keeps what was given out; another type lets go of it', () => {
  const { object } = tryCreate(services, service({ type: 'NodePort', ports: [{ port: 80, nodePort: 30080 }], clusterIP: '10.96.0.10' }));
  expect(tryUpdate(services, object, { body: service({ type: 'NodePort' }) }).object.spec).toMatchObject({
    clusterIP: '10.96.0.10',
    clusterIPs: ['10.96.0.10'],
    ports: [{ nodePort: 30080 }],
  });
  const external = tryUpdate(services, object, { body: service({ ...object.spec, type: 'ExternalName', externalName: 'a.example.com' }) });
  expect(external.problems).toEqual([]);
  expect(external.object.spec?.clusterIP).toBeUndefined();
});

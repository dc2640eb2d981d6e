import { expect, it } from 'vitest';
import { flowschemas } from '../../../src/api/resources.ts';
import { Cluster } from '../../../src/cluster/cluster.ts';
import { DroppedRequests } from './dropped-requests.ts';
import { flowSchemaOf } from './flow-schema.ts';

const user = (username: string, ...groups: string[]) => ({ username, groups: [...groups, 'system:authenticated'] });
const info = (verb: string, resource: string, namespace = 'default', group = '') => ({
  isResourceRequest: true,
  verb,
  path: '',
  group,
  version: 'v1',
  resource,
  subresource: '',
  namespace,
  name: '',
});
const account = (name: string, namespace = 'kube-system') =>
  user(`system:serviceaccount:${namespace}:${name}`, 'system:serviceaccounts', `system:serviceaccounts:${namespace}`);

it.each([
  [user('kubernetes-admin', 'system:masters'), info('get', 'pods'), 'exempt'],
  [user('jane'), info('get', 'pods'), 'global-default'],
  [user('system:kube-controller-manager'), info('list', 'pods', ''), 'kube-controller-manager'],
  [user('system:kube-scheduler'), info('update', 'leases', 'kube-system', 'coordination.k8s.io'), 'system-leader-election'],
  [user('system:node:n1', 'system:nodes'), info('patch', 'pods'), 'system-nodes'],
  [user('system:node:n1', 'system:nodes'), info('update', 'leases', 'kube-node-lease', 'coordination.k8s.io'), 'system-node-high'],
  [account('coredns'), info('list', 'services', ''), 'kube-system-service-accounts'],
  [account('default', 'shop'), info('list', 'services', ''), 'service-accounts'],
])('%o %o: %s', async (who, what, expected) => {
  const cluster = new Cluster({ nodes: 0, components: [] });
  const { items } = await cluster.call((client) => client.resource(flowschemas).list());
  expect(flowSchemaOf({ info: what, user: who }, items)?.metadata.name).toBe(expected);
});

it('tells clients to stay away longer while many come', () => {
  const dropped = new DroppedRequests();
  const told: number[] = [];
  for (let second = 0; second < 40; second++) {
    for (let count = 0; count < (second < 20 ? 10 : 1); count++) dropped.record(second);
    told.push(dropped.retryAfterSeconds);
  }
  expect(told.slice(0, 4)).toEqual([1, 2, 2, 4]);
  expect(Math.max(...told)).toBeLessThanOrEqual(32);
});

import { expect, test } from 'vitest';
import type { Service } from '../../../src/api/kinds/core-v1.ts';
import type { Connection, Route } from '../../../src/api/network.ts';
import { Random } from '../../../src/sim/random.ts';
import { Netfilter } from './netfilter.ts';
import { Proxier } from './proxier.ts';

const NODE = '192.168.100.11';
const POD = '10.244.1.9';
const OUTSIDE = '203.0.113.50';

/** A node n1 with one Service `web` at 10.96.0.1:80, node port 30080. Endpoints are written `ip@node`, with `-` before those that are not ready. */
function nodeWith(
  endpoints: readonly string[],
  spec: Partial<NonNullable<Service['spec']>> = {},
): { route: (connection: Partial<Connection>) => Route; at: (ms: number) => void } {
  let now = 0;
  const netfilter = new Netfilter({ now: () => now, addresses: [NODE] });
  const proxier = new Proxier({ netfilter, family: 'IPv4', node: 'n1', clusterCIDR: '10.244.0.0/16' });
  proxier.onNode('', NODE);
  const ports = [{ port: 80, targetPort: 8080, nodePort: 30_080, protocol: 'TCP' }];
  proxier.onService(
    { metadata: { namespace: 'default', name: 'web' }, spec: { type: 'NodePort', clusterIP: '10.96.0.1', ports, ...spec } },
    false,
  );
  proxier.onEndpointSlice(
    {
      metadata: { namespace: 'default', name: 'web-1', labels: { 'kubernetes.io/service-name': 'web' } },
      addressType: 'IPv4',
      endpoints: endpoints.map((text) => {
        const [ip = '', nodeName = ''] = text.replace('-', '').split('@');
        return { addresses: [ip], nodeName, conditions: { ready: !text.startsWith('-') } };
      }),
      ports: [{ name: '', port: 8080, protocol: 'TCP' }],
    },
    false,
  );
  proxier.sync();
  const random = new Random('1');
  const route = (connection: Partial<Connection>): Route =>
    netfilter.route({ from: POD, destination: { ip: '10.96.0.1', port: 80 }, protocol: 'TCP', ...connection }, random);
  return {
    route,
    at: (ms) => {
      now = ms;
    },
  };
}

function end(route: Route): string {
  return route.verdict === 'accepted'
    ? `${route.destination.ip}:${route.destination.port}${route.masqueraded ? ' masqueraded' : ''}`
    : route.verdict;
}

test('a connection to the cluster IP is spread over the endpoints', () => {
  const { route } = nodeWith(['10.244.1.1@n1', '10.244.2.1@n2', '10.244.3.1@n3', '-10.244.4.1@n4']);
  const counts = new Map<string, number>();
  for (let i = 0; i < 3_000; i++) counts.set(end(route({})), (counts.get(end(route({}))) ?? 0) + 1);
  expect([...counts.keys()].sort()).toEqual(['10.244.1.1:8080', '10.244.2.1:8080', '10.244.3.1:8080']);
  for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(100);
});

test('the rules that a connection met tell its way', () => {
  const { route } = nodeWith(['10.244.1.1@n1']);
  expect(route({}).rules.map(({ table, chain, rule }) => `${table} ${chain}: ${rule.replace(/[A-Z2-7]{16}/g, '…')}`)).toEqual([
    'nat PREROUTING: -m comment --comment "kubernetes service portals" -j KUBE-SERVICES',
    'nat KUBE-SERVICES: -d 10.96.0.1/32 -p tcp -m comment --comment "default/web cluster IP" -m tcp --dport 80 -j KUBE-SVC-…',
    expect.stringMatching(/^nat KUBE-SVC-\w+: -m comment --comment "default\/web -> 10.244.1.1:8080" -j KUBE-SEP-…$/),
    expect.stringMatching(/^nat KUBE-SEP-\w+: -p tcp .* -j DNAT --to-destination 10.244.1.1:8080$/),
    expect.stringMatching(/^filter FORWARD: .* -j KUBE-PROXY-FIREWALL$/),
    expect.stringMatching(/^filter FORWARD: .* -j KUBE-FORWARD$/),
    expect.stringMatching(/^filter FORWARD: .* -j KUBE-SERVICES$/),
    expect.stringMatching(/^filter FORWARD: .* -j KUBE-EXTERNAL-SERVICES$/),
    expect.stringMatching(/^nat POSTROUTING: .* -j KUBE-POSTROUTING$/),
    'nat KUBE-POSTROUTING: -m mark ! --mark 0x4000/0x4000 -j RETURN',
  ]);
});

test.each([
  ['no endpoint: refused at once', [], {}, {}, 'rejected'],
  ['only unready ones: refused at once', ['-10.244.1.1@n1'], {}, {}, 'rejected'],
  ['a pod that reaches itself is masqueraded', ['10.244.1.9@n1'], {}, {}, '10.244.1.9:8080 masqueraded'],
  ['the node itself is masqueraded', ['10.244.1.1@n1'], {}, { from: NODE }, '10.244.1.1:8080 masqueraded'],
  [
    'node port from outside',
    ['10.244.2.1@n2'],
    {},
    { from: OUTSIDE, destination: { ip: NODE, port: 30_080 } },
    '10.244.2.1:8080 masqueraded',
  ],
  ['node port without endpoints', [], {}, { from: OUTSIDE, destination: { ip: NODE, port: 30_080 } }, 'rejected'],
  [
    'external Local: the client is not masqueraded',
    ['10.244.1.1@n1'],
    { externalTrafficPolicy: 'Local' },
    { from: OUTSIDE, destination: { ip: NODE, port: 30_080 } },
    '10.244.1.1:8080',
  ],
  [
    'external Local, none here: nobody answers',
    ['10.244.2.1@n2'],
    { externalTrafficPolicy: 'Local' },
    { from: OUTSIDE, destination: { ip: NODE, port: 30_080 } },
    'dropped',
  ],
  [
    'external Local, none here: pods of the node still get through',
    ['10.244.2.1@n2'],
    { externalTrafficPolicy: 'Local' },
    { destination: { ip: NODE, port: 30_080 } },
    '10.244.2.1:8080',
  ],
  ['internal Local, none here: nobody answers', ['10.244.2.1@n2'], { internalTrafficPolicy: 'Local' }, {}, 'dropped'],
  ['an address of no Service stays as it is', [], {}, { destination: { ip: '10.244.2.7', port: 9_090 } }, '10.244.2.7:9090'],
] as const)('%s', (_, endpoints, spec, connection, expected) => {
  expect(end(nodeWith(endpoints, spec).route(connection))).toBe(expected);
});

test('with ClientIP affinity a client stays with its endpoint until it was away for too long', () => {
  const sticky = { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 10 } } };
  const { route, at } = nodeWith(['10.244.1.1@n1', '10.244.2.1@n2', '10.244.3.1@n3'], sticky);
  const first = end(route({}));
  for (let second = 1; second < 60; second++) {
    at(second * 1_000);
    expect(end(route({}))).toBe(first);
  }
  const later = new Set<string>();
  for (let minute = 2; minute < 40; minute++) {
    at(minute * 60_000);
    later.add(end(route({})));
  }
  expect(later.size).toBe(3);
});

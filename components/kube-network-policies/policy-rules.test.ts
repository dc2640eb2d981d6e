import { describe, expect, it } from 'vitest';
import type { NetworkPolicy, NetworkPolicySpec } from '../../src/api/kinds/networking-v1.ts';
import type { Direction } from './packet-queue.ts';
import { allowingRule, type Endpoint, isIsolatedBy } from './policy-rules.ts';

const policy = (spec: NetworkPolicySpec): NetworkPolicy => ({ metadata: { name: 'p', namespace: 'shop' }, spec });
const pod = (ip: string, namespace: string, labels: Record<string, string>): Endpoint => ({
  ip,
  pod: {
    metadata: { name: `pod-${ip}`, namespace, labels },
    spec: {
      containers: [
        {
          name: 'c',
          ports: [
            { name: 'http', containerPort: 8080 },
            { name: 'dns', containerPort: 53, protocol: 'UDP' },
          ],
        },
      ],
    },
  },
  namespace: { metadata: { name: namespace, labels: { 'kubernetes.io/metadata.name': namespace, team: namespace } } },
});
const web = pod('10.0.1.5', 'shop', { app: 'web' });
const api = pod('10.0.1.6', 'shop', { app: 'api' });
const other = pod('10.0.2.7', 'lab', { app: 'api' });
const outside: Endpoint = { ip: '192.0.2.10' };

describe('isIsolatedBy', () => {
  it.each<[NetworkPolicySpec, Direction, boolean]>([
    [{ podSelector: {}, policyTypes: ['Ingress'] }, 'ingress', true],
    [{ podSelector: {}, policyTypes: ['Ingress'] }, 'egress', false],
    [{ podSelector: {}, policyTypes: ['Ingress', 'Egress'] }, 'egress', true],
    [{ podSelector: { matchLabels: { app: 'web' } }, policyTypes: ['Ingress'] }, 'ingress', true],
    [{ podSelector: { matchLabels: { app: 'db' } }, policyTypes: ['Ingress'] }, 'ingress', false],
    [
      { podSelector: { matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] }, policyTypes: ['Ingress'] },
      'ingress',
      false,
    ],
  ])('%j %s: %s', (spec, direction, expected) => {
    expect(isIsolatedBy(policy(spec), web.pod ?? { metadata: {} }, direction)).toBe(expected);
  });
});

type Peers = NonNullable<NonNullable<NetworkPolicySpec['ingress']>[number]['from']>;

describe('who', () => {
  it.each<[string, Peers | undefined, Endpoint, boolean]>([
    ['no peers: everybody', undefined, outside, true],
    ['no peers: everybody', [], other, true],
    ['pods of the own namespace', [{ podSelector: { matchLabels: { app: 'api' } } }], api, true],
    ['not those of another', [{ podSelector: { matchLabels: { app: 'api' } } }], other, false],
    ['all pods of the own namespace', [{ podSelector: {} }], api, true],
    ['all pods are not the world', [{ podSelector: {} }], outside, false],
    ['pods of namespaces', [{ namespaceSelector: { matchLabels: { team: 'lab' } } }], other, true],
    ['pods of other namespaces', [{ namespaceSelector: { matchLabels: { team: 'lab' } } }], api, false],
    ['all pods', [{ namespaceSelector: {} }], other, true],
    [
      'both selectors',
      [{ namespaceSelector: { matchLabels: { team: 'lab' } }, podSelector: { matchLabels: { app: 'api' } } }],
      other,
      true,
    ],
    [
      'one of both selectors',
      [{ namespaceSelector: { matchLabels: { team: 'lab' } }, podSelector: { matchLabels: { app: 'web' } } }],
      other,
      false,
    ],
    [
      'either of two peers',
      [{ podSelector: { matchLabels: { app: 'web' } } }, { namespaceSelector: { matchLabels: { team: 'lab' } } }],
      other,
      true,
    ],
    ['an address in a block', [{ ipBlock: { cidr: '192.0.2.0/24' } }], outside, true],
    ['an address that is excepted', [{ ipBlock: { cidr: '192.0.2.0/24', except: ['192.0.2.8/29'] } }], outside, false],
    ['an address beside what is excepted', [{ ipBlock: { cidr: '192.0.2.0/24', except: ['192.0.2.16/28'] } }], outside, true],
    ['a block of another family', [{ ipBlock: { cidr: '::/0' } }], outside, false],
    ['a pod by its address', [{ ipBlock: { cidr: '10.0.0.0/16' } }], other, true],
  ])('%s', (_, from, peer, expected) => {
    const spec = { podSelector: {}, policyTypes: ['Ingress'], ingress: [from ? { from } : {}] };
    expect(allowingRule(policy(spec), 'ingress', { peer, to: web, port: { port: 80, protocol: 'TCP' } })).toBe(expected ? 0 : -1);
  });
});

type Ports = NonNullable<NonNullable<NetworkPolicySpec['egress']>[number]['ports']>;

describe('which ports', () => {
  it.each<[string, Ports, { port: number; protocol: string }, Endpoint, boolean]>([
    ['none named: all', [], { port: 1, protocol: 'SCTP' }, api, true],
    ['a number', [{ port: 80 }], { port: 80, protocol: 'TCP' }, api, true],
    ['another number', [{ port: 80 }], { port: 81, protocol: 'TCP' }, api, false],
    ['another protocol', [{ port: 53, protocol: 'UDP' }], { port: 53, protocol: 'TCP' }, api, false],
    ['a protocol alone', [{ protocol: 'UDP' }], { port: 5353, protocol: 'UDP' }, api, true],
    ['the first of a range', [{ port: 8000, endPort: 8010 }], { port: 8000, protocol: 'TCP' }, api, true],
    ['the last of a range', [{ port: 8000, endPort: 8010 }], { port: 8010, protocol: 'TCP' }, api, true],
    ['after a range', [{ port: 8000, endPort: 8010 }], { port: 8011, protocol: 'TCP' }, api, false],
    ['a name', [{ port: 'http' }], { port: 8080, protocol: 'TCP' }, api, true],
    ['a name of another protocol', [{ port: 'dns' }], { port: 53, protocol: 'TCP' }, api, false],
    ['a name of what is no pod', [{ port: 'http' }], { port: 8080, protocol: 'TCP' }, outside, false],
    ['one of two', [{ port: 80 }, { port: 'http' }], { port: 8080, protocol: 'TCP' }, api, true],
  ])('%s', (_, ports, port, peer, expected) => {
    const spec = { podSelector: {}, policyTypes: ['Egress'], egress: [{ ports }] };
    expect(allowingRule(policy(spec), 'egress', { peer, to: peer, port })).toBe(expected ? 0 : -1);
  });

  it('nothing without a rule, and only what one rule allows as a whole', () => {
    const connection = { peer: api, to: web, port: { port: 80, protocol: 'TCP' } };
    expect(allowingRule(policy({ podSelector: {}, policyTypes: ['Ingress'] }), 'ingress', connection)).toBe(-1);
    const ingress = [{ from: [{ podSelector: {} }], ports: [{ port: 81 }] }, { from: [{ podSelector: { matchLabels: { app: 'x' } } }] }];
    expect(allowingRule(policy({ podSelector: {}, policyTypes: ['Ingress'], ingress }), 'ingress', connection)).toBe(-1);
  });
});

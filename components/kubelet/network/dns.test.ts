import { expect, it } from 'vitest';
import type { PodSpec } from '../../../src/api/kinds/core-v1.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import { podOf } from '../../../test/support/runtime-states.ts';
import { getPodDNS } from './dns.ts';

const CLUSTER = {
  servers: ['10.96.0.10'],
  searches: ['shop.svc.cluster.local', 'svc.cluster.local', 'cluster.local'],
  options: ['ndots:5'],
};
const NODE = { servers: ['192.168.100.1'], searches: [], options: [] };

function dnsOf(spec: Partial<PodSpec>): { config: unknown; events: string[] } {
  const events: string[] = [];
  const recorder = {
    event: (_: unknown, type: string, reason: string, message: string) => void events.push(`${type} ${reason} ${message}`),
  };
  return { config: getPodDNS(recorder as unknown as EventRecorder, podOf(spec, { namespace: 'shop' })), events };
}

it.each([
  [{}, CLUSTER],
  [{ dnsPolicy: 'ClusterFirst', hostNetwork: true }, NODE],
  [{ dnsPolicy: 'ClusterFirstWithHostNet', hostNetwork: true }, CLUSTER],
  [{ dnsPolicy: 'Default' }, NODE],
  [
    { dnsPolicy: 'None', dnsConfig: { nameservers: ['1.1.1.1'] } },
    { servers: ['1.1.1.1'], searches: [], options: [] },
  ],
])('follows the policy of the pod: %j', (spec, config) => {
  expect(dnsOf(spec)).toEqual({ config, events: [] });
});

it('adds what the pod says itself', () => {
  const dnsConfig = {
    nameservers: ['1.1.1.1', '10.96.0.10'],
    searches: ['example.com', 'cluster.local'],
    options: [{ name: 'ndots', value: '2' }, { name: 'edns0' }],
  };
  expect(dnsOf({ dnsConfig }).config).toEqual({
    servers: ['10.96.0.10', '1.1.1.1'],
    searches: [...CLUSTER.searches, 'example.com'],
    options: ['ndots:2', 'edns0'],
  });
});

it('leaves out what is too much, and says so', () => {
  const { config, events } = dnsOf({ dnsConfig: { nameservers: ['1.1.1.1', '2.2.2.2', '3.3.3.3'] } });
  expect(config).toMatchObject({ servers: ['10.96.0.10', '1.1.1.1', '2.2.2.2'] });
  expect(events).toEqual([
    'Warning DNSConfigForming Nameserver limits were exceeded, some nameservers have been omitted, the applied nameserver line is: 10.96.0.10 1.1.1.1 2.2.2.2',
  ]);
});

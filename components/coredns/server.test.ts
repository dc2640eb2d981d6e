import { expect, test } from 'vitest';
import type { Service } from '../../src/api/kinds/core-v1.ts';
import type { DnsQuestion, NameResolver } from '../../src/api/network.ts';
import { clusterFirst, lookupHost } from '../../src/api/resolv-conf.ts';
import { endpointslices, services } from '../../src/api/resources.ts';
import { invariant } from '../../src/sim/invariant.ts';
import { ControlPlane } from '../../test/support/control-plane.ts';
import { runCoreDns } from './server.ts';

const service = (name: string, spec: NonNullable<Service['spec']>): Service => ({ metadata: { namespace: 'default', name }, spec });

async function start(): Promise<{ resolver: NameResolver; webIP: string; plane: ControlPlane }> {
  const plane = new ControlPlane([]);
  let resolver: NameResolver | undefined;
  const listen = (opened: NameResolver): void => {
    resolver = opened;
  };
  const user = { username: 'admin', groups: ['system:masters', 'system:authenticated'] };
  const hosts = { 'example.com': ['203.0.113.1'] };
  plane.simulation.actor('coredns', (actor) => runCoreDns({ actor, client: plane.client(actor, user), config: { listen, hosts } })).start();
  const webIP = await plane.act(async (client) => {
    const api = client.resource(services);
    const web = await api.create(
      service('web', {
        ports: [
          { name: 'http', port: 80 },
          { name: 'dns', port: 53, protocol: 'UDP' },
        ],
      }),
    );
    await api.create(service('db', { clusterIP: 'None', ports: [{ name: 'sql', port: 5432 }] }));
    await api.create(service('empty', { clusterIP: 'None', ports: [{ port: 1 }] }));
    await api.create(service('out', { type: 'ExternalName', externalName: 'example.com' }));
    await client.resource(endpointslices).create({
      metadata: { namespace: 'default', name: 'db-1', labels: { 'kubernetes.io/service-name': 'db' } },
      addressType: 'IPv4',
      endpoints: [
        { addresses: ['10.244.0.5'], hostname: 'db-0', conditions: { ready: true } },
        { addresses: ['10.244.0.6'], conditions: { ready: true } },
        { addresses: ['10.244.0.7'], conditions: { ready: false } },
      ],
      ports: [{ name: 'sql', port: 5432, protocol: 'TCP' }],
    });
    return web.spec?.clusterIP ?? '';
  });
  await plane.simulation.settle();
  invariant(resolver, 'coredns answers');
  return { resolver, webIP, plane };
}

test('answers as the real server does', async () => {
  const { resolver, webIP } = await start();
  const ask = (name: string, type: DnsQuestion['type'] = 'A'): string => {
    const { code, answers } = resolver.resolve({ name, type });
    return `${code} ${answers
      .map((record) => `${record.type} ${record.data}`)
      .sort()
      .join(', ')}`.trim();
  };
  expect(ask('web.default.svc.cluster.local.')).toBe(`NOERROR A ${webIP}`);
  expect(ask('WEB.default.svc.cluster.local')).toBe(`NOERROR A ${webIP}`);
  expect(ask('web.default.svc.cluster.local', 'AAAA')).toBe('NOERROR');
  expect(ask('db.default.svc.cluster.local')).toBe('NOERROR A 10.244.0.5, A 10.244.0.6');
  expect(ask('db-0.db.default.svc.cluster.local')).toBe('NOERROR A 10.244.0.5');
  expect(ask('10-244-0-6.db.default.svc.cluster.local')).toBe('NOERROR A 10.244.0.6');
  expect(ask('empty.default.svc.cluster.local')).toBe('NXDOMAIN');
  expect(ask('_http._tcp.web.default.svc.cluster.local', 'SRV')).toBe('NOERROR SRV 0 100 80 web.default.svc.cluster.local.');
  expect(ask('_sql._tcp.db.default.svc.cluster.local', 'SRV')).toBe(
    'NOERROR SRV 0 50 5432 10-244-0-6.db.default.svc.cluster.local., SRV 0 50 5432 db-0.db.default.svc.cluster.local.',
  );
  expect(ask('_http._udp.web.default.svc.cluster.local', 'SRV')).toBe('NXDOMAIN');
  expect(ask('out.default.svc.cluster.local')).toBe('NOERROR A 203.0.113.1, CNAME example.com.');
  expect(ask('default.svc.cluster.local')).toBe('NOERROR');
  expect(ask('nowhere.svc.cluster.local')).toBe('NXDOMAIN');
  expect(ask('none.default.svc.cluster.local')).toBe('NXDOMAIN');
  expect(ask('10-244-0-9.default.pod.cluster.local')).toBe('NOERROR A 10.244.0.9');
  expect(ask(`${webIP.split('.').reverse().join('.')}.in-addr.arpa`, 'PTR')).toBe('NOERROR PTR web.default.svc.cluster.local.');
  expect(ask('example.com')).toBe('NOERROR A 203.0.113.1');
  expect(ask('example.org')).toBe('NXDOMAIN');
});

test('a pod finds short names by its search list; nobody answers when the process is down', async () => {
  const { resolver, webIP, plane } = await start();
  expect(lookupHost('web', clusterFirst('default'), resolver)).toEqual({
    tried: ['web.default.svc.cluster.local.'],
    addresses: [webIP],
    code: 'NOERROR',
  });
  expect(lookupHost('web.default', clusterFirst('kube-system'), resolver).tried).toEqual([
    'web.default.kube-system.svc.cluster.local.',
    'web.default.svc.cluster.local.',
  ]);
  expect(lookupHost('example.com', clusterFirst('default'), resolver).tried.at(-1)).toBe('example.com.');
  expect(lookupHost('nope', clusterFirst('default'), resolver)).toMatchObject({ addresses: [], code: 'NXDOMAIN' });
  plane.simulation.actors.get('coredns')?.crash();
  expect(lookupHost('web', clusterFirst('default'), resolver).code).toBe('TIMEOUT');
});

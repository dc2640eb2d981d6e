// Goal: what containers see of names: /etc/hosts, /etc/resolv.conf, their own name, and whom they reach by which. Method: a whole cluster with one node; kubectl exec looks.
import { resources } from 'bottleship';
import type { TestCluster } from 'bottleship/testing';
import { expect, it } from 'vitest';
import type { PodSpec } from '../src/api/kinds/core-v1.ts';
import { oneNode, pod, statusOf } from './support/pods.ts';

const { pods } = resources;

const sleeper = (more: Partial<PodSpec> = {}): PodSpec => ({
  containers: [{ name: 'main', image: 'busybox:1.36', command: ['sleep', '100000'] }],
  ...more,
});

async function exec(cluster: TestCluster, name: string, ...command: string[]): Promise<string[]> {
  const { stdout, stderr } = await cluster.kubectl(['exec', name, '--', ...command]);
  return [...stdout, ...stderr];
}

async function withPods(specs: Record<string, Partial<PodSpec>>): Promise<TestCluster> {
  const cluster = await oneNode();
  await cluster.apply(Object.entries(specs).map(([name, more]) => pod(name, sleeper(more))));
  for (const name of Object.keys(specs)) await cluster.waitUntilReady(pods, name);
  return cluster;
}

it('has the hosts file of the pod, with its aliases', async () => {
  const hostAliases = [{ ip: '1.2.3.4', hostnames: ['db', 'db.example.com'] }];
  const cluster = await withPods({ web: { hostAliases }, named: { hostname: 'first', subdomain: 'group' }, host: { hostNetwork: true } });
  const { podIP } = await statusOf(cluster, 'web');
  expect(await exec(cluster, 'web', 'cat', '/etc/hosts')).toEqual([
    '# Kubernetes-managed hosts file.',
    '127.0.0.1\tlocalhost',
    '::1\tlocalhost ip6-localhost ip6-loopback',
    'fe00::0\tip6-localnet',
    'fe00::0\tip6-mcastprefix',
    'fe00::1\tip6-allnodes',
    'fe00::2\tip6-allrouters',
    `${podIP}\tweb`,
    '',
    '# Entries added by HostAliases.',
    '1.2.3.4\tdb\tdb.example.com',
  ]);
  const named = (await statusOf(cluster, 'named')).podIP;
  expect(await exec(cluster, 'named', 'cat', '/etc/hosts')).toContain(`${named}\tfirst.group.default.svc.cluster.local\tfirst`);
  expect((await exec(cluster, 'host', 'cat', '/etc/hosts'))[0]).toBe('# Kubernetes-managed hosts file (host network).');
});

it('reaches a host by a name that only the pod knows', async () => {
  const cluster = await oneNode();
  await cluster.apply(pod('server', { containers: [{ name: 'c', image: 'nginx:1.27' }] }));
  await cluster.waitUntilReady(pods, 'server');
  const ip = (await statusOf(cluster, 'server')).podIP ?? '';
  await cluster.apply(pod('client', sleeper({ hostAliases: [{ ip, hostnames: ['shop.example.com'] }] })));
  await cluster.waitUntilReady(pods, 'client');
  expect((await exec(cluster, 'client', 'wget', '-qO-', 'http://shop.example.com')).join('\n')).toContain('Welcome to nginx');
  expect(await exec(cluster, 'client', 'wget', '-qO-', 'http://other.example.com')).toContain("wget: bad address 'other.example.com'");
});

it('asks whom its policy names', async () => {
  const cluster = await withPods({
    usual: {},
    node: { dnsPolicy: 'Default' },
    own: {
      dnsPolicy: 'None',
      dnsConfig: { nameservers: ['10.96.0.10'], searches: ['svc.cluster.local'], options: [{ name: 'ndots', value: '2' }] },
    },
  });
  await cluster.kubectl(['create', 'service', 'clusterip', 'web', '--tcp=80:80']);
  await cluster.settle();
  expect(await exec(cluster, 'usual', 'cat', '/etc/resolv.conf')).toEqual([
    'search default.svc.cluster.local svc.cluster.local cluster.local',
    'nameserver 10.96.0.10',
    'options ndots:5',
  ]);
  expect(await exec(cluster, 'own', 'cat', '/etc/resolv.conf')).toEqual([
    'search svc.cluster.local',
    'nameserver 10.96.0.10',
    'options ndots:2',
  ]);
  const found = async (from: string, name: string): Promise<boolean> =>
    !(await exec(cluster, from, 'nslookup', name)).join().includes('NXDOMAIN');
  expect([await found('usual', 'web'), await found('own', 'web'), await found('own', 'web.default'), await found('node', 'web')]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

it('has its whole name as that of its host, where that is asked for and short enough', async () => {
  const cluster = await withPods({ web: { subdomain: 'group', setHostnameAsFQDN: true } });
  expect(await exec(cluster, 'web', 'hostname')).toEqual(['web.group.default.svc.cluster.local']);
  await cluster.apply(pod('long', sleeper({ hostname: 'a'.repeat(60), subdomain: 'group', setHostnameAsFQDN: true })));
  await cluster.advance(3_000);
  const { stdout } = await cluster.kubectl(['events', '--for', 'pod/long']);
  expect(stdout.join('\n')).toContain(
    `FQDN ${'a'.repeat(60)}.group.default.svc.cluster.local is too long (64 characters is the max, 92 characters requested)`,
  );
  expect(await statusOf(cluster, 'long')).toMatchObject({ phase: 'Pending' });
});

// Goal: the API works over sockets as inside the process. Method: a small cluster behind real sockets, with the clock standing still unless a test says otherwise.
import 'reflect-metadata';
import { KeyObject, webcrypto } from 'node:crypto';
import { request as httpsRequest } from 'node:https';
import { Pkcs10CertificateRequestGenerator } from '@peculiar/x509';
import { afterEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { Cluster } from '../cluster/cluster.ts';
import { formatRecording, parseRecording } from '../scenario/recording.ts';
import { replay } from '../scenario/replay.ts';
import { type Addresses, ApiServer } from './api-server.ts';
import { CertificateAuthority } from './certificate-authority.ts';

let server: ApiServer | undefined;
afterEach(async () => {
  await server?.stop();
  server = undefined;
});

async function serve(options: { speed?: number; secure?: boolean } = {}): Promise<Addresses & { cluster: Cluster }> {
  const cluster = new Cluster({ nodes: 1, digest: true });
  await cluster.settle();
  const ports = { insecurePort: 0, ...(options.secure ? { port: 0 } : {}) };
  const fail = (error: unknown): void => {
    throw error;
  };
  server = new ApiServer({ cluster, speed: options.speed ?? 0, keepInputs: true, onFailure: fail, ...ports });
  return { ...(await server.start()), cluster };
}

const MAPS = '/api/v1/namespaces/default/configmaps';
const map = (name: string) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ metadata: { name } }),
});

test('answers at once, also when the clock stands still', async () => {
  const { insecure, cluster } = await serve();
  const before = cluster.simulation.now;
  const created = await fetch(`${insecure}${MAPS}`, map('a'));
  expect(created.status).toBe(201);
  expect(((await created.json()) as { metadata: { name: string } }).metadata.name).toBe('a');
  expect(cluster.simulation.now - before).toBeLessThan(10);
});

test('streams watch events as they happen, and ends a watch when its client goes away', async () => {
  const { insecure, cluster } = await serve();
  const stop = new AbortController();
  const watch = await fetch(`${insecure}${MAPS}?watch=1&resourceVersion=${cluster.etcd.revision}`, { signal: stop.signal });
  const reader = watch.body?.getReader();
  await fetch(`${insecure}${MAPS}`, map('b'));
  const { value } = (await reader?.read()) ?? {};
  expect(JSON.parse(new TextDecoder().decode(value))).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'b' } } });
  stop.abort();
  await expect.poll(() => cluster.simulation.inputs.at(-1)?.input).toBe('http-close');
});

test('watches also speak WebSocket', async () => {
  const { insecure, cluster } = await serve();
  const socket = new WebSocket(`${insecure?.replace('http', 'ws')}${MAPS}?watch=true&resourceVersion=${cluster.etcd.revision}`);
  const message = new Promise<string>((resolve) => {
    socket.addEventListener('message', ({ data }) => resolve(String(data)));
  });
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  await fetch(`${insecure}${MAPS}`, map('b'));
  expect(JSON.parse(await message)).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'b' } } });
  socket.close();
  await expect.poll(() => cluster.simulation.inputs.at(-1)?.input).toBe('http-close');
});

test('an administrator moves the clock', async () => {
  const { insecure, cluster } = await serve();
  const before = cluster.simulation.now;
  const clock = (query: string) => fetch(`${insecure}/bottleship/clock?${query}`, { method: 'POST' });
  await clock('advance=1m30s');
  expect(cluster.simulation.now - before).toBe(90_000);
  await fetch(`${insecure}${MAPS.replace('configmaps', 'pods')}`, {
    ...map('p'),
    body: JSON.stringify({ metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'nginx' }] } }),
  });
  expect(await (await clock('settle')).json()).toMatchObject({ settled: true });
  expect(
    ((await (await fetch(`${insecure}${MAPS.replace('configmaps', 'pods')}/p`)).json()) as { status: { phase: string } }).status.phase,
  ).toBe('Running');
  expect((await clock('advance=soon')).status).toBe(400);
});

test('an administrator puts a load on a Service', async () => {
  const { insecure, cluster } = await serve();
  const load = (query: string) => fetch(`${insecure}/bottleship/load?${query}`, { method: 'POST' });
  expect(await (await load('service=web&requestsPerSecond=200&port=8080')).json()).toEqual({
    service: 'web',
    requestsPerSecond: 200,
    port: 8080,
  });
  expect(cluster.simulation.inputs.at(-1)).toMatchObject({ input: 'load', payload: { service: 'web' } });
  expect((await load('service=web&requestsPerSecond=many')).status).toBe(400);
});

test('goes with the wall clock', async () => {
  const { cluster } = await serve({ speed: 100 });
  const before = cluster.simulation.now;
  await expect.poll(() => cluster.simulation.now - before, { timeout: 10_000 }).toBeGreaterThan(10_000);
});

test('a run over HTTP replays to the same digest', async () => {
  const { insecure, cluster } = await serve({ speed: 20 });
  const watch = await fetch(`${insecure}${MAPS}?watch=1`);
  for (const name of ['a', 'b', 'c']) await fetch(`${insecure}${MAPS}`, map(name));
  await fetch(`${insecure}${MAPS}/b`, { method: 'DELETE' });
  await watch.body?.cancel();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await server?.stop();
  const { simulation, config } = cluster;
  const end = { events: simulation.executed, time: simulation.now };
  const digest = simulation.trace.digest();
  const recording = formatRecording({
    title: 'over HTTP',
    config: { ...config, seed: simulation.seed },
    inputs: simulation.inputs,
    end,
    digest,
  });
  expect(await replay(parseRecording(recording, 'run.json'))).toMatchObject({ complete: true, same: true });
});

interface Kubeconfig {
  readonly clusters: readonly [{ readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string } }];
  readonly users: readonly [{ readonly user: { readonly 'client-certificate-data': string; readonly 'client-key-data': string } }];
}

/** Who the server takes the sender for. */
function whoAmI(config: Kubeconfig, credentials: 'certificate' | 'none'): Promise<string> {
  const { cluster } = config.clusters[0];
  const { user } = config.users[0];
  const decode = (text: string): Buffer => Buffer.from(text, 'base64');
  const tls = credentials === 'none' ? {} : { cert: decode(user['client-certificate-data']), key: decode(user['client-key-data']) };
  const options = {
    method: 'POST',
    ca: decode(cluster['certificate-authority-data']),
    headers: { 'content-type': 'application/json' },
    ...tls,
  };
  return new Promise((resolve, reject) => {
    const request = httpsRequest(`${cluster.server}/apis/authentication.k8s.io/v1/selfsubjectreviews`, options, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () => {
        const { status, message } = JSON.parse(text) as { status: { userInfo?: { username: string } }; message?: string };
        resolve(status.userInfo?.username ?? message ?? '');
      });
    });
    request.on('error', reject);
    request.end('{}');
  });
}

test('HTTPS knows users by the certificates of its own authority', async () => {
  const { kubeconfig = '' } = await serve({ secure: true });
  const config = parse(kubeconfig) as Kubeconfig;
  expect(await whoAmI(config, 'certificate')).toBe('kubernetes-admin');
  // As kubeadm writes it: client libraries take keys of other kinds for damaged ones of this.
  expect(atob(config.users[0]?.user['client-key-data'] ?? '')).toMatch(/^-----BEGIN RSA PRIVATE KEY-----\n/);
  expect(await whoAmI(config, 'none')).toContain('User "system:anonymous" cannot create');
});

test('compresses what is long but no watches, and sends a document once', async () => {
  const { insecure } = await serve();
  await fetch(`${insecure}${MAPS}`, {
    ...map('long'),
    body: JSON.stringify({ metadata: { name: 'long' }, data: { a: 'x'.repeat(200_000) } }),
  });
  const list = await fetch(`${insecure}${MAPS}`);
  expect(list.headers.get('content-encoding')).toBe('gzip');
  expect(((await list.json()) as { items: { data?: { a: string } }[] }).items.at(-1)?.data?.a).toHaveLength(200_000);
  const watch = await fetch(`${insecure}${MAPS}?watch=1&timeoutSeconds=1`);
  expect(watch.headers.get('content-encoding')).toBe(null);
  await watch.body?.cancel();
  for (const path of ['/openapi/v2', '/openapi/v3', '/openapi/v3/api/v1', '/apis']) {
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';
    const first = await fetch(`${insecure}${path}`, { headers: { accept } });
    const etag = first.headers.get('etag') ?? '';
    expect([path, etag]).toEqual([path, expect.stringMatching(/^"[0-9A-F]{128}"$/)]);
    await first.text();
    const second = await fetch(`${insecure}${path}`, { headers: { accept, 'if-none-match': etag } });
    expect([path, second.status, await second.text()]).toEqual([path, 304, '']);
  }
});

/** GET with a client certificate. */
function get(url: string, pair: { readonly certificate: string; readonly key: string }): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const options = { cert: pair.certificate, key: pair.key, rejectUnauthorized: false, agent: false };
    const request = httpsRequest(url, options, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.on('error', reject);
    request.end();
  });
}

test('knows whom the cluster itself has given a certificate', async () => {
  const { secure, cluster } = await serve({ secure: true });
  const keys = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
  const csr = await Pkcs10CertificateRequestGenerator.create(
    { name: 'CN=bob,O=dev', keys: keys as CryptoKeyPair, signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' } },
    webcrypto as Crypto,
  );
  const spec = { request: btoa(csr.toString('pem')), signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] };
  const object = { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest', metadata: { name: 'bob' }, spec };
  await cluster.kubectl(['create', '-f', 'csr.yaml'], { 'csr.yaml': JSON.stringify(object) });
  const approval = { status: { conditions: [{ type: 'Approved', status: 'True', reason: 'Test', message: 'known' }] } };
  await cluster.kubectl(['patch', 'csr', 'bob', '--subresource=approval', '--type=merge', '-p', JSON.stringify(approval)]);
  await cluster.settle();
  const { stdout } = await cluster.kubectl(['get', 'csr', 'bob', '-o', 'jsonpath={.status.certificate}']);
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString();
  const refused = await get(`${secure}${MAPS}`, { certificate: atob(stdout.join('')), key });
  expect([refused.status, JSON.parse(refused.text).message]).toEqual([
    403,
    'configmaps is forbidden: User "bob" cannot list resource "configmaps" in API group "" in the namespace "default"',
  ]);
});

test('answers those whom nobody knows, whatever their certificate says', async () => {
  const { secure } = await serve({ secure: true });
  const stranger = await (await CertificateAuthority.create()).issueClient({ username: 'eve', groups: ['system:masters'] });
  const { status, text } = await get(`${secure}${MAPS}`, stranger);
  expect(status).toBe(403);
  expect(text).toContain('User \\"system:anonymous\\" cannot list');
});

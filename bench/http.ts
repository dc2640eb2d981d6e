// What the server over HTTP takes: run by main.ts. The cluster is a process of its own; this one is its clients.
//   http.mjs               prints the figures as JSON
//   http.mjs serve COUNT   a cluster with so many Pods
import { spawn } from 'node:child_process';
import { Agent, get, type IncomingMessage, request } from 'node:http';
import type { Pod } from '../src/api/kinds/core-v1.ts';
import { pods, serviceaccounts } from '../src/api/resources.ts';
import { Cluster } from '../src/cluster/cluster.ts';
import { KUBERNETES_ADMIN } from '../src/cluster/users.ts';
import { ApiServer } from '../src/server/api-server.ts';

const PODS = 10_000;
const WATCHES = 1_000;
const EVENTS = 20;
const CLIENTS = 100;
const WRITES = 20;
const NAMESPACE = '/api/v1/namespaces/default';

const podOf = (index: number): Pod => ({
  metadata: { name: `pod-${index}`, namespace: 'default', labels: { app: 'web', number: String(index) } },
  spec: { containers: [{ name: 'web', image: 'nginx:1.27', ports: [{ containerPort: 80 }], resources: { requests: { cpu: '100m' } } }] },
});

async function serve(count: number): Promise<void> {
  const cluster = new Cluster({ nodes: 0, components: [], trace: { tail: 100 }, stages: false });
  cluster
    .addProcess('filler', KUBERNETES_ADMIN, async (_, client) => {
      await client.resource(serviceaccounts).create({ metadata: { name: 'default', namespace: 'default' } });
      for (let index = 0; index < count; index++) await client.resource(pods).create(podOf(index));
    })
    .start();
  await cluster.settle();
  const fail = (error: unknown): void => {
    throw error;
  };
  const server = new ApiServer({ cluster, speed: 1, keepInputs: false, onFailure: fail, insecurePort: 0 });
  process.stdout.write(`ready ${(await server.start()).insecure}\n`);
  // Who measures has gone.
  process.stdin.resume().on('end', () => process.exit(0));
}

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

function open(url: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => get(url, { agent, headers }, resolve).on('error', reject));
}

async function sizeOf(answer: IncomingMessage): Promise<number> {
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) size += chunk.length;
  return size;
}

/** The median of five, in milliseconds. */
async function timeToList(address: string, headers: Record<string, string>): Promise<{ ms: number; megabytes: number }> {
  const runs: { ms: number; megabytes: number }[] = [];
  for (let run = 0; run < 5; run++) {
    const start = performance.now();
    const size = await sizeOf(await open(`${address}${NAMESPACE}/pods`, headers));
    runs.push({ ms: performance.now() - start, megabytes: size / 1e6 });
  }
  return runs.sort((a, b) => a.ms - b.ms)[2] as { ms: number; megabytes: number };
}

function write(address: string, name: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const sent = request(`${address}${NAMESPACE}/configmaps`, { method: 'POST', agent, headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
    });
    sent.on('error', reject).end(JSON.stringify({ metadata: { name } }));
  });
}

/** Milliseconds until each of the watches has heard of each event. */
async function timeToHear(address: string): Promise<number> {
  let heard = 0;
  let done = (): void => {};
  const all = new Promise<void>((resolve) => {
    done = resolve;
  });
  const watches = await Promise.all(Array.from({ length: WATCHES }, () => open(`${address}${NAMESPACE}/configmaps?watch=1`)));
  for (const watch of watches)
    watch.on('data', (chunk: Buffer) => {
      for (const byte of chunk) if (byte === 10) heard++;
      if (heard === WATCHES * EVENTS) done();
    });
  const start = performance.now();
  for (let index = 0; index < EVENTS; index++) await write(address, `event-${index}`);
  await all;
  const ms = performance.now() - start;
  for (const watch of watches) watch.destroy();
  return ms;
}

async function writesPerSecond(address: string): Promise<{ perSecond: number; lost: number }> {
  const start = performance.now();
  const codes: number[] = [];
  const clientOf = async (client: number): Promise<void> => {
    for (let index = 0; index < WRITES; index++) codes.push(await write(address, `write-${client}-${index}`));
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, client) => clientOf(client)));
  const seconds = (performance.now() - start) / 1000;
  return { perSecond: codes.length / seconds, lost: codes.filter((code) => code !== 201).length };
}

async function measure(): Promise<void> {
  const server = spawn(process.execPath, [process.argv[1] ?? '', 'serve', String(PODS)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const address = await new Promise<string>((resolve) => {
    server.stdout.on('data', (chunk: Buffer) => resolve(chunk.toString().trim().split(' ')[1] ?? ''));
  });
  const json = await timeToList(address, {});
  const gzip = await timeToList(address, { 'accept-encoding': 'gzip' });
  const protobuf = await timeToList(address, { accept: 'application/vnd.kubernetes.protobuf' });
  const writes = await writesPerSecond(address);
  const hearMs = await timeToHear(address);
  server.kill();
  process.stdout.write(`${JSON.stringify({ json, gzip, protobuf, writes, hearMs, events: WATCHES * EVENTS })}\n`);
  process.exit(0);
}

if (process.argv[2] === 'serve') await serve(Number(process.argv[3]));
else await measure();

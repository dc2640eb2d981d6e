// Goal: requests through pods, Services and nodes get where they would in a real cluster. Method: a web server in a cluster behind a socket, asked through kube-apiserver.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Cluster } from '../cluster/cluster.ts';
import { ApiServer } from './api-server.ts';

const NAMESPACE = '/api/v1/namespaces/default';
const SELECTOR = { app: 'web' };
const container = { name: 'web', image: 'nginx:1.27', ports: [{ name: 'http', containerPort: 80 }] };
let server: ApiServer;
let address: string;

async function send(method: string, path: string, body?: object): Promise<{ code: number; text: string; headers: Headers }> {
  const content = body ? { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) } : {};
  const response = await fetch(`${address}${path}`, { method, redirect: 'manual', ...content });
  return { code: response.status, text: await response.text(), headers: response.headers };
}

beforeEach(async () => {
  const cluster = new Cluster({ nodes: 1 });
  await cluster.settle();
  const fail = (error: unknown): void => {
    throw error;
  };
  server = new ApiServer({ cluster, speed: 0, keepInputs: false, onFailure: fail, insecurePort: 0 });
  address = (await server.start()).insecure ?? '';
  await send('POST', `${NAMESPACE}/pods`, { metadata: { name: 'web', labels: SELECTOR }, spec: { containers: [container] } });
  const ports = [
    { name: 'web', port: 8080, targetPort: 'http' },
    { name: 'other', port: 8081, targetPort: 81 },
  ];
  await send('POST', `${NAMESPACE}/services`, { metadata: { name: 'web' }, spec: { selector: SELECTOR, ports } });
  await send('POST', '/bottleship/clock?settle');
});

afterEach(() => server.stop());

test('a Service is reached by the number or the name of its port, a pod by its first port or another', async () => {
  for (const place of ['services/web:8080', 'services/web:web', 'services/http:web:web', 'pods/web', 'pods/web:80']) {
    const { code, text, headers } = await send('GET', `${NAMESPACE}/${place}/proxy/`);
    expect([place, code, text.includes('Welcome to nginx!')]).toEqual([place, 200, true]);
    expect(headers.get('content-type')).toContain('text/html');
  }
});

test('without its slash the root is somewhere else', async () => {
  const { code, headers } = await send('GET', `${NAMESPACE}/services/web:web/proxy?a=1`);
  expect([code, headers.get('location')]).toEqual([301, `${NAMESPACE}/services/web:web/proxy/?a=1`]);
});

test('what cannot be reached is told', async () => {
  const messages: [string, string][] = [
    ['services/web:9', '503 no service port 9 found for service "web"'],
    ['services/web:none', '503 no endpoints available for service "web:none"'],
    ['services/web:other', '503 error trying to reach service: dial tcp IP:81: connect: connection refused'],
    ['services/none:80', '404 services "none" not found'],
    ['services/ftp:web:80', '400 invalid service request "ftp:web:80"'],
    ['pods/none', '404 pods "none" not found'],
  ];
  for (const [place, expected] of messages) {
    const { code, text } = await send('GET', `${NAMESPACE}/${place}/proxy/`);
    expect(`${code} ${(JSON.parse(text) as { message: string }).message.replace(/10(\.\d+){3}/, 'IP')}`).toBe(expected);
  }
});

test('a node is its kubelet', async () => {
  expect(await send('GET', '/api/v1/nodes/n1/proxy/healthz')).toMatchObject({ code: 200, text: 'ok' });
  expect((await send('GET', '/api/v1/nodes/n1:10250/proxy/metrics/resource')).text).toContain('node_cpu_usage_seconds_total');
  expect((await send('GET', '/api/v1/nodes/n9/proxy/healthz')).code).toBe(404);
});

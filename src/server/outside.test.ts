// Goal: webhooks outside are asked over HTTPS, and a replay needs none of them. Method: a cluster behind a real socket whose clock stands still, and a webhook behind another.
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { Cluster } from '../cluster/cluster.ts';
import { formatRecording, parseRecording } from '../scenario/recording.ts';
import { replay } from '../scenario/replay.ts';
import { ApiServer } from './api-server.ts';
import { CertificateAuthority } from './certificate-authority.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function webhookServer(): Promise<{ url: string; caBundle: string }> {
  const authority = await CertificateAuthority.create();
  const { certificate: cert, key } = await authority.issueServer(['127.0.0.1']);
  const server = createServer({ cert, key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const review = JSON.parse(Buffer.concat(chunks).toString()) as { request: { uid: string } };
      const answer = { uid: review.request.uid, allowed: false, status: { message: 'not today' } };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ...review, response: answer }));
    });
  });
  closing.push(() => server.close());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `https://127.0.0.1:${port}/check`, caBundle: Buffer.from(authority.certificate).toString('base64') };
}

test('a webhook outside decides, also in a replay without it', async () => {
  const cluster = new Cluster({ nodes: 0, outside: true, digest: true });
  await cluster.settle();
  const api = new ApiServer({ cluster, speed: 0, keepInputs: true, insecurePort: 0, onFailure: (error) => expect(error).toBeUndefined() });
  closing.push(() => api.stop());
  const { insecure } = await api.start();
  const post = (path: string, body: object): Promise<Response> =>
    fetch(`${insecure}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }];
  const webhook = {
    name: 'a.example.com',
    clientConfig: await webhookServer(),
    rules,
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
  await post('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', { metadata: { name: 'hooks' }, webhooks: [webhook] });
  const before = cluster.simulation.now;
  const refused = (await (await post('/api/v1/namespaces/default/configmaps', { metadata: { name: 'a' } })).json()) as { message: string };
  expect(refused.message).toBe('admission webhook "a.example.com" denied the request: not today');
  expect(cluster.simulation.now - before).toBeLessThan(100);
  await api.stop();
  const { simulation, config } = cluster;
  const end = { events: simulation.executed, time: simulation.now };
  const run = {
    title: 'webhook',
    config: { ...config, seed: simulation.seed },
    inputs: simulation.inputs,
    end,
    digest: simulation.trace.digest(),
  };
  expect((await replay(parseRecording(formatRecording(run), 'run.json'))).same).toBe(true);
});

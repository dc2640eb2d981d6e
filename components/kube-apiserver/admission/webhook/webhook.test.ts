// Goal: webhooks decide and change as they do in a real cluster. Method: a kube-apiserver whose outside is a function.
import { expect, test } from 'vitest';
import { bytesToBase64 } from '../../../../src/api/base64.ts';
import { type Outbound, OutboundError } from '../../../../src/api/outbound.ts';
import { TestApiserver } from '../../../../test/support/apiserver.ts';
import type { AuditEvent } from '../../audit.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const WEBHOOKS = '/apis/admissionregistration.k8s.io/v1';

interface Review {
  readonly request: { readonly uid: string; readonly operation: string; readonly object: { readonly data?: Record<string, string> } };
}

type Answer = (review: Review, path: string) => object;

/** An outside that answers reviews; `asked` gets the path of each. */
function outside(answer: Answer, asked: string[] = []): Outbound {
  return ({ url, body = '' }) => {
    const { pathname } = new URL(url);
    asked.push(pathname);
    const review = JSON.parse(body) as Review;
    const response = { uid: review.request.uid, ...answer(review, pathname) };
    return Promise.resolve({ status: 200, headers: {}, body: JSON.stringify({ ...review, response }) });
  };
}

const patch = (...steps: object[]): object => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: bytesToBase64(new TextEncoder().encode(JSON.stringify(steps))),
});

const webhook = (name: string, more: object = {}): object => ({
  name: `${name}.example.com`,
  clientConfig: { url: `https://hooks.test/${name}` },
  rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  ...more,
});

async function serverWith(outbound: Outbound, kind: 'mutating' | 'validating', ...webhooks: object[]): Promise<TestApiserver> {
  const api = new TestApiserver({ outbound });
  const { code } = await api.send(`POST ${WEBHOOKS}/${kind}webhookconfigurations`, { metadata: { name: 'hooks' }, webhooks });
  expect(code).toBe(201);
  return api;
}

const map = (data: Record<string, string>): object => ({ metadata: { name: 'a' }, data });

test('a denial is answered in the words of the webhook', async () => {
  const api = await serverWith(
    outside(() => ({ allowed: false, status: { message: 'no', code: 409 } })),
    'validating',
    webhook('deny'),
  );
  const { code, body } = await api.send(`POST ${MAPS}`, map({}));
  expect([code, body.message]).toEqual([409, 'admission webhook "deny.example.com" denied the request: no']);
});

test('a webhook that may be asked again sees what a later one has added, once', async () => {
  const asked: string[] = [];
  const outbound = outside(({ request: { object } }, path) => {
    if (path === '/second') return patch({ op: 'add', path: '/data/second', value: 'yes' });
    return patch({ op: 'add', path: '/data/seen', value: String(object.data?.['second'] ?? 'nothing') });
  }, asked);
  const api = await serverWith(outbound, 'mutating', webhook('first', { reinvocationPolicy: 'IfNeeded' }), webhook('second'));
  const { body } = await api.send(`POST ${MAPS}`, map({ own: 'x' }));
  expect(body.data).toEqual({ own: 'x', seen: 'yes', second: 'yes' });
  expect(asked).toEqual(['/first', '/second', '/first']);
});

test('one that cannot be reached fails the request, or does not count', async () => {
  const nobody: Outbound = () => Promise.reject(new OutboundError('dial tcp 10.0.0.9:443: connect: connection refused'));
  const failing = await serverWith(nobody, 'validating', webhook('gone', { timeoutSeconds: 3 }));
  const { code, body } = await failing.send(`POST ${MAPS}`, map({}));
  expect([code, body.message]).toEqual([
    500,
    'Internal error occurred: failed calling webhook "gone.example.com": failed to call webhook: ' +
      'Post "https://hooks.test/gone?timeout=3s": dial tcp 10.0.0.9:443: connect: connection refused',
  ]);
  const open = await serverWith(nobody, 'validating', webhook('gone', { failurePolicy: 'Ignore' }));
  expect((await open.send(`POST ${MAPS}`, map({}))).code).toBe(201);
});

test('conditions and selectors decide who is asked', async () => {
  const asked: string[] = [];
  const api = await serverWith(
    outside(() => ({ allowed: true }), asked),
    'validating',
    webhook('big', { matchConditions: [{ name: 'big', expression: "object.data.size == 'big'" }] }),
    webhook('labelled', { objectSelector: { matchLabels: { guard: 'on' } } }),
  );
  await api.send(`POST ${MAPS}`, map({ size: 'small' }));
  expect(asked).toEqual([]);
  await api.send(`POST ${MAPS}`, { metadata: { name: 'b', labels: { guard: 'on' } }, data: { size: 'big' } });
  expect(asked).toEqual(['/big', '/labelled']);
});

test('a patch of unknown fields and a dry run change nothing else', async () => {
  const api = await serverWith(
    outside(() => patch({ op: 'add', path: '/nonsense', value: 1 })),
    'mutating',
    webhook('odd', { sideEffects: 'NoneOnDryRun' }),
  );
  const { code, body } = await api.send(`POST ${MAPS}?dryRun=All`, map({ a: '1' }));
  expect([code, body.data, body.nonsense]).toEqual([201, { a: '1' }, undefined]);
});

test('a connection to a pod can be refused', async () => {
  const rules = [{ operations: ['CONNECT'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods/exec'] }];
  const outbound = outside(({ request }) => ({ allowed: false, status: { message: JSON.stringify(request.object) } }));
  const api = await serverWith(outbound, 'validating', webhook('noexec', { rules }));
  const { body } = await api.send('POST /api/v1/namespaces/default/pods/a/exec?command=sh&stdin=true');
  expect(body.message).toBe(
    'admission webhook "noexec.example.com" denied the request: {"apiVersion":"v1","kind":"PodExecOptions","stdin":true,"command":["sh"]}',
  );
});

test('the audit log tells what webhooks did', async () => {
  const audit: AuditEvent[] = [];
  const outbound = outside(() => patch({ op: 'add', path: '/data/b', value: '2' }));
  const api = new TestApiserver({ outbound, audit: (event) => audit.push(event) });
  await api.send(`POST ${WEBHOOKS}/mutatingwebhookconfigurations`, { metadata: { name: 'hooks' }, webhooks: [webhook('change')] });
  await api.send(`POST ${MAPS}`, map({ a: '1' }));
  expect(audit.at(-1)?.annotations).toEqual({
    'mutation.webhook.admission.k8s.io/round_0_index_0': '{"configuration":"hooks","webhook":"change.example.com","mutated":true}',
    'patch.webhook.admission.k8s.io/round_0_index_0':
      '{"configuration":"hooks","webhook":"change.example.com","patch":[{"op":"add","path":"/data/b","value":"2"}],"patchType":"JSONPatch"}',
  });
});

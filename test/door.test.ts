// Goal: whatever comes through its HTTP door, kube-apiserver answers as an API server does and keeps its store whole. Method: hostile requests made from fixed seeds; those that once
// found something stand below by name.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TestApiserver } from './support/apiserver.ts';
import { BASES, DEFINITION } from './support/door-bases.ts';
import { type DoorRequest, oddRequest, oddWrite } from './support/door-requests.ts';

const RUNS = 1_500;

/** What an API server may answer; 500 and 501 are for what it says itself that it cannot do. */
const CODES = new Set([
  200, 201, 202, 204, 301, 302, 304, 400, 401, 403, 404, 405, 406, 409, 410, 413, 415, 422, 429, 500, 501, 502, 503, 504,
]);

/** The texts that are no Status. */
const TEXTS = /^(404 page not found\n|Internal Server Error: |Method Not Allowed|only GET|unsupported )/;

async function server(): Promise<TestApiserver> {
  const made = new TestApiserver();
  await made.send('POST /apis/apiextensions.k8s.io/v1/customresourcedefinitions', DEFINITION);
  await made.send('POST /api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  await made.simulation.advance(10_000);
  for (const { path, object } of BASES) expect((await made.send(`POST ${path}`, object)).code, path).toBe(201);
  return made;
}

interface Answer {
  readonly code: number;
  readonly type: string;
  readonly text: string;
}

/** Sends a request; virtual time goes on until it is answered. */
async function ask({ apiserver, simulation }: TestApiserver, { method, url, headers, body }: DoorRequest): Promise<Answer> {
  const stop = new AbortController();
  const request = new Request(`http://apiserver${url}`, { method, headers, signal: stop.signal, ...(body === undefined ? {} : { body }) });
  let answer: Answer | undefined;
  let failure: unknown;
  const read = async (): Promise<void> => {
    const response = await apiserver.fetch(request);
    const watching = response.status === 200 && /(watch|=watch)/.test(url + (response.headers.get('content-type') ?? ''));
    if (watching) stop.abort();
    answer = { code: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() };
  };
  read().catch((error: unknown) => {
    failure = error ?? new Error('refused');
  });
  for (let round = 0; !answer && !failure && round < 200; round++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (!answer && round > 2) await simulation.advance(1_000);
  }
  if (failure) throw failure;
  if (!answer) throw new Error('no answer');
  return answer;
}

const sizeOf = ({ etcd }: TestApiserver): number => [...etcd.keyspaces.values()].reduce((sum, { size }) => sum + size, 0);

/** An answer with a sensible code, refusals as a Status or in the words of the real server; a refusal leaves the store as it was. */
async function check(on: TestApiserver, request: DoorRequest): Promise<void> {
  const before = on.etcd.revision;
  const size = sizeOf(on);
  const { code, type, text } = await ask(on, request);
  expect(CODES).toContain(code);
  if (code < 400) return;
  // Addresses that a Service does not get after all are written down and given back.
  if (!request.url.includes('/services')) expect(on.etcd.revision, 'a refusal writes nothing').toBe(before);
  expect(sizeOf(on)).toBe(size);
  if (request.method === 'HEAD' || TEXTS.test(text)) return;
  expect(text).toContain('Failure');
  if (type !== 'application/json') return;
  expect(JSON.parse(text)).toMatchObject({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code });
}

const PLAIN = new Set<unknown>([Object.prototype, Array.prototype, null]);

function assertWhole(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  expect(PLAIN).toContain(Object.getPrototypeOf(value));
  expect(Object.isFrozen(value)).toBe(true);
  for (const key of Object.keys(value)) assertWhole((value as Record<string, unknown>)[key]);
}

const BUILT_IN_KEYS = Object.getOwnPropertyNames(Object.prototype).length;

/** What is stored is plain and frozen, and nothing got into what every object inherits. */
function assertUnpolluted({ etcd }: TestApiserver): void {
  for (const [prefix, keyspace] of etcd.keyspaces) for (const { value } of keyspace.range(prefix).versions) assertWhole(value);
  expect(Object.getOwnPropertyNames(Object.prototype)).toHaveLength(BUILT_IN_KEYS);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
}

async function fuzz(requests: fc.Arbitrary<DoorRequest>, seed: number): Promise<void> {
  const on = await server();
  await fc.assert(
    fc.asyncProperty(requests, (request) => check(on, request)),
    { seed, numRuns: RUNS },
  );
  assertUnpolluted(on);
}

const THINGS = '/apis/fuzz.example.com/v1/namespaces/default/things';
const MAPS = '/api/v1/namespaces/default/configmaps';
const deep = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const deepMap = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const json = { 'content-type': 'application/json' };
const yaml = { 'content-type': 'application/yaml' };
const thing = (open: string): string =>
  `{"apiVersion":"fuzz.example.com/v1","kind":"Thing","metadata":{"name":"b"},"spec":{"open":${open}}}`;
const patchOf = (type: string, body: string): DoorRequest => ({
  method: 'PATCH',
  url: `${THINGS}/a?fieldManager=f${type.includes('apply') ? '&force=true' : ''}`,
  headers: { 'content-type': type },
  body,
});
const laughs = `a: &a [x,x,x,x,x,x,x,x,x,x]\n${[...'bcdefghi'].map((name, index) => `${name}: &${name} [${`*${'abcdefgh'[index]},`.repeat(10)}]`).join('\n')}\n`;

// What once was thrown, or might well have been.
const NAMED: readonly (readonly [name: string, request: DoorRequest, code: number])[] = [
  [
    'a body over the limit',
    { method: 'POST', url: MAPS, headers: json, body: `{"metadata":{"name":"b"},"data":{"a":"${'x'.repeat(3 << 20)}"}}` },
    413,
  ],
  [
    'bytes over the limit',
    { method: 'POST', url: MAPS, headers: { 'content-type': 'application/vnd.kubernetes.protobuf' }, body: new Uint8Array((3 << 20) + 1) },
    413,
  ],
  ['lists in lists without end', { method: 'POST', url: MAPS, headers: json, body: deep(200_000) }, 400],
  [
    'a field nested as deep as may be',
    { method: 'POST', url: MAPS, headers: json, body: `{"metadata":{"name":"b"},"x":${deep(990)}}` },
    201,
  ],
  [
    'a custom resource nested as deep as may be',
    { method: 'POST', url: `${THINGS}?dryRun=All`, headers: json, body: thing(deepMap(990)) },
    201,
  ],
  ['a merge patch nested deep', patchOf('application/merge-patch+json', `{"spec":{"open":${deepMap(900)}}}`), 200],
  ['a JSON patch nested deep', patchOf('application/json-patch+json', `[{"op":"add","path":"/spec/open/b","value":${deepMap(900)}}]`), 200],
  [
    'an apply of a name that cannot become text',
    patchOf('application/apply-patch+yaml', thing('{}').replace('"b"', '{"toString":1}')),
    500,
  ],
  ['an apply nested deep', patchOf('application/apply-patch+yaml', thing(deepMap(300)).replace('"b"', '"a"')), 200],
  ['YAML nested deep', { method: 'POST', url: MAPS, headers: yaml, body: `x: ${deep(20_000)}` }, 400],
  ['a custom resource nested too deep', { method: 'POST', url: THINGS, headers: json, body: thing(deepMap(9_990)) }, 400],
  ['a merge patch nested too deep', patchOf('application/merge-patch+json', `{"spec":{"open":${deepMap(9_990)}}}`), 400],
  ['an apply nested too deep', patchOf('application/apply-patch+yaml', thing(deepMap(3_000)).replace('"b"', '"a"')), 400],
  ['YAML of aliases that grow', { method: 'POST', url: MAPS, headers: yaml, body: laughs }, 400],
  ['an alias of nothing', { method: 'POST', url: MAPS, headers: yaml, body: 'data: *nothing' }, 400],
  ['an apiVersion that is no text', { method: 'POST', url: MAPS, headers: json, body: '{"apiVersion":{"a":1},"kind":"ConfigMap"}' }, 400],
  [
    'a custom resource whose apiVersion cannot become text',
    { method: 'POST', url: THINGS, headers: json, body: '{"apiVersion":{"toString":1},"kind":"Thing"}' },
    400,
  ],
  [
    'a warning in another script',
    { method: 'POST', url: `${MAPS}?dryRun=All`, headers: json, body: '{"metadata":{"name":"c"},"字":1}' },
    201,
  ],
  [
    'a warning with a line break',
    { method: 'POST', url: `${MAPS}?dryRun=All`, headers: json, body: '{"metadata":{"name":"c"},"a\\nb":1}' },
    201,
  ],
  [
    'an impersonated extra that is no escape',
    { method: 'GET', url: MAPS, headers: { 'impersonate-user': 'u', 'impersonate-extra-%': 'a' } },
    403,
  ],
  ['UTF-16', { method: 'POST', url: MAPS, headers: json, body: new Uint8Array([0xff, 0xfe, 0x7b, 0, 0x7d, 0]) }, 400],
  [
    'an own field __proto__',
    patchOf('application/json-patch+json', '[{"op":"add","path":"/spec/open/__proto__","value":{"polluted":true}}]'),
    200,
  ],
  [
    'a number where protobuf has a text',
    {
      method: 'POST',
      url: MAPS,
      headers: { 'content-type': 'application/vnd.kubernetes.protobuf' },
      body: new Uint8Array([0x6b, 0x38, 0x73, 0, 10, 2, 8, 6]),
    },
    400,
  ],
  [
    'a merge patch of an apiVersion that cannot become text',
    { ...patchOf('application/merge-patch+json', '{"apiVersion":{"toString":1}}'), url: `${MAPS}/a` },
    422,
  ],
  ['a JSON patch that leaves nothing', patchOf('application/json-patch+json', '[{"op":"replace","path":""}]'), 422],
  ['a JSON patch of numbers', patchOf('application/json-patch+json', '[1]'), 400],
  ['a JSON patch to a number', patchOf('application/json-patch+json', '[{"op":"remove","path":1}]'), 400],
  ['a JSON patch of nothing', patchOf('application/json-patch+json', '[null]'), 422],
  [
    'a place below the prototype',
    patchOf('application/json-patch+json', '[{"op":"add","path":"/constructor/prototype/polluted","value":true}]'),
    422,
  ],
];

it('answers what once found something', async () => {
  const on = await server();
  const codes: (readonly [string, number])[] = [];
  for (const [name, request] of NAMED) {
    const before = on.etcd.revision;
    const { code } = await ask(on, request).catch((error: unknown) => ({ code: String(error) as unknown as number }));
    codes.push([name, code]);
    if (code >= 400) expect(on.etcd.revision, name).toBe(before);
  }
  expect(codes).toEqual(NAMED.map(([name, , code]) => [name, code]));
  assertUnpolluted(on);
});

it('answers bodies that are damaged, hostile or of another kind', () => fuzz(oddWrite, 1));

it('answers odd paths, queries and headers', () => fuzz(oddRequest, 2));

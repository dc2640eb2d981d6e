import { expect, test } from 'vitest';
import { TestApiserver } from '../../../test/support/apiserver.ts';

test('the root names the paths that there are, and they are', async () => {
  const api = new TestApiserver();
  const { paths } = (await api.send('GET /')).body as { paths: string[] };
  expect(paths).toEqual([...paths].sort());
  const wanted = [
    '/.well-known/openid-configuration',
    '/healthz/ping',
    '/livez/etcd',
    '/metrics/slis',
    '/readyz/etcd-readiness',
    '/apis/apps/v1',
  ];
  expect(paths).toEqual(expect.arrayContaining(wanted));
  const codes = new Set<number>();
  for (const path of paths) codes.add((await api.send(`GET ${path}`)).code);
  expect([...codes]).toEqual([200]);
});

test('health in words, check by check', async () => {
  const api = new TestApiserver();
  const lines = (await api.send('GET /readyz?verbose&exclude=etcd')).body.split('\n');
  expect(lines.slice(0, 6)).toEqual([
    '[+]ping ok',
    '[+]log ok',
    '[+]etcd excluded: ok',
    '[+]etcd-readiness ok',
    '[+]informer-sync ok',
    '[+]poststarthook/start-apiserver-admission-initializer ok',
  ]);
  expect(lines.slice(-3)).toEqual(['[+]shutdown ok', 'readyz check passed', '']);
  const unknown = (await api.send('GET /livez?verbose&exclude=informer-sync')).body.split('\n');
  expect(unknown.slice(-3, -1)).toEqual([
    'warn: some health checks cannot be excluded: no matches for "informer-sync"',
    'livez check passed',
  ]);
});

test('the page of profiles is there, and names none', async () => {
  const api = new TestApiserver();
  const redirect = await api.apiserver.fetch(new Request('http://apiserver/debug/pprof', { redirect: 'manual' }));
  expect([redirect.status, redirect.headers.get('location')]).toEqual([302, '/debug/pprof/']);
  const { code, body } = await api.send('GET /debug/pprof/');
  expect(code).toBe(200);
  expect(body).toContain('Types of profiles available:');
  expect(await api.send('GET /debug/pprof/heap')).toMatchObject({ code: 404, body: 'Unknown profile\n' });
});

// Goal: what probes and hooks that ask the wrong port tell. Method: a whole cluster, pods with a slip in them in, events and statuses out.
import { resources } from 'bottleship';
import { expect, it } from 'vitest';
import type { HTTPGetAction, TCPSocketAction } from '../src/api/kinds/core-v1.ts';
import { containerOf, oneNode, pod } from './support/pods.ts';

const { pods } = resources;

it.each<{ httpGet?: HTTPGetAction; tcpSocket?: TCPSocketAction }>([
  { httpGet: { port: 'http', path: '/' } },
  { tcpSocket: { port: 'http' } },
])('a probe of a port that no container port is called after errs, and the pod never gets ready: %j', async (action) => {
  const cluster = await oneNode();
  const web = { name: 'web', image: 'nginx:1.27', ports: [{ containerPort: 80 }], readinessProbe: { ...action, periodSeconds: 5 } };
  await cluster.apply(pod('web', { containers: [web] }));
  await cluster.advance(20_000);
  expect(await containerOf(cluster, 'web')).toMatchObject({ ready: false, started: true, restartCount: 0 });
  expect((await cluster.eventsOf(pods, 'web')).find((event) => event.includes('Unhealthy'))).toMatch(
    /^Warning Unhealthy: Readiness probe errored and resulted in unknown state: strconv.Atoi: parsing "http": invalid syntax/,
  );
});

it.each([
  [81, /: Get "http:\/\/[\d.]+:81\/ready": dial tcp [\d.]+:81: connect: connection refused$/],
  ['http', /: strconv.Atoi: parsing "http": invalid syntax$/],
])('a postStart hook that asks port %s says why it failed', async (port, why) => {
  const cluster = await oneNode();
  const lifecycle = { postStart: { httpGet: { port, path: '/ready' } } };
  await cluster.apply(pod('web', { containers: [{ name: 'web', image: 'nginx:1.27', lifecycle }] }));
  await cluster.waitUntil(pods, 'web', {
    fits: ({ status }) => status?.containerStatuses?.[0]?.state?.waiting?.reason === 'PostStartHookError',
  });
  const message = (await containerOf(cluster, 'web'))?.state?.waiting?.message;
  expect(message).toMatch(/^HTTP lifecycle hook \(\/ready\) for Container "web" in Pod "web_default\([-0-9a-f]+\)" failed - error: /);
  expect(message).toMatch(why);
});

import { expect, it } from 'vitest';
import { clientTest, refusal } from '../../test/support/stand-in-apiserver.ts';
import type { Event, Pod } from '../api/kinds/core-v1.ts';
import { newForbidden, newNotFound } from '../api/status-error.ts';
import { EventRecorder } from './event-recorder.ts';

const pod: Pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'default', uid: 'u1', resourceVersion: '7' } };

function recorderTest(options: { host?: string } = {}) {
  let recorder: EventRecorder | undefined;
  const test = clientTest(({ client }) => {
    recorder = new EventRecorder({ client, component: 'tester', ...options });
  });
  const record = (message: string, object: Pod = pod) =>
    test.actor.schedule(0, () => recorder?.event(object, 'Normal', 'Done', message, { fieldPath: 'spec.containers{web}' }));
  return { ...test, record, stored: () => test.api.all<Event>('events') };
}

it('writes events as client-go does', async () => {
  const { simulation, record, stored } = recorderTest({ host: 'n1' });
  await simulation.advance(1_500);
  record('all is well');
  await simulation.settle();
  const [event] = stored();
  expect(event).toMatchObject({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { namespace: 'default' },
    involvedObject: {
      apiVersion: 'v1',
      kind: 'Pod',
      namespace: 'default',
      name: 'web',
      uid: 'u1',
      resourceVersion: '7',
      fieldPath: 'spec.containers{web}',
    },
    source: { component: 'tester', host: 'n1' },
    reportingComponent: 'tester',
    reportingInstance: 'n1',
    firstTimestamp: '2026-01-01T00:00:01Z',
    lastTimestamp: '2026-01-01T00:00:01Z',
    count: 1,
    type: 'Normal',
    reason: 'Done',
    message: 'all is well',
  });
  const nanoseconds = BigInt(`0x${event?.metadata.name?.replace('web.', '')}`);
  expect(nanoseconds / 1_000_000n).toBe(BigInt(simulation.epoch) + 1_500n);
});

it('calls events by a UUID where the name of their object leaves no room', async () => {
  const { simulation, record, stored } = recorderTest();
  record('long', { ...pod, metadata: { ...pod.metadata, name: 'a'.repeat(250) } });
  await simulation.settle();
  expect(stored()[0]?.metadata.name).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});

it('puts events of cluster-scoped objects into the default namespace, and leaves host out where there is none', async () => {
  const { simulation, record, stored } = recorderTest();
  record('hello', { ...pod, metadata: { name: 'n1' } });
  await simulation.settle();
  expect(stored()[0]).toMatchObject({ metadata: { namespace: 'default' }, source: { component: 'tester' }, reportingInstance: '' });
  expect(stored()[0]?.source).not.toHaveProperty('host');
});

it('does not make the caller wait, and sends one after another in order', async () => {
  const { simulation, api, record, stored } = recorderTest();
  for (const message of ['one', 'two', 'three']) record(message);
  await simulation.advance(1);
  expect(api.log).toEqual(['create events']);
  await simulation.settle();
  expect(stored().map(({ message }) => message)).toEqual(['one', 'two', 'three']);
});

it('patches a repeat; writes it anew when the first is gone', async () => {
  const { simulation, api, record, stored } = recorderTest();
  record('again');
  record('again');
  await simulation.settle();
  expect(api.log).toEqual(['create events', `patch events ${stored()[0]?.metadata.name}`]);
  expect(stored()[0]?.count).toBe(2);
  api.requests.splice(0);
  api.intercept = ({ info }) => (info.verb === 'patch' ? refusal(newNotFound(info, info.name)) : undefined);
  api.remove('events', `default/${stored()[0]?.metadata.name}`);
  record('again');
  await simulation.settle();
  expect(api.log.map((line) => line.split(' ')[0])).toEqual(['patch', 'create']);
  expect(stored()[0]?.count).toBe(3);
});

it('drops what is refused, and goes on', async () => {
  const { simulation, api, record, stored } = recorderTest();
  let refusals = 1;
  api.intercept = ({ info }) => (refusals-- > 0 ? refusal(newForbidden(info, '', 'no')) : undefined);
  record('one');
  record('two');
  await simulation.settle();
  expect(stored().map(({ message }) => message)).toEqual(['two']);
});

it('tries again while kube-apiserver is away, for two minutes', async () => {
  const { simulation, server, record, stored } = recorderTest();
  await simulation.settle();
  server.crash();
  record('one');
  await simulation.advance(60_000);
  server.start();
  await simulation.settle();
  expect(stored().map(({ message }) => message)).toEqual(['one']);
  server.crash();
  record('two');
  const before = simulation.now;
  await simulation.settle();
  expect(simulation.now - before).toBeLessThanOrEqual(111_000);
});

it('drops what comes while a thousand wait', async () => {
  const { simulation, actor, client, api } = clientTest();
  const recorder = new EventRecorder({ client, component: 'tester' });
  actor.schedule(0, () => {
    for (let i = 0; i < 1_100; i++) recorder.event({ ...pod, metadata: { ...pod.metadata, name: `p${i}` } }, 'Normal', 'Done', 'x');
  });
  await simulation.settle();
  expect(api.all('events').length).toBe(1_000);
});

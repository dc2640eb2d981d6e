import { expect, it } from 'vitest';
import { clientTest } from '../../test/support/stand-in-apiserver.ts';
import type { Pod } from '../api/kinds/core-v1.ts';
import type { Event } from '../api/kinds/events-v1.ts';
import { EventsV1Recorder } from './events-v1-recorder.ts';

const pod: Pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'default', uid: 'u1', resourceVersion: '7' } };

function recorderTest() {
  let recorder: EventsV1Recorder | undefined;
  const test = clientTest(({ client }) => {
    recorder = new EventsV1Recorder({ client, controller: 'default-scheduler', instance: 'default-scheduler-cp' });
  });
  const record = (note: string) =>
    test.actor.schedule(0, () => recorder?.event(pod, { type: 'Warning', reason: 'FailedScheduling', action: 'Scheduling', note }));
  return { ...test, record, stored: () => test.api.all<Event>('events') };
}

it('writes events of events.k8s.io', async () => {
  const { simulation, record, stored } = recorderTest();
  await simulation.advance(1_234);
  record('no nodes');
  await simulation.settle();
  expect(stored()).toMatchObject([
    {
      apiVersion: 'events.k8s.io/v1',
      eventTime: '2026-01-01T00:00:01.234000Z',
      reportingController: 'default-scheduler',
      reportingInstance: 'default-scheduler-cp',
      action: 'Scheduling',
      reason: 'FailedScheduling',
      regarding: { kind: 'Pod', name: 'web', uid: 'u1' },
      note: 'no nodes',
      type: 'Warning',
    },
  ]);
});

it('turns the first repeat into a series, counts later ones in silence, and tells the last count when it is over', async () => {
  const { simulation, api, record, stored } = recorderTest();
  for (const note of ['one', 'two', 'three', 'four']) {
    record(note);
    await simulation.settle();
    await simulation.advance(1_000);
  }
  expect(api.log.map((line) => line.split(' ')[0])).toEqual(['create', 'patch']);
  expect(stored()[0]?.series?.count).toBe(2);
  await simulation.advance(13 * 60_000);
  expect(api.log.length).toBe(3);
  expect(stored()[0]?.series?.count).toBe(4);
  record('five');
  await simulation.settle();
  expect(stored().length).toBe(2);
});

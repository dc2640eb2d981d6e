import { describe, expect, it } from 'vitest';
import type { Event } from '../api/kinds/core-v1.ts';
import { EventCorrelator } from './event-correlator.ts';

function setUp() {
  const clock = { now: 0 };
  let names = 0;
  const correlator = new EventCorrelator({
    now: () => clock.now,
    wallTime: () => Date.UTC(2026, 0, 1) + clock.now,
    newName: (object) => `${object}.n${++names}`,
  });
  return { clock, correlator };
}

const event = (message: string, more: Partial<Event> = {}): Event => ({
  metadata: { name: 'web.1', namespace: 'default' },
  involvedObject: { kind: 'Pod', namespace: 'default', name: 'web', uid: 'u1', apiVersion: 'v1' },
  source: { component: 'kubelet', host: 'n1' },
  firstTimestamp: '2026-01-01T00:00:00Z',
  lastTimestamp: '2026-01-01T00:00:00Z',
  type: 'Warning',
  reason: 'BackOff',
  message,
  count: 1,
  ...more,
});

describe('a repeat', () => {
  it('raises the count of the first event', () => {
    const { correlator } = setUp();
    expect(correlator.eventCorrelate(event('again'))).toEqual({ skip: false, event: event('again') });
    const later = event('again', {
      metadata: { name: 'web.2', namespace: 'default' },
      lastTimestamp: '2026-01-01T00:00:10Z',
      firstTimestamp: '2026-01-01T00:00:10Z',
    });
    expect(correlator.eventCorrelate(later)).toMatchObject({
      skip: false,
      event: { metadata: { name: 'web.1' }, count: 2, firstTimestamp: '2026-01-01T00:00:00Z' },
      patch: { count: 2, lastTimestamp: '2026-01-01T00:00:10Z', message: 'again' },
    });
  });

  it('goes on from the count that the server knows', () => {
    const { correlator } = setUp();
    correlator.eventCorrelate(event('again'));
    correlator.updateState(event('again', { count: 5 }));
    expect(correlator.eventCorrelate(event('again'))).toMatchObject({ patch: { count: 6 } });
  });

  it('of another container is another event', () => {
    const { correlator } = setUp();
    const of = (container: string) =>
      event('again', { involvedObject: { ...event('').involvedObject, fieldPath: `spec.containers{${container}}` } });
    correlator.eventCorrelate(of('a'));
    expect(correlator.eventCorrelate(of('b'))).not.toHaveProperty('patch');
  });
});

describe('many alike', () => {
  it('become one from the tenth message on', () => {
    const { correlator } = setUp();
    const results = Array.from({ length: 12 }, (_, index) => correlator.eventCorrelate(event(`try ${index + 1}`)));
    expect(results.slice(0, 9).every((result) => !result.skip && !result.patch)).toBe(true);
    expect(results[9]).toMatchObject({
      event: { metadata: { name: 'web.n1' }, message: '(combined from similar events): try 10', count: 1 },
    });
    expect(results[9]).not.toHaveProperty('patch');
    expect(results[10]).toMatchObject({
      event: { metadata: { name: 'web.n1' } },
      patch: { count: 2, message: '(combined from similar events): try 11' },
    });
    expect(results[11]).toMatchObject({ patch: { count: 3 } });
  });

  it('count anew after ten quiet minutes', () => {
    const { clock, correlator } = setUp();
    for (let index = 0; index < 9; index++) correlator.eventCorrelate(event(`try ${index}`));
    clock.now += 600_001;
    expect(correlator.eventCorrelate(event('try 10'))).toMatchObject({ event: { message: 'try 10' } });
  });
});

describe('the spam filter', () => {
  it('lets 25 events of an object and a type pass, then one each 5 minutes', () => {
    const { clock, correlator } = setUp();
    const send = (type: string, object = 'web') =>
      correlator.eventCorrelate(event('again', { type, involvedObject: { ...event('').involvedObject, name: object } }));
    const passed = Array.from({ length: 30 }, () => send('Warning')).filter((result) => !result.skip);
    expect(passed.length).toBe(25);
    expect(send('Normal').skip).toBe(false);
    expect(send('Warning', 'other').skip).toBe(false);
    clock.now += 300_000;
    expect(send('Warning')).toMatchObject({ skip: false, patch: { count: 31 } });
    expect(send('Warning').skip).toBe(true);
  });
});

import { describe, expect, it } from 'vitest';
import { Simulation } from '../sim/simulation.ts';
import { RateLimitingQueue } from './workqueue.ts';

function setUp() {
  const simulation = new Simulation({ seed: '1' });
  const actor = simulation.actor('tester', () => {});
  actor.start();
  return { simulation, actor, queue: new RateLimitingQueue({ actor }) };
}

const drain = (queue: RateLimitingQueue): string[] => {
  const keys: string[] = [];
  for (let item = queue.get(); item; item = queue.get()) keys.push(item.key);
  return keys;
};

describe('add', () => {
  it('keeps the order of the first add, and each key once', () => {
    const { queue } = setUp();
    for (const key of ['a', 'b', 'a', 'c', 'b']) queue.add(key);
    expect(queue.length).toBe(3);
    expect(drain(queue)).toEqual(['a', 'b', 'c']);
  });

  it('brings a key that is being worked on back once when it is done', () => {
    const { queue } = setUp();
    queue.add('a');
    queue.get();
    queue.add('a');
    queue.add('a');
    expect(queue.length).toBe(0);
    queue.done('a');
    expect(drain(queue)).toEqual(['a']);
    queue.done('a');
    expect(queue.length).toBe(0);
  });

  it('stays in order over many keys', () => {
    const { queue } = setUp();
    const keys = Array.from({ length: 5_000 }, (_, index) => `key-${index}`);
    for (const key of keys.slice(0, 3_000)) queue.add(key);
    const first = Array.from({ length: 2_000 }, () => queue.get()?.key);
    for (const key of keys.slice(3_000)) queue.add(key);
    expect([...first, ...drain(queue)]).toEqual(keys);
  });

  it('remembers the entry that last added the key', () => {
    const { simulation, queue } = setUp();
    simulation.withCause(7, () => queue.add('a'));
    simulation.withCause(9, () => queue.add('a'));
    expect(queue.get()).toEqual({ key: 'a', cause: 9 });
  });
});

describe('addAfter', () => {
  it('adds at its time', async () => {
    const { simulation, queue } = setUp();
    queue.addAfter('a', 100);
    await simulation.advance(99);
    expect(queue.length).toBe(0);
    await simulation.advance(1);
    expect(drain(queue)).toEqual(['a']);
  });

  it('adds at once when the delay is over already', () => {
    const { queue } = setUp();
    queue.addAfter('a', 0);
    expect(queue.length).toBe(1);
  });

  it('keeps the earlier of two times', async () => {
    const { simulation, queue } = setUp();
    queue.addAfter('a', 100);
    queue.addAfter('a', 500);
    queue.addAfter('b', 500);
    queue.addAfter('b', 50);
    await simulation.advance(50);
    expect(drain(queue)).toEqual(['b']);
    await simulation.advance(50);
    expect(drain(queue)).toEqual(['a']);
    queue.done('a');
    await simulation.advance(1_000);
    expect(queue.length).toBe(0);
  });

  it('keeps a simulation unsettled unless it is background', async () => {
    const { simulation, queue } = setUp();
    queue.addAfter('a', 100, 'background');
    await simulation.settle();
    expect([simulation.now, queue.length]).toEqual([0, 0]);
    queue.addAfter('a', 200);
    await simulation.settle();
    expect([simulation.now, queue.length]).toEqual([100, 1]);
  });
});

describe('addRateLimited', () => {
  it('waits longer each time, until the key is forgotten', async () => {
    const { simulation, queue } = setUp();
    const delays: number[] = [];
    for (let i = 0; i < 5; i++) {
      const before = simulation.now;
      queue.addRateLimited('a');
      await simulation.settle();
      delays.push(simulation.now - before);
      expect(drain(queue)).toEqual(['a']);
      queue.done('a');
    }
    expect(delays).toEqual([5, 10, 20, 40, 80]);
    expect(queue.numRequeues('a')).toBe(5);
    queue.forget('a');
    expect(queue.numRequeues('a')).toBe(0);
  });
});

it('counts what fails for ever as settled', async () => {
  const { simulation, queue } = setUp();
  let tries = 0;
  queue.onReady(() => {
    for (const key of drain(queue)) {
      tries++;
      queue.done(key);
      queue.addRateLimited(key);
    }
  });
  queue.add('a');
  await simulation.settle();
  expect(tries).toBe(15);
  expect(simulation.now).toBeLessThan(90_000);
  await simulation.advance(100_000);
  expect(tries).toBe(16);
});

it('takes nothing after it was shut down', async () => {
  const { simulation, queue } = setUp();
  queue.addAfter('a', 10);
  queue.shutDown();
  queue.add('b');
  await simulation.advance(20);
  expect(queue.length).toBe(0);
});

import { describe, expect, it } from 'vitest';
import { BoundExceeded } from '../sim/bound-exceeded.ts';
import { Simulation } from '../sim/simulation.ts';
import { runWorkers, type WorkersOptions } from './controller.ts';
import { RateLimitingQueue } from './workqueue.ts';

type Setting = Omit<WorkersOptions, 'actor' | 'name' | 'queue'>;

function setUp(makeOptions: (simulation: Simulation, sleep: (ms: number) => Promise<void>, queue: RateLimitingQueue) => Setting) {
  const simulation = new Simulation({ seed: '1' });
  const actor = simulation.actor('tester', () => {});
  actor.start();
  const queue = new RateLimitingQueue({ actor });
  runWorkers({ actor, name: 'test', queue, ...makeOptions(simulation, (ms) => actor.sleep(ms), queue) });
  return { simulation, actor, queue };
}

it('never works on a key twice at once, and lets other workers go on', async () => {
  const log: string[] = [];
  const { simulation, queue } = setUp((simulation, sleep) => ({
    workers: 2,
    reconcile: async (key) => {
      log.push(`${simulation.now} ${key} begins`);
      await sleep(10);
      log.push(`${simulation.now} ${key} ends`);
    },
  }));
  for (const key of ['a', 'b', 'c']) queue.add(key);
  await simulation.advance(1);
  queue.add('a');
  await simulation.settle();
  expect(log).toEqual(['0 a begins', '0 b begins', '10 a ends', '10 b ends', '10 c begins', '10 a begins', '20 c ends', '20 a ends']);
});

it('takes each key in an event of its own', async () => {
  const seen: string[] = [];
  const { simulation, actor, queue } = setUp(() => ({ reconcile: (key) => void seen.push(key) }));
  actor.schedule(0, () => {
    queue.add('a');
    seen.push('handler is done');
  });
  await simulation.settle();
  expect(seen).toEqual(['handler is done', 'a']);
});

it('forgets after success and comes back after failure', async () => {
  const at: number[] = [];
  const { simulation, queue } = setUp((simulation) => ({
    reconcile: () => {
      at.push(simulation.now);
      if (at.length < 4) throw new Error('not yet');
    },
  }));
  queue.add('a');
  await simulation.settle();
  expect(at).toEqual([0, 5, 15, 35]);
  expect(queue.numRequeues('a')).toBe(0);
});

it('leaves errors to handleError if there is one', async () => {
  let tries = 0;
  const { simulation, queue } = setUp((_, __, queue) => ({
    reconcile: async () => {
      tries++;
      throw new Error('no');
    },
    handleError: (key) => {
      if (queue.numRequeues(key) < 2) queue.addRateLimited(key);
      else queue.forget(key);
    },
  }));
  queue.add('a');
  await simulation.settle();
  expect(tries).toBe(3);
});

describe('the trace', () => {
  it('shows begin, end and result; the last add is the cause, and is passed on', async () => {
    const { simulation, actor, queue } = setUp((simulation) => ({
      reconcile: async (key) => {
        await Promise.resolve();
        simulation.trace.record({ kind: 'decision', component: 'test', message: key });
        if (simulation.now === 0) throw new Error('broken');
      },
    }));
    let last = 0;
    actor.schedule(0, () => {
      queue.add('a');
      last = simulation.recordCause({ kind: 'fault', message: 'a thing happens' });
      queue.add('a');
    });
    await simulation.settle();
    const lines = simulation.trace.entries.filter(({ kind }) => kind === 'reconcile' || kind === 'decision');
    const [start, decision, end] = lines;
    expect(start).toMatchObject({ kind: 'reconcile', controller: 'test', key: 'a', what: 'start', cause: last });
    expect(decision).toMatchObject({ kind: 'decision', cause: start?.seq });
    expect(end).toMatchObject({ kind: 'reconcile', what: 'end', result: 'broken', cause: start?.seq });
    expect(lines.at(-1)).not.toHaveProperty('result');
  });

  it('names controller and key when a bound is passed', async () => {
    const { simulation, queue } = setUp((_, __, queue) => ({ reconcile: (key) => queue.add(key) }));
    queue.add('default/web');
    const error = await simulation.settle({ maxEvents: 100 }).catch((error: unknown) => error);
    expect(error).toBeInstanceOf(BoundExceeded);
    expect((error as Error).message).toContain('test default/web (99 events)');
  });
});

describe('mistakes in the program', () => {
  const broken = (recoverPanics: boolean) => {
    let tries = 0;
    const setting = setUp(() => ({
      recoverPanics,
      reconcile: async () => {
        if (++tries === 1) throw new TypeError('x is undefined');
      },
    }));
    setting.queue.add('a');
    return { ...setting, tries: () => tries };
  };

  it('end the run', async () => {
    await expect(broken(false).simulation.settle()).rejects.toThrow('x is undefined');
  });

  it('are errors like others if wanted', async () => {
    const { simulation, tries } = broken(true);
    await simulation.settle();
    expect(tries()).toBe(2);
  });
});

it('starts with an empty queue after a crash', async () => {
  const seen: string[] = [];
  const simulation = new Simulation({ seed: '1' });
  const actor = simulation.actor('tester', (self) => {
    const queue = new RateLimitingQueue({ actor: self });
    runWorkers({
      actor: self,
      name: 'test',
      queue,
      reconcile: async (key) => {
        await self.sleep(10);
        seen.push(`${self.incarnation} ${key}`);
      },
    });
    queue.add('a');
  });
  actor.start();
  await simulation.advance(5);
  actor.crash();
  actor.start();
  await simulation.settle();
  expect(seen).toEqual(['2 a']);
});

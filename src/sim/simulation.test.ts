import { describe, expect, it } from 'vitest';
import { ActorUnavailable } from './actor-unavailable.ts';
import { BoundExceeded } from './bound-exceeded.ts';
import { Simulation } from './simulation.ts';

const fresh = (seed = '1') => new Simulation({ seed, digest: true });

describe('time', () => {
  it('does not depend on who starts the run: a key press waits for continuations as well as a promise does', async () => {
    const simulation = fresh();
    const seen: string[] = [];
    const actor = simulation.actor('a', () => {});
    actor.start();
    actor.schedule(0, async () => {
      for (let step = 0; step < 20; step++) await Promise.resolve();
      seen.push(`continuation@${simulation.now}`);
    });
    actor.schedule(1, () => void seen.push('timer'));
    await new Promise<void>((resolve) => setImmediate(() => void simulation.settle().then(resolve)));
    expect(seen).toEqual(['continuation@0', 'timer']);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, -1])('does not move on by %d', async (ms) => {
    await expect(fresh().advance(ms)).rejects.toThrow('time moves on by a number of milliseconds');
  });

  it('runs timers at their own due time, equal ones in order of insertion', async () => {
    const simulation = fresh();
    const seen: string[] = [];
    const actor = simulation.actor('a', (self) => {
      for (const [name, delay] of [
        ['late', 7],
        ['first', 3],
        ['second', 3],
      ] as const)
        self.schedule(delay, () => void seen.push(`${name}@${simulation.now}`));
    });
    actor.start();
    await simulation.advance(10);
    expect(seen).toEqual(['first@3', 'second@3', 'late@7']);
    expect(simulation.now).toBe(10);
  });

  it('does not move while continuations of the present instant are left', async () => {
    const simulation = fresh();
    const seen: string[] = [];
    simulation
      .actor('a', async (self) => {
        self.schedule(1, () => void seen.push('timer'));
        await self.sleep(0);
        await Promise.resolve();
        await Promise.resolve();
        seen.push(`continuation@${simulation.now}`);
      })
      .start();
    await simulation.settle();
    expect(seen).toEqual(['continuation@0', 'timer']);
  });

  it('is settled when only background is left', async () => {
    const simulation = fresh();
    let beats = 0;
    simulation
      .actor('a', async (self) => {
        for (;;) {
          await self.sleep(10, 'background');
          beats++;
        }
      })
      .start();
    await simulation.settle();
    expect([simulation.now, beats]).toEqual([0, 0]);
    await simulation.advance(35);
    expect(beats).toBe(3);
  });

  it('cancels timers', async () => {
    const simulation = fresh();
    const fired: string[] = [];
    simulation.actor('a', (self) => self.schedule(5, () => void fired.push('fired')).cancel()).start();
    await simulation.settle();
    expect([fired, simulation.now]).toEqual([[], 0]);
  });
});

describe('actors', () => {
  it('forget what they waited for when they crash between two awaits, and start anew', async () => {
    const simulation = fresh();
    const seen: string[] = [];
    const actor = simulation.actor('a', async (self) => {
      const { incarnation } = self;
      seen.push(`${incarnation} starts`);
      await self.sleep(10);
      seen.push(`${incarnation} half way`);
      await self.sleep(10);
      seen.push(`${incarnation} ends`);
    });
    actor.start();
    await simulation.advance(15);
    actor.crash();
    actor.start(5);
    await simulation.settle();
    expect(seen).toEqual(['1 starts', '1 half way', '2 starts', '2 half way', '2 ends']);
    expect(simulation.now).toBe(40);
  });

  it('keep their events while paused', async () => {
    const simulation = fresh();
    const seen: number[] = [];
    const actor = simulation.actor('a', (self) => {
      for (const delay of [1, 2, 3]) self.schedule(delay, () => void seen.push(simulation.now));
    });
    actor.start();
    await simulation.advance(1);
    actor.pause();
    await simulation.advance(9);
    expect(seen).toEqual([1]);
    actor.resume();
    await simulation.settle();
    expect(seen).toEqual([1, 10, 10]);
  });

  it('call each other; the answer comes in an event of its own, with the cause of the call', async () => {
    const simulation = fresh();
    const server = simulation.actor('server', () => {});
    const seen: unknown[] = [];
    const client = simulation.actor('client', async (self) => {
      const cause = simulation.recordCause({ kind: 'fault', message: 'asked' });
      const answer = await self.call(server, () => `${simulation.current?.name}@${simulation.now}`, { requestMs: 2, responseMs: 3 });
      seen.push(answer, simulation.now, simulation.current?.name, simulation.cause === cause);
    });
    server.start();
    client.start();
    await simulation.settle();
    expect(seen).toEqual(['server@2', 5, 'client', true]);
  });

  it('hear of the death of whom they called', async () => {
    const simulation = fresh();
    const server = simulation.actor('server', () => {});
    const seen: string[] = [];
    const client = simulation.actor('client', async (self) => {
      for (let i = 0; i < 2; i++) {
        await self
          .call(server, () => new Promise<never>(() => {}), { requestMs: 1, responseMs: 1 })
          .catch((error: unknown) => {
            expect(error).toBeInstanceOf(ActorUnavailable);
            seen.push((error as ActorUnavailable).how);
          });
      }
    });
    server.start();
    client.start();
    await simulation.advance(5);
    server.crash();
    await simulation.settle();
    expect(seen).toEqual(['reset', 'refused']);
  });

  it('do not hear answers to what they asked in an earlier life', async () => {
    const simulation = fresh();
    const server = simulation.actor('server', () => {});
    const seen: string[] = [];
    const client = simulation.actor('client', async (self) => {
      const life = self.incarnation;
      const answer = await self.call(server, () => `answer to ${life}`, { requestMs: 10, responseMs: 1 });
      seen.push(`${life}: ${answer}`);
    });
    server.start();
    client.start();
    await simulation.advance(5);
    client.crash();
    client.start();
    await simulation.settle();
    expect(seen).toEqual(['2: answer to 2']);
  });
});

describe('bounds', () => {
  it('name who keeps a simulation busy', async () => {
    const simulation = fresh();
    const requeue = (): void => {
      simulation.current?.schedule(1, requeue, { label: 'queue of looper: default/web' });
    };
    simulation.actor('looper', requeue).start();
    const run = simulation.settle({ maxEvents: 5_000 });
    await expect(run).rejects.toThrow(BoundExceeded);
    await expect(simulation.settle({ maxEvents: 5_000 })).rejects.toThrow(
      'not settled within 5000 events; kept busy by queue of looper: default/web (1000 events)',
    );
    await expect(simulation.settle({ maxTime: 20 })).rejects.toThrow(
      'not settled within 20 ms of virtual time; kept busy by queue of looper: default/web (1 events)',
    );
  });
});

describe('runs', () => {
  /** Three actors that talk at random, with inputs from outside. */
  const play = async (seed: string, inputs?: readonly { events: number; time: number; input: string; payload: unknown }[]) => {
    const simulation = fresh(seed);
    const random = simulation.random.fork('test');
    const actors = ['a', 'b', 'c'].map((name) =>
      simulation.actor(name, async (self) => {
        for (let i = 0; i < 20; i++) {
          await self.sleep(random.integer(5));
          const other = random.pick(actors);
          if (other)
            await self
              .call(other, () => simulation.trace.record({ kind: 'fault', message: `${i}` }), { requestMs: 1, responseMs: 1 })
              .catch(() => {});
        }
      }),
    );
    simulation.onInput('crash', (name) => simulation.actors.get(String(name))?.crash());
    for (const actor of actors) actor.start();
    if (inputs) {
      for (const { events, time, input, payload } of inputs) {
        await simulation.runTo({ events, time });
        simulation.input(input, payload, 'crash');
      }
    } else {
      await simulation.advance(13);
      simulation.input('crash', 'b', 'crash');
      await simulation.advance(4.5);
      simulation.input('crash', 'c', 'crash');
    }
    await simulation.settle();
    return { digest: simulation.trace.digest(), entries: JSON.stringify(simulation.trace.entries), inputs: simulation.inputs };
  };

  it('with the same seed and inputs are equal byte by byte; another seed differs', async () => {
    const [one, two, other] = [await play('7'), await play('7'), await play('8')];
    expect(two.entries).toBe(one.entries);
    expect(two.digest).toBe(one.digest);
    expect(other.digest).not.toBe(one.digest);
  });

  it('come out the same when their inputs are replayed', async () => {
    const first = await play('7');
    const again = await play('7', JSON.parse(JSON.stringify(first.inputs)));
    expect(again.entries).toBe(first.entries);
  });

  it('see an error in an event', async () => {
    const simulation = fresh();
    simulation
      .actor('a', async (self) => {
        await self.sleep(1);
        throw new TypeError('broken');
      })
      .start();
    await expect(simulation.settle()).rejects.toThrow('broken');
  });
});

describe('an end that is asked for', () => {
  it('waits for the handler, and forgets it with the incarnation', async () => {
    const simulation = fresh();
    const seen: string[] = [];
    const actor = simulation.actor('a', (self) => {
      if (self.incarnation > 1) return;
      self.onTerminate(async () => {
        await self.sleep(5);
        seen.push(`done@${simulation.now}`);
      });
    });
    actor.start();
    await simulation.settle();
    actor.terminate();
    await simulation.settle();
    expect([seen, actor.state]).toEqual([['done@5'], 'crashed']);
    actor.start();
    await simulation.settle();
    actor.terminate();
    await simulation.settle();
    expect([seen.length, actor.state]).toEqual([1, 'crashed']);
  });
});

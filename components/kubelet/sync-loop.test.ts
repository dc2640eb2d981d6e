import { expect, it } from 'vitest';
import { Simulation } from '../../src/sim/simulation.ts';
import { SyncLoop } from './sync-loop.ts';

it('holds up what comes while a step waits', async () => {
  const simulation = new Simulation({ seed: '1' });
  const done: string[] = [];
  const loop = new SyncLoop();
  const note = (what: string) => (): undefined => void done.push(`${what} at ${simulation.now}`);
  simulation
    .actor('kubelet', (actor) => {
      loop.run(actor, note('first'));
      loop.run(actor, () => async () => {
        await actor.sleep(10);
        note('slow')();
      });
      loop.run(actor, note('behind'));
      actor.schedule(20, () => loop.run(actor, note('later')));
    })
    .start();
  await simulation.settle();
  expect(done).toEqual(['first at 0', 'slow at 10', 'behind at 10', 'later at 20']);
});

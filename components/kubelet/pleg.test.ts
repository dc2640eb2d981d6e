import { expect, test } from 'vitest';
import { RuntimeFixture } from '../../test/support/containers.ts';
import { Pleg } from './pleg.ts';

function make() {
  const fixture = new RuntimeFixture();
  const seen: string[] = [];
  const { simulation, caller, runtime } = fixture;
  const pleg = new Pleg({
    actor: caller,
    runtime,
    enrich: (state) => Promise.resolve(state),
    phaseMs: 300,
    onEvent: ({ type, container }) => void seen.push(`${simulation.now} ${type} ${container ?? 'sandbox'}`),
  });
  return { ...fixture, fixture, pleg, seen };
}

test('tells of changes at the next relist, once a second', async () => {
  const { fixture, seen, simulation } = make();
  await fixture.start({ image: 'busybox:1.36', command: ['sleep', '2'] });
  await simulation.advance(5_000);
  expect(seen).toEqual(['701 ContainerStarted sandbox', '1701 ContainerStarted c1', '3701 ContainerDied c1']);
});

test('a relist that would find nothing is left out', async () => {
  const { fixture, pleg, simulation } = make();
  await fixture.start({ image: 'nginx:1.27' });
  await simulation.advance(5_000);
  const { executed, now } = simulation;
  await simulation.advance(60_000);
  expect(simulation.executed).toBe(executed);
  expect(pleg.getNewerThan('uid-c1', now)).toMatchObject({ uid: 'uid-c1', sandboxes: [{ state: 'SANDBOX_READY' }] });
});

test('who wants a newer state waits for the next relist', async () => {
  const { pleg, simulation } = make();
  await simulation.advance(10_000);
  const answer = pleg.getNewerThan('u', simulation.now);
  expect(answer).toBeInstanceOf(Promise);
  let at = 0;
  void (answer as Promise<unknown>).then(() => {
    at = simulation.now;
  });
  await simulation.advance(2_000);
  expect(at).toBe(10_700);
});

import { expect, it } from 'vitest';
import { StandInApiserver } from '../../test/support/stand-in-apiserver.ts';
import type { Lease } from '../api/kinds/coordination-v1.ts';
import type { Event } from '../api/kinds/core-v1.ts';
import { InProcessTransport } from '../cluster/in-process-transport.ts';
import { Network } from '../cluster/network.ts';
import { Simulation } from '../sim/simulation.ts';
import { Client } from './client.ts';
import { EventRecorder } from './event-recorder.ts';
import { LeaderElector } from './leader-election.ts';
import { DEFAULT_TIMING } from './timing.ts';

const lock = { namespace: 'kube-system', name: 'tester' };

function electionTest(names: readonly string[]) {
  const simulation = new Simulation({ seed: '1' });
  const api = new StandInApiserver();
  const network = new Network();
  const server = simulation.actor('kube-apiserver', () => {});
  server.start();
  const log: string[] = [];
  const electors = new Map<string, LeaderElector>();
  for (const name of names) {
    const actor = simulation.actor(name, (self) => {
      const client = new Client({
        actor: self,
        transport: new InProcessTransport({ actor: self, server, handler: () => api, network, timing: DEFAULT_TIMING }),
        user: { username: name, groups: [] },
      });
      const elector = new LeaderElector({
        client,
        lock,
        identity: `${name}${self.incarnation > 1 ? self.incarnation : ''}`,
        recorder: new EventRecorder({ client, component: 'tester' }),
        onStartedLeading: () => void log.push(`${name} leads`),
        onStoppedLeading: () => void log.push(`${name} lost`),
      });
      electors.set(name, elector);
      elector.run();
    });
    actor.start();
  }
  const lease = () => api.get<Lease>('leases', 'kube-system/tester')?.spec;
  return { simulation, api, network, log, electors, lease };
}

it('makes the first one leader and says so', async () => {
  const { simulation, api, log, lease } = electionTest(['a', 'b']);
  await simulation.settle();
  expect(log).toEqual(['a leads']);
  expect(lease()).toEqual({
    holderIdentity: 'a',
    leaseDurationSeconds: 15,
    acquireTime: '2026-01-01T00:00:00.002000Z',
    renewTime: '2026-01-01T00:00:00.002000Z',
    leaseTransitions: 0,
  });
  expect(api.all<Event>('events')).toMatchObject([
    {
      involvedObject: { kind: 'Lease', name: 'tester' },
      type: 'Normal',
      reason: 'LeaderElection',
      message: 'a became leader',
      source: { component: 'tester' },
    },
  ]);
});

it('renews every two seconds by one PUT, in the background', async () => {
  const { simulation, api, lease } = electionTest(['a']);
  await simulation.settle();
  expect(simulation.now).toBeLessThan(100);
  api.requests.splice(0);
  await simulation.advance(10_000);
  expect(new Set(api.log)).toEqual(new Set(['update leases tester']));
  expect(api.log.length).toBe(4);
  expect(lease()?.acquireTime).toBe('2026-01-01T00:00:00.002000Z');
  expect(lease()?.renewTime).not.toBe(lease()?.acquireTime);
});

it('passes leadership on when the leader has been silent for the lease duration', async () => {
  const { simulation, log, lease } = electionTest(['a', 'b']);
  await simulation.settle();
  simulation.actors.get('a')?.crash();
  await simulation.advance(14_000);
  expect(log).toEqual(['a leads']);
  await simulation.advance(8_000);
  expect(log).toEqual(['a leads', 'b leads']);
  expect(lease()).toMatchObject({ holderIdentity: 'b', leaseTransitions: 1 });
});

it('is waited for while a lease runs out that nobody renews, but not while a leader lives', async () => {
  const { simulation, log } = electionTest(['a']);
  await simulation.settle();
  const a = simulation.actors.get('a');
  a?.crash();
  a?.start();
  const before = simulation.now;
  await simulation.settle();
  expect(log).toEqual(['a leads', 'a leads']);
  expect(simulation.now - before).toBeGreaterThanOrEqual(15_000);
  const two = electionTest(['a', 'b']);
  await two.simulation.settle();
  expect(two.log).toEqual(['a leads']);
  expect(two.simulation.now).toBeLessThan(10_000);
});

it('stops leading when it cannot renew in time', async () => {
  const { simulation, network, log } = electionTest(['a', 'b']);
  await simulation.settle();
  network.cut('a');
  await simulation.advance(40_000);
  expect(log).toEqual(['a leads', 'a lost', 'b leads']);
});

it('can give leadership up', async () => {
  const { simulation, log, electors, lease } = electionTest(['a', 'b']);
  await simulation.settle();
  simulation.actors.get('a')?.schedule(0, () => electors.get('a')?.release());
  await simulation.settle();
  expect(lease()).toMatchObject({ holderIdentity: '', leaseDurationSeconds: 1 });
  await simulation.advance(5_000);
  expect(log).toEqual(['a leads', 'b leads']);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../../src/api/kinds/core-v1.ts';
import { Simulation } from '../../../../src/sim/simulation.ts';
import { ActionType, EventAssignedPodDelete } from '../../framework/events.ts';
import { EventNodeAdd } from '../../framework/node-scheduling-properties-change.ts';
import { PrioritySort } from '../../plugins/priority-sort.ts';
import { SchedulingGates } from '../../plugins/scheduling-gates.ts';
import type { QueuedPodInfo } from './queued-pod-info.ts';
import { SchedulingQueue } from './scheduling-queue.ts';

// Goal: pods come out of the queue when, and in the order in which, the real one gives them out.
// Method: a queue in virtual time; the test plays the scheduler.

class Stage {
  readonly simulation = new Simulation({ seed: '1' });
  readonly queue: SchedulingQueue;
  hopeless = false;

  constructor() {
    const actor = this.simulation.actor('kube-scheduler', () => {});
    actor.start();
    const sort = new PrioritySort();
    const gates = new SchedulingGates();
    this.queue = new SchedulingQueue({
      actor,
      initialBackoffMs: 1000,
      maxBackoffMs: 10_000,
      less: (a, b) => sort.less(a, b),
      preEnqueue: (pod) => gates.preEnqueue(pod),
      hints: new Map([
        [
          'default-scheduler',
          new Map([
            ['Fit', [{ event: { resource: 'Pod' as const, actionType: ActionType.Delete } }]],
            ['SchedulingGates', gates.eventsToRegister()],
          ]),
        ],
      ]),
      onReady: () => {},
      isHopeless: () => this.hopeless,
    });
  }

  pop(): string | undefined {
    return this.queue.pop()?.pod.metadata.name;
  }

  /** Pops the pod and puts it back as refused by plugins, or after an error. */
  fail(plugins: readonly string[], meanwhile: () => void = () => {}): QueuedPodInfo | undefined {
    const pod = this.queue.pop();
    meanwhile();
    if (!pod) return undefined;
    pod.unschedulablePlugins = new Set(plugins);
    this.queue.addUnschedulableIfNotPresent(pod);
    this.queue.done(pod.key);
    return pod;
  }

  deletePod(): void {
    this.queue.moveAllToActiveOrBackoffQueue(EventAssignedPodDelete, { oldObject: pod('gone') });
  }
}

function pod(name: string, spec: Partial<Pod['spec']> = {}): Pod {
  return { metadata: { name, uid: name, namespace: 'default' }, spec: { schedulerName: 'default-scheduler', containers: [], ...spec } };
}

describe('SchedulingQueue', () => {
  it('gives out the more important pod first, then the one that came first', async () => {
    const stage = new Stage();
    stage.queue.add(pod('first'));
    stage.queue.add(pod('second'));
    await stage.simulation.advance(10);
    stage.queue.add(pod('important', { priority: 100 }));
    expect([stage.pop(), stage.pop(), stage.pop(), stage.pop()]).toEqual(['important', 'first', 'second', undefined]);
  });

  it('waits longer after each error in a row, to whole seconds', async () => {
    const stage = new Stage();
    stage.queue.add(pod('a'));
    const tries: number[] = [];
    while (tries.length < 7) {
      if (stage.queue.hasReady) {
        tries.push(stage.simulation.now);
        stage.fail([]);
      }
      await stage.simulation.advance(500);
    }
    expect(tries).toEqual([0, 2000, 5000, 10_000, 19_000, 30_000, 41_000]);
  });

  it('keeps a refused pod until something happens that its plugin waits for', () => {
    const stage = new Stage();
    stage.queue.add(pod('a'));
    stage.fail(['Fit']);
    stage.queue.moveAllToActiveOrBackoffQueue(EventNodeAdd, { newObject: { metadata: { name: 'n' } } });
    expect(stage.queue.sizes).toMatchObject({ active: 0, backoff: 0, unschedulable: 1 });
    stage.deletePod();
    expect(stage.queue.sizes).toMatchObject({ backoff: 1, unschedulable: 0 });
    expect(stage.pop()).toBe('a');
  });

  it('tries a refused pod again when the event came during the attempt', () => {
    const stage = new Stage();
    stage.queue.add(pod('a'));
    stage.fail(['Fit'], () => stage.deletePod());
    expect(stage.queue.sizes).toMatchObject({ backoff: 1, unschedulable: 0, inFlight: 0 });
  });

  it('tries everything again after five minutes', async () => {
    const stage = new Stage();
    stage.queue.add(pod('a'));
    stage.fail(['Fit']);
    await stage.simulation.advance(5 * 60_000);
    expect(stage.queue.hasReady).toBe(false);
    await stage.simulation.advance(30_000);
    expect(stage.pop()).toBe('a');
  });

  it('leaves a pod with gates out until the last one goes', () => {
    const stage = new Stage();
    const gated = pod('a', { schedulingGates: [{ name: 'x' }] });
    stage.queue.add(gated);
    stage.deletePod();
    expect(stage.queue.hasReady).toBe(false);
    stage.queue.update(gated, pod('a'));
    expect(stage.pop()).toBe('a');
  });

  it('lets the simulation settle while there is no node to wait for', async () => {
    const stage = new Stage();
    stage.hopeless = true;
    stage.queue.add(pod('a'));
    stage.fail([]);
    await stage.simulation.settle();
    expect(stage.simulation.now).toBe(0);
    stage.hopeless = false;
    stage.queue.rearm();
    await stage.simulation.settle();
    expect(stage.pop()).toBe('a');
  });

  it('lets the simulation settle when a pod fails again and again, while others still have hope', async () => {
    const stage = new Stage();
    stage.queue.add(pod('doomed'));
    for (let errors = 0; errors < 6; errors++) {
      stage.fail([]);
      await stage.simulation.advance(15_000);
    }
    stage.fail([]);
    const before = stage.simulation.now;
    await stage.simulation.settle();
    expect(stage.simulation.now).toBe(before);
    stage.queue.add(pod('new'));
    stage.fail([]);
    await stage.simulation.settle();
    expect(stage.pop()).toBe('new');
  });
});

const step = fc.record({
  what: fc.constantFrom('add', 'update', 'delete', 'pop', 'refuse', 'error', 'bind', 'move', 'activate', 'wait'),
  name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  gated: fc.boolean(),
  priority: fc.nat(2),
  ms: fc.constantFrom(300, 1000, 7000, 40_000),
});

describe('SchedulingQueue, whatever happens,', () => {
  it('has each pod in exactly one place, and gives all of them out in the end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const stage = new Stage();
        const { queue } = stage;
        const waiting = new Map<string, Pod>();
        const inFlight = new Map<string, QueuedPodInfo>();
        const end = (name: string, plugins?: readonly string[]): void => {
          const info = inFlight.get(name);
          if (!info) return;
          inFlight.delete(name);
          if (plugins) {
            info.unschedulablePlugins = new Set(plugins);
            queue.addUnschedulableIfNotPresent(info);
            waiting.set(name, info.pod);
          }
          queue.done(info.key);
        };
        for (const { what, name, gated, priority, ms } of steps) {
          const made = pod(name, { priority, ...(gated ? { schedulingGates: [{ name: 'g' }] } : {}) });
          const before = waiting.get(name);
          if (what === 'add' && !before && !inFlight.has(name)) {
            waiting.set(name, made);
            queue.add(made);
          }
          if (what === 'update' && before) {
            waiting.set(name, made);
            queue.update(before, made);
          }
          if (what === 'delete' && before) {
            waiting.delete(name);
            queue.delete(before);
          }
          if (what === 'pop') {
            const info = queue.pop();
            if (info) inFlight.set(info.key, info);
            if (info) expect(waiting.delete(info.key)).toBe(true);
          }
          if (what === 'refuse') end(name, ['Fit']);
          if (what === 'error') end(name, []);
          if (what === 'bind') end(name);
          if (what === 'move') stage.deletePod();
          if (what === 'activate' && before && !gated) queue.activate([before]);
          if (what === 'wait') await stage.simulation.advance(ms);
          const { active, backoff, unschedulable, inFlight: popped } = queue.sizes;
          expect([active + backoff + unschedulable, popped]).toEqual([waiting.size, inFlight.size]);
        }
        for (const name of [...inFlight.keys()]) end(name, []);
        for (const [name, one] of waiting) queue.update(one, pod(name));
        // Five minutes and a half at most, even for those that nothing wakes.
        const out = new Set<string>();
        for (let seconds = 0; seconds < 360; seconds += 10) {
          for (let name = stage.pop(); name; name = stage.pop()) out.add(name);
          await stage.simulation.advance(10_000);
        }
        expect([...out].sort()).toEqual([...waiting.keys()].sort());
      }),
      { numRuns: 100 },
    );
  });
});

import { describe, expect, it } from 'vitest';
import type { Pod } from '../../src/api/kinds/core-v1.ts';
import { eventsEventsV1, nodes, pods, priorityclasses, serviceaccounts } from '../../src/api/resources.ts';
import { ControlPlane } from '../../test/support/control-plane.ts';
import type { SchedulingDecision } from './explain.ts';
import { runKubeScheduler } from './server.ts';

// Goal: the scheduler writes what the real one writes, in its order, and comes back from a crash.
// Method: kube-apiserver and kube-scheduler alone; nodes are plain objects.

class Stage extends ControlPlane {
  constructor() {
    super([]);
    this.simulation
      .actor('kube-scheduler', (actor) =>
        runKubeScheduler({
          actor,
          client: this.client(actor, { username: 'system:kube-scheduler', groups: ['system:authenticated'] }),
          config: {},
        }),
      )
      .start();
  }

  static async create(nodeCpus: readonly string[]): Promise<Stage> {
    const stage = new Stage();
    await stage.act((client) => client.resource(serviceaccounts).create({ metadata: { name: 'default', namespace: 'default' } }));
    for (const [i, cpu] of nodeCpus.entries()) await stage.addNode(`n${i + 1}`, cpu);
    await stage.simulation.settle();
    return stage;
  }

  async addNode(name: string, cpu: string): Promise<void> {
    await this.act(async (client) => {
      await client.resource(nodes).create({ metadata: { name, labels: { 'kubernetes.io/hostname': name } } });
      const allocatable = { cpu, memory: '8Gi', pods: '110' };
      await client.resource(nodes).patch({ name }, { status: { allocatable } }, { type: 'merge', subresource: 'status' });
      await client.resource(nodes).patch({ name }, { spec: { taints: null } }, { type: 'merge' });
    });
  }

  async createPod(name: string, cpu: string, spec: object = {}): Promise<void> {
    const containers = [{ name: 'c', image: 'nginx', resources: { requests: { cpu } } }];
    await this.act((client) => client.resource(pods).create({ metadata: { name, namespace: 'default' }, spec: { containers, ...spec } }));
    await this.simulation.settle();
  }

  pod(name: string): Promise<Pod> {
    return this.act((client) => client.resource(pods).get({ namespace: 'default', name }));
  }

  async events(): Promise<string[]> {
    const { items } = await this.act((client) => client.resource(eventsEventsV1).list({ namespace: 'default' }));
    return items.map(
      (event) => `${event.reportingController} ${event.regarding?.name} ${event.type} ${event.action}/${event.reason}: ${event.note}`,
    );
  }

  decisions(): SchedulingDecision[] {
    return this.simulation.trace.entries.flatMap((entry) => (entry.kind === 'decision' ? [entry.details as SchedulingDecision] : []));
  }
}

const ONE_NODE_SHORT =
  '0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.';

describe('kube-scheduler', () => {
  it('says why a pod fits nowhere, and schedules it when a node comes that it fits on', async () => {
    const stage = await Stage.create(['1']);
    await stage.createPod('web', '2');
    const condition = (await stage.pod('web')).status?.conditions?.find((one) => one.type === 'PodScheduled');
    expect(condition).toMatchObject({ status: 'False', reason: 'Unschedulable', message: ONE_NODE_SHORT, observedGeneration: 1 });
    await stage.addNode('n2', '4');
    await stage.simulation.settle();
    expect((await stage.pod('web')).spec?.nodeName).toBe('n2');
    // In between it is tried while the new node still has the taint that new nodes get.
    const tainted = ONE_NODE_SHORT.replace('0/1', '0/2').replace(
      '1 Insufficient cpu',
      '1 Insufficient cpu, 1 node(s) had untolerated taint(s)',
    );
    expect(await stage.events()).toEqual([
      `default-scheduler web Warning Scheduling/FailedScheduling: ${ONE_NODE_SHORT}`,
      `default-scheduler web Warning Scheduling/FailedScheduling: ${tainted.replace('0/1 nodes are available: 1 Pre', '0/2 nodes are available: 2 Pre')}`,
      'default-scheduler web Normal Binding/Scheduled: Successfully assigned default/web to n2',
    ]);
    expect(stage.writes('pods').map((line) => line.replace(/^\d+ /, ''))).toEqual([
      'kubernetes-admin create web',
      'kube-scheduler update web/status',
      'kube-scheduler update web/status',
      'kube-scheduler update web/binding',
    ]);
  });

  it('names the change that woke the pod as the cause of the next attempt', async () => {
    const stage = await Stage.create(['1']);
    await stage.createPod('web', '2');
    await stage.addNode('n2', '4');
    await stage.simulation.settle();
    const { entries } = stage.simulation.trace;
    const bound = entries.find((entry) => entry.kind === 'write' && entry.subresource === 'binding');
    const chain = stage.simulation.trace.why(bound?.seq ?? 0).map((entry) => `${entry.actor} ${entry.kind}`);
    expect(chain.slice(0, 4)).toEqual([
      'kube-apiserver write',
      'kube-scheduler request',
      'kube-scheduler decision',
      'kube-scheduler watch',
    ]);
    const steps = stage
      .decisions()
      .at(-1)
      ?.queue.map(({ queue, event }) => `${queue} ${event}`.trim());
    expect(steps).toEqual([
      'active UnscheduledPodAdd',
      'popped',
      'unschedulable ScheduleAttemptFailure',
      'backoff NodeAllocatableChange',
      'popped',
      'unschedulable ScheduleAttemptFailure',
      'backoff NodeTaintChange',
      'popped',
    ]);
  });

  it('explains a decision: refusals, scores, and what woke the pod', async () => {
    const stage = await Stage.create(['1', '4', '8']);
    await stage.createPod('web', '2');
    const [decision] = stage.decisions();
    expect(decision).toMatchObject({ outcome: 'scheduled', node: 'n3', attempt: 1, nodes: { evaluated: 3, feasible: 2 } });
    expect(decision?.refused).toEqual([
      { node: 'n1', plugin: 'NodeResourcesFit', code: 'UnschedulableAndUnresolvable', reasons: ['Insufficient cpu'] },
    ]);
    expect(decision?.scores.map(({ node, total }) => `${node} ${total}`)).toEqual(['n3 473', 'n2 448']);
    expect(decision?.queue.map(({ queue, event }) => `${queue} ${event}`)).toEqual(['active UnscheduledPodAdd', 'popped ']);
  });

  it('does not place more on a node than there is, although bindings take time', async () => {
    const stage = await Stage.create(['4']);
    await stage.act(async (client) => {
      const containers = [{ name: 'c', image: 'nginx', resources: { requests: { cpu: '1' } } }];
      const create = (name: string) => client.resource(pods).create({ metadata: { name, namespace: 'default' }, spec: { containers } });
      await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(create));
    });
    await stage.simulation.settle();
    const all = await stage.act((client) => client.resource(pods).list({ namespace: 'default' }));
    expect(all.items.filter((pod) => pod.spec?.nodeName === 'n1')).toHaveLength(4);
  });

  it('tells of no nodes, and rests', async () => {
    const stage = await Stage.create([]);
    await stage.createPod('web', '1');
    expect((await stage.pod('web')).status?.conditions).toMatchObject([
      { reason: 'Unschedulable', message: 'no nodes available to schedule pods' },
    ]);
    await stage.addNode('n1', '4');
    await stage.simulation.settle();
    expect((await stage.pod('web')).spec?.nodeName).toBe('n1');
  });

  it('goes on after a crash with what the API says', async () => {
    const stage = await Stage.create(['4']);
    await stage.createPod('a', '3');
    const scheduler = stage.simulation.actors.get('kube-scheduler');
    scheduler?.crash();
    await stage.createPod('b', '3');
    scheduler?.start();
    await stage.simulation.settle();
    expect((await stage.pod('b')).status?.conditions).toMatchObject([{ reason: 'Unschedulable' }]);
  });

  it('leaves pods of other schedulers alone', async () => {
    const stage = await Stage.create(['4']);
    await stage.createPod('theirs', '1', { schedulerName: 'another' });
    expect(stage.decisions()).toEqual([]);
  });

  it('drops a pod that is gone when it is to be bound, and frees its place', async () => {
    const stage = await Stage.create(['4']);
    await stage.act(async (client) => {
      const containers = [{ name: 'c', image: 'nginx', resources: { requests: { cpu: '3' } } }];
      await client.resource(pods).create({ metadata: { name: 'gone', namespace: 'default' }, spec: { containers } });
      await client.actor.sleep(1);
      // The scheduler learns of the pod in this moment; its binding comes too late.
      await client.resource(pods).delete({ namespace: 'default', name: 'gone' }, { gracePeriodSeconds: 0 });
    });
    await stage.simulation.settle();
    await stage.createPod('next', '3');
    expect((await stage.pod('next')).spec?.nodeName).toBe('n1');
  });

  it('makes room for a more important pod, and says so', async () => {
    const stage = await Stage.create(['4']);
    await stage.act((client) => client.resource(priorityclasses).create({ metadata: { name: 'high' }, value: 1000 }));
    await stage.createPod('low', '3');
    await stage.createPod('high', '3', { priorityClassName: 'high' });
    expect((await stage.pod('high')).status?.nominatedNodeName).toBe('n1');
    const victim = await stage.pod('low');
    expect(victim.metadata.deletionTimestamp).toBeDefined();
    expect(victim.status?.conditions?.find((one) => one.type === 'DisruptionTarget')).toMatchObject({
      status: 'True',
      reason: 'PreemptionByScheduler',
      message: 'default-scheduler: preempting to accommodate a higher priority pod',
    });
    await stage.act((client) => client.resource(pods).delete({ namespace: 'default', name: 'low' }, { gracePeriodSeconds: 0 }));
    await stage.simulation.settle();
    const high = await stage.pod('high');
    expect(high.spec?.nodeName).toBe('n1');
    expect(await stage.events()).toContain(
      `default-scheduler low Normal Preempting/Preempted: Preempted by pod ${high.metadata.uid} on node n1`,
    );
  });

  it('tells a victim of another pod that needs its place, but has nothing new to write on it', async () => {
    const stage = await Stage.create(['4']);
    await stage.act((client) => client.resource(priorityclasses).create({ metadata: { name: 'high' }, value: 1000 }));
    await stage.createPod('low', '2', { priority: 0 });
    await stage.createPod('lowest', '2', { priority: 0 });
    await stage.createPod('first', '2', { priorityClassName: 'high' });
    await stage.createPod('second', '2', { priorityClassName: 'high' });
    const told = (await stage.events()).filter((line) => line.includes('Preempted by'));
    const victims = ['low', 'lowest'];
    const writes = stage.writes('pods').map((line) => line.replace(/^\d+ /, ''));
    for (const name of victims) expect(writes.filter((line) => line === `kube-scheduler update ${name}/status`)).toHaveLength(1);
    expect(told).toHaveLength(3);
  });
});

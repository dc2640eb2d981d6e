// Goal: a DaemonSet has a pod on each node that fits, and updates them within its limits. Method: a control plane with this controller and bare nodes.
import { beforeEach, describe, expect, it } from 'vitest';
import type { DaemonSet, DaemonSetSpec } from '../../../src/api/kinds/apps-v1.ts';
import type { Pod, Taint } from '../../../src/api/kinds/core-v1.ts';
import { daemonsets, nodes, pods, serviceaccounts } from '../../../src/api/resources.ts';
import { formatTime } from '../../../src/api/time.ts';
import { ControlPlane } from '../../../test/support/control-plane.ts';
import { getTargetNodeName } from './daemonset-util.ts';

const NAMESPACE = 'default';
const AGENT = { namespace: NAMESPACE, name: 'agent' };
const LABELS = { app: 'agent' };
let plane: ControlPlane;

beforeEach(async () => {
  plane = new ControlPlane(['daemonset-controller']);
  await plane.act((client) => client.resource(serviceaccounts).create({ metadata: { namespace: NAMESPACE, name: 'default' } }));
  for (const name of ['n1', 'n2', 'n3']) await addNode(name);
});

async function addNode(name: string, labels: Record<string, string> = {}): Promise<void> {
  await plane.act((client) => client.resource(nodes).create({ metadata: { name, labels } }));
  await taint(name, []);
}

/** In place of the taint that every new node gets. */
async function taint(name: string, taints: Taint[]): Promise<void> {
  await plane.act((client) => client.resource(nodes).patch({ name }, { spec: { taints } }, { type: 'merge' }));
  await plane.simulation.settle();
}

const template = (image: string, more: object = {}) => ({
  metadata: { labels: LABELS },
  spec: { schedulerName: 'nobody', containers: [{ name: 'agent', image }], ...more },
});

async function create(spec: Partial<DaemonSetSpec> = {}): Promise<void> {
  const object: DaemonSet = { metadata: AGENT, spec: { selector: { matchLabels: LABELS }, template: template('agent:1'), ...spec } };
  await plane.act((client) => client.resource(daemonsets).create(object));
  await plane.simulation.settle();
}

async function change(spec: Partial<DaemonSetSpec>): Promise<void> {
  await plane.act((client) => client.resource(daemonsets).patch(AGENT, { spec }, { type: 'merge' }));
  await plane.simulation.settle();
}

const current = (): Promise<DaemonSet> => plane.act((client) => client.resource(daemonsets).get(AGENT));
const all = async (): Promise<Pod[]> => (await plane.act((client) => client.resource(pods).list({ namespace: NAMESPACE }))).items;
/** `node image`, in order. */
const placed = async (): Promise<string[]> =>
  (await all()).map((pod) => `${getTargetNodeName(pod)} ${pod.spec?.containers[0]?.image}`).sort();

async function report(pod: Pod, status: object): Promise<void> {
  const at = { namespace: NAMESPACE, name: pod.metadata.name ?? '' };
  await plane.act((client) => client.resource(pods).patch(at, { status }, { type: 'merge', subresource: 'status' }));
  await plane.simulation.settle();
}

async function makeReady(isMeant: (pod: Pod) => boolean = () => true): Promise<void> {
  const lastTransitionTime = formatTime(plane.simulation.wallTime);
  const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True', lastTransitionTime }] };
  for (const pod of (await all()).filter(isMeant)) await report(pod, status);
}

const runs =
  (image: string) =>
  (pod: Pod): boolean =>
    pod.spec?.containers[0]?.image === image;

describe('a DaemonSet', () => {
  it('has a pod on each node, also on those that come later', async () => {
    await create();
    expect(await placed()).toEqual(['n1 agent:1', 'n2 agent:1', 'n3 agent:1']);
    await addNode('n4');
    expect(await placed()).toHaveLength(4);
    expect((await current()).status).toMatchObject({ desiredNumberScheduled: 4, currentNumberScheduled: 4, updatedNumberScheduled: 4 });
  });

  it('looks at labels and taints of nodes, as they are now', async () => {
    await addNode('n4', { disk: 'ssd' });
    await create({ template: template('agent:1', { nodeSelector: { disk: 'ssd' } }) });
    expect(await placed()).toEqual(['n4 agent:1']);
    await plane.act((client) => client.resource(nodes).patch({ name: 'n1' }, { metadata: { labels: { disk: 'ssd' } } }, { type: 'merge' }));
    await plane.simulation.settle();
    expect(await placed()).toEqual(['n1 agent:1', 'n4 agent:1']);
    await taint('n1', [{ key: 'gpu', effect: 'NoSchedule' }]);
    expect(await placed()).toEqual(['n1 agent:1', 'n4 agent:1']);
    // Such a change alone does not make the status say so.
    expect((await current()).status).toMatchObject({ desiredNumberScheduled: 2 });
    await makeReady();
    expect((await current()).status).toMatchObject({ desiredNumberScheduled: 1, numberMisscheduled: 1 });
    await taint('n1', [{ key: 'gpu', effect: 'NoExecute' }]);
    expect(await placed()).toEqual(['n4 agent:1']);
  });

  it('waits for no pod that does not say since when it is ready', async () => {
    await create({ minReadySeconds: 10 });
    for (const pod of await all()) await report(pod, { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] });
    const { status } = await current();
    expect([status?.numberReady, status?.numberAvailable]).toEqual([3, undefined]);
  });

  it('comes to nodes that are not ready or cordoned', async () => {
    await taint('n1', [{ key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' }]);
    await taint('n2', [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }]);
    await taint('n3', [{ key: 'node.kubernetes.io/network-unavailable', effect: 'NoSchedule' }]);
    await create();
    expect(await placed()).toEqual(['n1 agent:1', 'n2 agent:1']);
    await change({ template: template('agent:1', { hostNetwork: true }) });
    expect(await placed()).toHaveLength(3);
  });

  it('replaces no more pods at once than may be missing', async () => {
    await create();
    await makeReady();
    await change({ template: template('agent:2') });
    expect((await all()).filter(runs('agent:2'))).toHaveLength(1);
    await makeReady(runs('agent:2'));
    expect((await all()).filter(runs('agent:2'))).toHaveLength(2);
    await makeReady(runs('agent:2'));
    await makeReady(runs('agent:2'));
    expect(await placed()).toEqual(['n1 agent:2', 'n2 agent:2', 'n3 agent:2']);
  });

  it('replaces at once what does not work anyway', async () => {
    await create();
    await change({ template: template('agent:2') });
    expect(await placed()).toEqual(['n1 agent:2', 'n2 agent:2', 'n3 agent:2']);
  });

  it('lets new pods run beside old ones until they work', async () => {
    await create({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2, maxUnavailable: 0 } } });
    await makeReady();
    await change({ template: template('agent:2') });
    expect((await all()).map((pod) => pod.spec?.containers[0]?.image).sort()).toEqual([
      'agent:1',
      'agent:1',
      'agent:1',
      'agent:2',
      'agent:2',
    ]);
    await makeReady(runs('agent:2'));
    await makeReady(runs('agent:2'));
    expect(await placed()).toEqual(['n1 agent:2', 'n2 agent:2', 'n3 agent:2']);
  });

  it('deletes a failed pod, and waits longer the second time', async () => {
    await create({ template: template('agent:1', { nodeName: 'n1' }) });
    const fail = async (): Promise<string | undefined> => {
      const [pod] = await all();
      if (pod)
        await plane.act((client) =>
          client
            .resource(pods)
            .patch(
              { namespace: NAMESPACE, name: pod.metadata.name ?? '' },
              { status: { phase: 'Failed' } },
              { type: 'merge', subresource: 'status' },
            ),
        );
      await plane.simulation.advance(100);
      return pod?.metadata.name;
    };
    const first = await fail();
    expect((await all()).map(({ metadata }) => metadata.name)).not.toContain(first);
    const second = await fail();
    expect((await all()).map(({ metadata }) => metadata.name)).toContain(second);
    await plane.simulation.advance(1100);
    expect((await all()).map(({ metadata }) => metadata.name)).not.toContain(second);
  });
});

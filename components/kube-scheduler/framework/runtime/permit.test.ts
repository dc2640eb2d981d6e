import { expect, it } from 'vitest';
import type { Pod } from '../../../../src/api/kinds/core-v1.ts';
import { createCluster } from '../../../../src/cluster/cluster.ts';
import { objectsAt } from '../../../../src/cluster/history.ts';
import type { Handle, Plugin } from '../interface.ts';
import { Status } from '../status.ts';

// Goal: Permit holds pods back with their place kept, until all may go together, somebody refuses them, or time is up.

const GANG = 'example.com/gang';
const sizeOf = ({ metadata }: Pod): number => Number(metadata.annotations?.[GANG] ?? 1);

/** All pods of a gang are bound at once, or none. */
class Gang implements Plugin {
  readonly name = 'Gang';
  readonly #handle: Handle;

  constructor(handle: Handle) {
    this.#handle = handle;
  }

  permit(_state: unknown, pod: Pod) {
    const others = this.#handle.waitingPods.list();
    if (others.length + 1 < sizeOf(pod)) return { status: new Status('Wait'), timeoutMs: 90_000 };
    for (const other of others) other.allow(this.name);
    return {};
  }
}

const node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n1' },
  spec: {},
  status: { allocatable: { cpu: '2', memory: '8Gi', pods: '9' } },
};

async function play(gang: number, count: number) {
  const cluster = await createCluster({
    nodes: 0,
    components: ['kube-scheduler'],
    snapshot: [node],
    schedulerPlugins: { Gang: (_args, handle) => new Gang(handle) },
    schedulerConfig: { profiles: [{ plugins: { permit: { enabled: [{ name: 'Gang' }] } } }] },
  });
  for (let i = 0; i < count; i++) {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `p${i}`, annotations: { [GANG]: String(gang) } },
      spec: { containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu: '1' } } }] },
    };
    await cluster.kubectl(['apply', '-f', 'pod.json'], { 'pod.json': JSON.stringify(pod) });
  }
  const pods = () => objectsAt(cluster).filter((object): object is Pod => object.kind === 'Pod');
  return { cluster, pods };
}

it('binds pods together', async () => {
  const { cluster, pods } = await play(2, 1);
  await cluster.advance(5000);
  expect(pods().map(({ spec, status }) => [spec?.nodeName, status?.conditions])).toEqual([[undefined, undefined]]);
  const { cluster: complete, pods: both } = await play(2, 2);
  await complete.advance(5000);
  expect(both().map(({ spec }) => spec?.nodeName)).toEqual(['n1', 'n1']);
});

it('gives the place back when time is up', async () => {
  const { cluster, pods } = await play(3, 3);
  await cluster.advance(80_000);
  // The third has no room while the others keep theirs.
  const messages = () => pods().map(({ status }) => status?.conditions?.find(({ type }) => type === 'PodScheduled')?.message);
  expect(messages()[2]).toContain('0/1 nodes are available: 1 Insufficient cpu.');
  await cluster.advance(11_000);
  expect(messages()).toContain('0/1 nodes are available: 1 rejected due to timeout after waiting 1m30s at plugin Gang.');
});

it('forgets a waiting pod that is deleted', async () => {
  const { cluster, pods } = await play(2, 1);
  await cluster.advance(1000);
  await cluster.kubectl(['delete', 'pod', 'p0', '--wait=false', '--grace-period=0', '--force']);
  await cluster.settle();
  expect(pods()).toEqual([]);
});

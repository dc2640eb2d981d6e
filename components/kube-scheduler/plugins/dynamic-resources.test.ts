import { expect, it } from 'vitest';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import type { ResourceClaim } from '../../../src/api/kinds/resource-v1.ts';
import { createCluster } from '../../../src/cluster/cluster.ts';
import { objectsAt } from '../../../src/cluster/history.ts';

// Goal: claims get devices as they ask for them, on the node that has them, and no device twice; what is decided is written down.

const device = (name: string, memory: number) => ({
  name,
  attributes: { memory: { int: memory }, 'example.com/model': { string: 'a100' } },
});
const slice = (node: string, devices: object[]) => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceSlice',
  metadata: { name: `${node}-gpus` },
  spec: { driver: 'gpu.example.com', nodeName: node, pool: { name: node, generation: 1, resourceSliceCount: 1 }, devices },
});
const CLASS = {
  apiVersion: 'resource.k8s.io/v1',
  kind: 'DeviceClass',
  metadata: { name: 'gpu' },
  spec: { selectors: [{ cel: { expression: "device.driver == 'gpu.example.com'" } }] },
};
const claim = (name: string, exactly: object) => ({
  apiVersion: 'resource.k8s.io/v1',
  kind: 'ResourceClaim',
  metadata: { name, namespace: 'default' },
  spec: { devices: { requests: [{ name: 'gpus', exactly: { deviceClassName: 'gpu', ...exactly } }] } },
});
const pod = (name: string, resourceClaimName: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: {
    containers: [{ name: 'c', image: 'nginx', resources: { claims: [{ name: 'g' }] } }],
    resourceClaims: [{ name: 'g', resourceClaimName }],
  },
});

async function play(claims: readonly object[], pods: readonly object[]) {
  const components = ['kube-scheduler'] as const;
  const nodes = ['n1', 'n2'].map((name) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name } },
    spec: {},
    status: { allocatable: { cpu: '8', memory: '8Gi', pods: '110' } },
  }));
  const slices = [slice('n1', [device('small', 10)]), slice('n2', [device('big-1', 80), device('big-2', 80), device('old', 10)])];
  const cluster = await createCluster({ nodes: 0, components, snapshot: [...nodes, ...slices, CLASS, ...(claims as ResourceClaim[])] });
  for (const one of pods) {
    const { stderr } = await cluster.kubectl(['apply', '-f', 'pod.json'], { 'pod.json': JSON.stringify(one) });
    expect(stderr).toEqual([]);
    await cluster.settle();
  }
  const objects = objectsAt(cluster);
  const find = <T>(kind: string, name: string): T => objects.find((object) => object.kind === kind && object.metadata.name === name) as T;
  return { pod: (name: string) => find<Pod>('Pod', name), claim: (name: string) => find<ResourceClaim>('ResourceClaim', name) };
}

it('allocates as many devices as asked for, with what selectors demand', async () => {
  const selectors = [
    { cel: { expression: "device.attributes['gpu.example.com'].memory > 20 && device.attributes['example.com'].model == 'a100'" } },
  ];
  const { pod: podOf, claim: claimOf } = await play([claim('two', { count: 2, selectors })], [pod('a', 'two'), pod('b', 'two')]);
  expect([podOf('a').spec?.nodeName, podOf('b').spec?.nodeName]).toEqual(['n2', 'n2']);
  const { metadata, status } = claimOf('two');
  expect(metadata.finalizers).toEqual(['resource.kubernetes.io/delete-protection']);
  expect(status?.allocation?.devices?.results).toEqual([
    { request: 'gpus', driver: 'gpu.example.com', pool: 'n2', device: 'big-1' },
    { request: 'gpus', driver: 'gpu.example.com', pool: 'n2', device: 'big-2' },
  ]);
  expect(status?.reservedFor?.map(({ name }) => name)).toEqual(['a', 'b']);
});

it('gives no device twice', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const { pod: podOf } = await play(
    names.map((name) => claim(name, {})),
    names.map((name) => pod(name, name)),
  );
  expect(names.filter((name) => podOf(name).spec?.nodeName)).toEqual(['a', 'b', 'c', 'd']);
  const condition = podOf('e').status?.conditions?.find(({ type }) => type === 'PodScheduled');
  expect(condition?.message).toContain('0/2 nodes are available: 2 cannot allocate all claims.');
});

it('falls back to the next alternative, which the result names', async () => {
  const firstAvailable = [
    { name: 'many', deviceClassName: 'gpu', count: 4 },
    { name: 'big', deviceClassName: 'gpu', selectors: [{ cel: { expression: "device.attributes['gpu.example.com'].memory > 20" } }] },
  ];
  const either = { ...claim('either', {}), spec: { devices: { requests: [{ name: 'gpus', firstAvailable }] } } };
  const { claim: claimOf } = await play([either], [pod('a', 'either')]);
  expect(claimOf('either').status?.allocation?.devices?.results).toEqual([
    { request: 'gpus/big', driver: 'gpu.example.com', pool: 'n2', device: 'big-1' },
  ]);
});

it('takes a claim back that nobody uses, where the pod cannot reach its devices', async () => {
  const here: ResourceClaim = {
    ...(claim('moved', {}) as ResourceClaim),
    status: {
      allocation: {
        devices: { results: [{ request: 'gpus', driver: 'gpu.example.com', pool: 'n1', device: 'small' }] },
        nodeSelector: { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }] },
      },
    },
  };
  const elsewhere = pod('a', 'moved');
  Object.assign(elsewhere.spec, { nodeSelector: { 'kubernetes.io/hostname': 'n2' } });
  const { pod: podOf, claim: claimOf } = await play([here], [elsewhere]);
  expect(podOf('a').spec?.nodeName).toBe('n2');
  expect(claimOf('moved').status?.allocation?.devices?.results?.[0]?.pool).toBe('n2');
});

it('stops pods whose selectors cannot be evaluated', async () => {
  const selectors = [{ cel: { expression: "device.attributes['gpu.example.com'].colour == 'red'" } }];
  const { pod: podOf } = await play([claim('odd', { selectors })], [pod('a', 'odd')]);
  expect(podOf('a').status?.conditions?.find(({ type }) => type === 'PodScheduled')).toMatchObject({
    reason: 'SchedulerError',
    message: 'running "DynamicResources" filter plugin: claim default/odd: selector #0: CEL runtime error: no such key: colour',
  });
});

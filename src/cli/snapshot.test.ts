import { expect, it } from 'vitest';
import { createCluster } from '../cluster/cluster.ts';
import { objectsAt } from '../cluster/history.ts';
import { checkForSnapshot, readSnapshot, snapshotAnswers } from './snapshot.ts';
import { UsageError } from './usage-error.ts';

// Goal: what kubectl printed of a real cluster answers where a pod would go, offline and without changing anything that was not asked.

const node = (name: string, cpu: string, extra = '') => `- apiVersion: v1
  kind: Node
  metadata: {name: ${name}, uid: uid-${name}, resourceVersion: "77", creationTimestamp: "2026-03-01T10:00:00Z"}
  spec: {${extra}}
  status: {allocatable: {cpu: "${cpu}", memory: 8Gi, pods: "110"}}
`;
const LIST = `apiVersion: v1
kind: List
items:
${node('small', '1')}${node('large', '4')}${node('tainted', '64', 'taints: [{key: gpu, effect: NoSchedule}]')}- apiVersion: v1
  kind: Pod
  metadata: {name: there, namespace: shop, uid: uid-there, managedFields: [{manager: kubectl}]}
  spec: {nodeName: large, schedulerName: default-scheduler, containers: [{name: c, resources: {requests: {cpu: "2"}}}]}
  status: {phase: Running}
- apiVersion: example.com/v1
  kind: Widget
  metadata: {name: w}
`;
const POD =
  'apiVersion: v1\nkind: Pod\nmetadata: {name: new}\nspec: {containers: [{name: c, image: nginx, resources: {requests: {cpu: "2"}}}]}\n';

it('tells where a pod would go, and why not elsewhere', async () => {
  const left: string[] = [];
  const config = readSnapshot(LIST, 'cluster.yaml', (kinds) => left.push(...kinds));
  expect(left).toEqual(['Widget (example.com/v1)']);
  const cluster = await createCluster(config);
  await cluster.kubectl(['apply', '-f', 'pod.yaml'], { 'pod.yaml': POD });
  await cluster.settle();
  const answer = snapshotAnswers(cluster).join('\n');
  expect(answer).toContain('goes to large\n');
  expect(answer).toContain('  small    NodeResourcesFit  Insufficient cpu\n');
  expect(answer).toContain('  tainted  TaintToleration   node(s) had untolerated taint(s)\n');
  const imported = objectsAt(cluster).find(({ metadata }) => metadata.name === 'there');
  expect(imported).toMatchObject({ metadata: { uid: 'uid-there', namespace: 'shop' }, status: { phase: 'Running' } });
  expect(imported?.metadata.managedFields).toBe(undefined);
});

it('takes JSON, and lists of one kind as the API gives them', () => {
  const nodes = { apiVersion: 'v1', kind: 'NodeList', items: [{ metadata: { name: 'n1' }, status: { allocatable: { cpu: '1' } } }] };
  const { snapshot } = readSnapshot(JSON.stringify(nodes), 'nodes.json', () => {});
  expect(snapshot).toEqual([{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' }, status: { allocatable: { cpu: '1' } } }]);
});

it('counts volumes, budgets and priorities as they are', async () => {
  const items = [
    {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'n1' },
      spec: {},
      status: { allocatable: { cpu: '2', memory: '8Gi', pods: '110' } },
    },
    {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'n2' },
      spec: {},
      status: { allocatable: { cpu: '2', memory: '8Gi', pods: '110' } },
    },
    {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'high' },
      value: 1000,
      preemptionPolicy: 'PreemptLowerPriority',
    },
    {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'guard', namespace: 'default' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'guarded' } } },
      status: { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
    },
    ...['guarded', 'free'].map((app, i) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: app, namespace: 'default', uid: app, labels: { app } },
      spec: {
        nodeName: `n${i + 1}`,
        schedulerName: 'default-scheduler',
        priority: 0,
        containers: [{ name: 'c', resources: { requests: { cpu: '2' } } }],
      },
      status: { phase: 'Running', startTime: '2026-03-01T10:00:00Z' },
    })),
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'pv' },
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        claimRef: { namespace: 'default', name: 'data' },
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n1'] }] }] } },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data', namespace: 'default', annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
      spec: { volumeName: 'pv' },
      status: { phase: 'Bound' },
    },
  ];
  const answer = async (spec: object): Promise<string> => {
    const cluster = await createCluster(readSnapshot(JSON.stringify({ apiVersion: 'v1', kind: 'List', items }), 'c.json', () => {}));
    const container = { name: 'c', image: 'nginx', resources: { requests: { cpu: '1' } } };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'new' }, spec: { containers: [container], ...spec } };
    await cluster.kubectl(['apply', '-f', 'pod.json'], { 'pod.json': JSON.stringify(pod) });
    await cluster.settle();
    return snapshotAnswers(cluster).join('\n');
  };
  const urgent = await answer({ priorityClassName: 'high' });
  expect(urgent).toContain('default/free');
  expect(urgent).not.toContain('default/guarded');
  const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }];
  expect(await answer({ volumes, containers: [{ name: 'c', image: 'nginx' }] })).toContain(
    "node(s) didn't match PersistentVolume's node affinity",
  );
});

it('says so when no pod waits', async () => {
  const cluster = await createCluster(readSnapshot(LIST, 'cluster.yaml', () => {}));
  expect(snapshotAnswers(cluster)).toEqual(['', 'No pod waits for a node. Give one with -f.']);
});

it('refuses what would have no effect', () => {
  expect(() => readSnapshot(POD, 'pod.yaml', () => {})).toThrow(UsageError);
  expect(() => checkForSnapshot('apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n', 'web.yaml')).toThrow(
    'web.yaml:1: with --snapshot only a scheduler runs, so nobody makes Pods of a Deployment; give a Pod',
  );
});

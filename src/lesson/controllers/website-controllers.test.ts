import { expect, test } from 'vitest';
import { LessonRun } from '../lesson-run.ts';
import { parseLesson } from '../read-lesson.ts';

const CRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: websites.example.com }
spec:
  group: example.com
  names: { kind: Website, listKind: WebsiteList, plural: websites, singular: website }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      subresources: { status: {} }
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;
const QUOTA = `
apiVersion: v1
kind: ResourceQuota
metadata: { name: none }
spec: { hard: { count/deployments.apps: '0' } }
`;
const SHOP = `
apiVersion: example.com/v1
kind: Website
metadata: { name: shop }
spec: { replicas: 2 }
`;
const START = { seq: 0, revision: 1, time: 0, commands: 0 };
const PATCH = JSON.stringify(`patch website shop --type=merge -p '{"spec":{"replicas":3}}'`);

/** Plays these steps, each a line of YAML, in a cluster with that release. */
async function runOf(controller: string, setup: readonly string[]): Promise<LessonRun> {
  const files: Record<string, string> = { 'crd.yaml': CRD, 'quota.yaml': QUOTA, 'shop.yaml': SHOP };
  const lines = setup.map((step) => `\n    - ${step}`).join('');
  const lesson = parseLesson(
    `
apiVersion: lesson/v1
id: websites
minutes: 1
cluster:
  nodes: 1
  settle: false
  customControllers: [${controller}]
  apply: [crd.yaml]
  setup:
    - wait: 1m${lines}
steps: [{ id: x, narrate: {} }]
`,
    'lesson.yaml',
    (name) => files[name],
  );
  return LessonRun.start(lesson.cluster);
}

function website(run: LessonRun, path: string, eq: unknown): boolean {
  return run.judge({ check: 'object', of: { kind: 'Website', name: 'shop' }, path, is: { eq } }, START).ok;
}

function replicas(run: LessonRun, eq: number): boolean {
  return run.judge({ check: 'object', of: { kind: 'Deployment', name: 'shop' }, path: 'spec.replicas', is: { eq } }, START).ok;
}

test('the first release answers its own writes', async () => {
  const run = await runOf('website-v1', ['apply: shop.yaml', 'wait: 500ms']);
  const writes = run.cluster.simulation.trace.entries.filter((entry) => entry.kind === 'write' && entry.user.endsWith(':website-v1'));
  expect(writes.length).toBeGreaterThan(30);
});

test('the second release takes what has a phase for done', async () => {
  const run = await runOf('website-v2', ['apply: shop.yaml', 'wait: settled', `kubectl: ${PATCH}`, 'wait: settled']);
  expect([replicas(run, 2), website(run, 'status', { phase: 'Ready' })]).toEqual([true, true]);
});

test('the third release follows, and says which generation it speaks of', async () => {
  const run = await runOf('website-v3', ['apply: shop.yaml', 'wait: settled', `kubectl: ${PATCH}`, 'wait: settled']);
  expect([replicas(run, 3), website(run, 'status.observedGeneration', 2), website(run, 'status.phase', 'Ready')]).toEqual([
    true,
    true,
    true,
  ]);
});

test('the third release says why it cannot go on, and goes on when it can', async () => {
  const refused = await runOf('website-v3', ['apply: quota.yaml', 'wait: settled', 'apply: shop.yaml', 'wait: 1m']);
  expect(website(refused, 'status.conditions[type=Ready].reason', 'DeploymentRefused')).toBe(true);
  await refused.cluster.kubectl(['delete', 'resourcequota', 'none']);
  await refused.cluster.advance(120_000);
  expect(website(refused, 'status.conditions[type=Ready].status', 'True')).toBe(true);
});

import { type ApiextensionsV1, resources } from 'bottleship';
import { createTestCluster, type Finding, OperatorLint, type TestCluster } from 'bottleship/testing';
import { describe, expect, it } from 'vitest';
import { badOperator, widgets } from './bad-operator.ts';

const definition: ApiextensionsV1.CustomResourceDefinition = {
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    names: { kind: 'Widget', plural: 'widgets' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
};

async function runBadOperator(act: (cluster: TestCluster) => Promise<void> = async () => {}): Promise<Finding[]> {
  const lint = new OperatorLint();
  const cluster = await createTestCluster({ nodes: 1, audit: lint.audit });
  await cluster.create(resources.customresourcedefinitions, definition);
  await cluster.settle();
  cluster.runController(badOperator);
  await act(cluster);
  await cluster.create(widgets, { metadata: { name: 'a' }, spec: { size: 1 } });
  // It never comes to rest.
  await cluster.advance(500);
  return lint.findings(cluster);
}

describe('a bad operator', () => {
  it('is found out: each finding names rule, evidence and remedy', async () => {
    const findings = await runBadOperator();
    expect(findings.map(({ rule, operator, message }) => `${operator}: ${rule}: ${message}`)).toEqual([
      expect.stringMatching(/^bad-operator: hot-loop: wrote Widget default\/a 10 times in \d+ ms/),
      expect.stringMatching(/^bad-operator: hot-loop: bad-operator looked at default\/a 50 times/),
      'bad-operator: missing-observed-generation: wrote the status of Widget default/a without observedGeneration, in it or in a condition',
      'bad-operator: status-through-main-resource: sent a changed status with the update of Widget default/a itself; it was dropped without a word',
      'bad-operator: secrets-cluster-wide: reads the secrets of all namespaces (list, watch)',
    ]);
    for (const { evidence, remedy } of findings) {
      expect(evidence.length).toBeGreaterThan(0);
      expect(remedy).not.toBe('');
    }
  });

  it('shows the conflict that it keeps to itself, when somebody else writes in between', async () => {
    const lint = new OperatorLint();
    const cluster = await createTestCluster({ nodes: 1, audit: lint.audit });
    await cluster.create(resources.customresourcedefinitions, definition);
    cluster.runController(badOperator);
    await cluster.settle();
    cluster.failNext('bad-operator', { verb: 'update', resource: widgets, status: 409 });
    cluster.delayWatch('bad-operator', 1_000);
    await cluster.create(widgets, { metadata: { name: 'a' }, spec: { size: 1 } });
    await cluster.advance(1_500);
    expect(lint.findings(cluster).map(({ rule }) => rule)).toContain('conflict-ignored');
  });
});

it('finds nothing wrong with the operator of databases', async () => {
  const lint = new OperatorLint();
  const cluster = await createTestCluster({ nodes: 1, addons: { 'database-operator': { replicas: 2 } }, audit: lint.audit });
  await cluster.apply(
    JSON.stringify({
      apiVersion: 'example.com/v1',
      kind: 'Database',
      metadata: { name: 'orders' },
      spec: { engine: 'postgresql', version: '16', storageSize: '1Gi', replicas: 3 },
    }),
  );
  await cluster.settle();
  await cluster.advance(120_000);
  expect(lint.findings(cluster)).toEqual([]);
});

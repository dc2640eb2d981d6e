import { expect, test } from 'vitest';
import { formatSelector } from '../../../src/api/format-selector.ts';
import type { PodDisruptionBudgetSpec, PodDisruptionBudgetStatus } from '../../../src/api/kinds/policy-v1.ts';
import { events, poddisruptionbudgets, pods, replicasets } from '../../../src/api/resources.ts';
import type { Client } from '../../../src/client/client.ts';
import { ControlPlane } from '../../../test/support/control-plane.ts';

const READY = [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }];

async function readyPods(client: Client, names: readonly string[], owner?: { name: string; uid: string }): Promise<void> {
  for (const name of names) {
    const ownerReferences = owner ? [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', controller: true, ...owner }] : [];
    const metadata = { namespace: 'default', name, labels: { app: 'web' }, ownerReferences };
    await client.resource(pods).create({ metadata, spec: { containers: [{ name: 'c', image: 'nginx' }] } });
    const status = { phase: 'Running', conditions: READY };
    await client.resource(pods).patch({ namespace: 'default', name }, { status }, { type: 'strategic', subresource: 'status' });
  }
}

async function budget(plane: ControlPlane, spec: Partial<PodDisruptionBudgetSpec>): Promise<PodDisruptionBudgetStatus | undefined> {
  const selector = { matchLabels: { app: 'web' } };
  await plane.act((client) =>
    client.resource(poddisruptionbudgets).create({ metadata: { namespace: 'default', name: 'web' }, spec: { selector, ...spec } }),
  );
  await plane.simulation.settle();
  return (await plane.act((client) => client.resource(poddisruptionbudgets).get({ namespace: 'default', name: 'web' }))).status;
}

const newPlane = (): ControlPlane => new ControlPlane(['disruption-controller', 'serviceaccount-controller']);

test('minAvailable as a number counts the pods that are there', async () => {
  const plane = newPlane();
  await plane.simulation.settle();
  await plane.act((client) => readyPods(client, ['a', 'b']));
  expect(await budget(plane, { minAvailable: 1 })).toMatchObject({
    expectedPods: 2,
    currentHealthy: 2,
    desiredHealthy: 1,
    disruptionsAllowed: 1,
  });
});

test('maxUnavailable is a share of the scale of the controller, rounded up', async () => {
  const plane = newPlane();
  await plane.simulation.settle();
  await plane.act(async (client) => {
    const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'c', image: 'nginx' }] } };
    const spec = { replicas: 3, selector: { matchLabels: { app: 'web' } }, template };
    const { metadata } = await client.resource(replicasets).create({ metadata: { namespace: 'default', name: 'web' }, spec });
    await readyPods(client, ['a', 'b', 'c'], { name: 'web', uid: metadata.uid ?? '' });
  });
  expect(await budget(plane, { maxUnavailable: '50%' })).toMatchObject({ expectedPods: 3, desiredHealthy: 1, disruptionsAllowed: 2 });
});

test('pods without a controller cannot be counted in percent; an event says so', async () => {
  const plane = newPlane();
  await plane.simulation.settle();
  await plane.act((client) => readyPods(client, ['a']));
  expect(await budget(plane, { maxUnavailable: '50%' })).toMatchObject({ expectedPods: 0, currentHealthy: 1, disruptionsAllowed: 0 });
  const { items } = await plane.act((client) => client.resource(events).list({ namespace: 'default' }));
  expect(items.map(({ reason }) => reason)).toContain('UnmanagedPods');
});

test('a selector is printed as Go prints it', () => {
  const matchExpressions = [{ key: 'tier', operator: 'In', values: ['a', 'b'] }];
  expect(formatSelector({ matchLabels: { app: 'web', a: 'b' }, matchExpressions })).toBe(
    '&LabelSelector{MatchLabels:map[string]string{a: b,app: web,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:tier,Operator:In,Values:[a b],},},}',
  );
});

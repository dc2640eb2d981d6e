import { expect, test } from 'vitest';
import { clusterroles } from '../../../src/api/resources.ts';
import { ControlPlane } from '../../../test/support/control-plane.ts';

const rule = (resource: string): { apiGroups: string[]; resources: string[]; verbs: string[] } => ({
  apiGroups: ['example.com'],
  resources: [resource],
  verbs: ['get'],
});

test('a role has the rules of those that it selects, in the order of their names, each once', async () => {
  const plane = new ControlPlane(['clusterrole-aggregation-controller']);
  await plane.simulation.settle();
  await plane.act(async (client) => {
    const roles = client.resource(clusterroles);
    const labels = { part: 'of-all' };
    await roles.create({ metadata: { name: 'b', labels }, rules: [rule('boats'), rule('apples')] });
    await roles.create({ metadata: { name: 'a', labels }, rules: [rule('apples')] });
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: labels }] };
    await roles.create({ metadata: { name: 'all' }, aggregationRule, rules: [rule('by-hand')] });
  });
  await plane.simulation.settle();
  const all = await plane.act((client) => client.resource(clusterroles).get({ name: 'all' }));
  expect(all.rules).toEqual([rule('apples'), rule('boats')]);
});

test('the roles for people are filled through one another', async () => {
  const plane = new ControlPlane(['clusterrole-aggregation-controller']);
  await plane.simulation.settle();
  const [view, edit, admin] = await plane.act((client) =>
    Promise.all(['view', 'edit', 'admin'].map((name) => client.resource(clusterroles).get({ name }))),
  );
  expect(edit?.rules).toEqual(expect.arrayContaining([...(view?.rules ?? [])]));
  expect(admin?.rules?.length).toBeGreaterThan(edit?.rules?.length ?? 0);
  expect(view?.rules?.length).toBeGreaterThan(0);
});

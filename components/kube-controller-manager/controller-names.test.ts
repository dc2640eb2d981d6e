import { expect, it } from 'vitest';
import { serviceaccounts } from '../../src/api/resources.ts';
import { ControlPlane } from '../../test/support/control-plane.ts';
import { ALIASES, problemWithControllers } from './controller-names.ts';
import { CONTROLLERS } from './controllers.ts';

it('has older names for controllers that there are', () => {
  expect(problemWithControllers(Object.values(ALIASES))).toBeUndefined();
});

it('knows every controller that there is, those that kubeadm turns on, and no others', () => {
  expect(problemWithControllers(['*', ...CONTROLLERS.keys(), 'bootstrapsigner', 'tokencleaner', '-service'])).toBeUndefined();
  expect(problemWithControllers(['*', '-nodelifecicle'])).toBe('"nodelifecicle" is not in the list of known controllers');
});

it('runs a controller that is called by its older name', async () => {
  const plane = new ControlPlane(['serviceaccount']);
  await plane.simulation.settle();
  const { items } = await plane.act((client) => client.resource(serviceaccounts).list({ namespace: 'default' }));
  expect(items.map(({ metadata }) => metadata.name)).toEqual(['default']);
});

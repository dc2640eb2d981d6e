import { expect, it } from 'vitest';
import { clientTest } from '../../test/support/stand-in-apiserver.ts';
import type { Lease } from '../api/kinds/coordination-v1.ts';
import { configmaps, secrets } from '../api/resources.ts';
import { defineController, owning } from './controller-runtime.ts';
import { createOrUpdate } from './create-or-update.ts';
import { defineManager, type ManagerDefinition } from './manager.ts';
import { labelsChanged } from './predicates.ts';

const object = (namespace: string, name: string, more: object = {}) => ({ metadata: { namespace, name, ...more } });

/** Runs a manager of two controllers, one of ConfigMaps and one of Secrets, over a stand-in apiserver. */
function managerTest(definition: Partial<ManagerDefinition> = {}) {
  const seen: string[] = [];
  const looking = (name: string, resource: typeof configmaps | typeof secrets) =>
    defineController({
      name,
      for: resource,
      reconcile: async (request) => {
        seen.push(`${name} ${request.namespace}/${request.name}`);
      },
    });
  const manager = defineManager({ name: 'manager', controllers: [looking('maps', configmaps), looking('keys', secrets)], ...definition });
  return { seen, ...clientTest(({ actor, client }) => manager.start({ actor, client })) };
}

it('runs several controllers over the same caches, limited to a namespace', async () => {
  const { api, seen, simulation } = managerTest({ namespace: 'mine' });
  for (const namespace of ['mine', 'other']) {
    api.put('configmaps', object(namespace, 'a'));
    api.put('secrets', object(namespace, 'b'));
  }
  await simulation.settle();
  expect(api.requests.filter(({ info }) => info.verb === 'list').map(({ info }) => `${info.resource} in ${info.namespace}`)).toEqual([
    'configmaps in mine',
    'secrets in mine',
  ]);
  expect(seen).toContain('maps mine/a');
});

it('works only while it leads, and gives the Lease back when it is asked to end', async () => {
  const leaderElection = { id: 'manager.example.com', namespace: 'default', releaseOnCancel: true };
  const { api, actor, seen, simulation } = managerTest({ leaderElection });
  const lease = () => api.get<Lease>('leases', 'default/manager.example.com')?.spec;
  api.put('configmaps', object('default', 'a'));
  await simulation.settle();
  expect(seen).toEqual(['maps default/a']);
  expect(lease()?.holderIdentity).toMatch(new RegExp(`^${actor.name}_[0-9a-f-]{36}$`));
  actor.terminate();
  await simulation.settle();
  expect([actor.state, lease()?.holderIdentity, lease()?.leaseDurationSeconds]).toEqual(['crashed', '', 1]);
});

it('leaves out changes of what it owns that a predicate refuses; createOrUpdate can read from the cache', async () => {
  let looks = 0;
  const controller = defineController({
    name: 'owner',
    for: configmaps,
    owns: [owning(secrets, labelsChanged)],
    reconcile: async (request, { client, reader }) => {
      looks++;
      await createOrUpdate({ client, reader, resource: secrets, wanted: { metadata: { ...request } } }, (draft) => {
        draft.data = { key: 'dmFsdWU=' };
      });
    },
  });
  const { api, simulation } = clientTest(({ actor, client }) => controller.start({ actor, client }));
  api.put('configmaps', object('default', 'a'));
  await simulation.settle();
  expect(looks).toBe(1);
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'u', controller: true };
  api.put('secrets', object('default', 'a', { ownerReferences: [owner] }));
  await simulation.settle();
  expect(looks).toBe(1);
  api.put('secrets', object('default', 'a', { ownerReferences: [owner], labels: { changed: 'yes' } }));
  await simulation.settle();
  expect(looks).toBe(2);
  expect(api.log.filter((line) => line.startsWith('get'))).toEqual([]);
});

import { describe, expect, it } from 'vitest';
import { clientTest } from '../../test/support/stand-in-apiserver.ts';
import type { ConfigMap, Event, Secret } from '../api/kinds/core-v1.ts';
import { configmaps, secrets } from '../api/resources.ts';
import { setControllerReference } from './controller-reference.ts';
import { type ControllerDefinition, defineController, runUserController, watching } from './controller-runtime.ts';
import { createOrUpdate } from './create-or-update.ts';
import { TerminalError } from './terminal-error.ts';

const map = (name: string, data: Record<string, string> = {}): ConfigMap => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data,
});

/** Runs a controller of ConfigMaps over a stand-in apiserver. */
function controllerTest(definition: Omit<ControllerDefinition<ConfigMap>, 'name' | 'for'>) {
  const controller = defineController({ name: 'mapper', for: configmaps, ...definition });
  return clientTest(({ actor, client }) => runUserController(controller, { actor, client }));
}

it('reconciles what is there at the start and what changes, by name only', async () => {
  const seen: unknown[] = [];
  const { api, simulation } = controllerTest({
    reconcile: async (request, { reader }) => {
      seen.push([request, (await reader.get(configmaps, request))?.data]);
    },
  });
  api.put('configmaps', map('a', { x: '1' }));
  await simulation.settle();
  api.put('configmaps', map('a', { x: '2' }));
  api.put('configmaps', map('a', { x: '3' }));
  await simulation.settle();
  api.remove('configmaps', 'default/a');
  await simulation.settle();
  const request = { namespace: 'default', name: 'a' };
  expect(seen).toEqual([
    [request, { x: '1' }],
    [request, { x: '3' }],
    [request, undefined],
  ]);
});

it('brings what it owns back', async () => {
  const { api, simulation } = controllerTest({
    owns: [secrets],
    reconcile: async (request, { client, reader }) => {
      const owner = await reader.get(configmaps, request);
      if (!owner) return;
      await createOrUpdate({ client, resource: secrets, wanted: { metadata: { ...request } } }, (draft) => {
        draft.stringData = { ...owner.data };
        setControllerReference(owner, draft);
      });
    },
  });
  api.put('configmaps', map('a', { x: '1' }));
  await simulation.settle();
  const secret = () => api.get<Secret>('secrets', 'default/a');
  expect(secret()).toMatchObject({
    kind: 'Secret',
    stringData: { x: '1' },
    metadata: { ownerReferences: [{ kind: 'ConfigMap', name: 'a', controller: true, blockOwnerDeletion: true }] },
  });
  api.remove('secrets', 'default/a');
  await simulation.settle();
  expect(secret()).toMatchObject({ stringData: { x: '1' } });
  const writes = api.log.filter((line) => line.startsWith('update'));
  expect(writes).toEqual([]);
});

it('looks at what a watched object is mapped to', async () => {
  const seen: string[] = [];
  const { api, simulation } = controllerTest({
    watches: [
      watching(secrets, ({ metadata }) => [{ namespace: 'default', name: `of-${metadata.name}` }]),
      watching(secrets, async () => [{ name: 'async' }]),
    ],
    reconcile: async ({ name }) => {
      seen.push(name);
    },
  });
  await simulation.settle();
  api.put('secrets', { metadata: { name: 's', namespace: 'default' } });
  await simulation.settle();
  expect(seen).toEqual(['of-s', 'async']);
});

it('leaves out changes that `when` refuses', async () => {
  const seen: string[] = [];
  const { api, simulation } = controllerTest({
    when: (after, before) => after.data?.x !== before?.data?.x,
    reconcile: async ({ name }) => {
      seen.push(name);
    },
  });
  api.put('configmaps', map('a', { x: '1' }));
  await simulation.settle();
  api.put('configmaps', map('a', { x: '1', y: '2' }));
  await simulation.settle();
  expect(seen).toEqual(['a']);
});

describe('what reconcile answers', () => {
  const times = async (reconcile: (tries: number) => Promise<{ requeueAfterMs: number; background?: boolean } | undefined>) => {
    const at: number[] = [];
    const test = controllerTest({
      reconcile: () => {
        at.push(test.simulation.now);
        return reconcile(at.length);
      },
    });
    test.api.put('configmaps', map('a'));
    await test.simulation.settle();
    return { gaps: at.map((time) => time - (at[0] ?? 0)), simulation: test.simulation };
  };

  it('requeueAfterMs: again after that time', async () => {
    expect((await times(async (tries) => (tries < 3 ? { requeueAfterMs: 1_000 } : undefined))).gaps).toEqual([0, 1_000, 2_000]);
  });

  it('background: settled without it', async () => {
    const { gaps, simulation } = await times(async () => ({ requeueAfterMs: 60_000, background: true }));
    expect(gaps).toEqual([0]);
    await simulation.advance(120_000);
  });

  it('an error: again, later each time', async () => {
    const { gaps } = await times(async (tries) => {
      if (tries < 5) throw new Error('not yet');
      return undefined;
    });
    expect(gaps).toEqual([0, 5, 15, 35, 75]);
  });

  it('a TerminalError: not again', async () => {
    const { gaps } = await times(async () => {
      throw new TerminalError('never');
    });
    expect(gaps).toEqual([0]);
  });
});

it('reports by events, and is started anew after a crash', async () => {
  const { api, actor, simulation } = controllerTest({
    reconcile: async (request, { reader, recorder }) => {
      const object = await reader.get(configmaps, request);
      if (object) recorder.event(object, 'Normal', 'Seen', 'was here');
    },
  });
  api.put('configmaps', map('a'));
  await simulation.settle();
  actor.crash();
  api.put('configmaps', map('b'));
  actor.start();
  await simulation.settle();
  const events = api.all<Event>('events').map(({ involvedObject, source }) => `${source?.component}: ${involvedObject.name}`);
  expect(events).toEqual(['mapper: a', 'mapper: a', 'mapper: b']);
});

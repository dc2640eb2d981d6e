import { beforeEach, expect, test } from 'vitest';
import { TestApiserver } from '../../../test/support/apiserver.ts';

const AT = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
let api: TestApiserver;

const definition = (plural: string, shortName: string): object => ({
  metadata: { name: `${plural}.example.com` },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural, kind: 'Widget', singular: plural, shortNames: [shortName] },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
});

/** The reasons in the conditions of a definition, and its short names, when nothing is left to do. */
async function stateOf(plural: string): Promise<unknown> {
  await api.simulation.settle();
  const { status } = (await api.send(`GET ${AT}/${plural}.example.com`)).body;
  return [...status.conditions.map(({ reason }: { reason: string }) => reason), ...(status.acceptedNames.shortNames ?? [])];
}

beforeEach(async () => {
  api = new TestApiserver();
  await api.send(`POST ${AT}`, definition('widgets', 'w'));
  await api.simulation.settle();
  await api.send(`POST ${AT}`, definition('gadgets', 'w'));
});

test('names that another definition has are refused', async () => {
  expect(await stateOf('gadgets')).toEqual(['ListKindConflict', 'NotAccepted']);
});

test('a name that another definition gives up is taken', async () => {
  await stateOf('gadgets');
  await api.send(`PATCH ${AT}/widgets.example.com`, { spec: { names: { shortNames: ['x'] } } });
  expect(await stateOf('gadgets')).toEqual(['ListKindConflict', 'NotAccepted', 'w']);
});

test('the names of a definition that is gone are free', async () => {
  await stateOf('gadgets');
  await api.send(`DELETE ${AT}/widgets.example.com`);
  expect(await stateOf('gadgets')).toEqual(['NoConflicts', 'InitialNamesAccepted', 'w']);
  expect((await api.send('GET /apis/example.com/v1/gadgets')).code).toBe(200);
});

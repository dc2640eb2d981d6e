import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decode } from '../../../src/api/decode.ts';
import { encodeObject } from '../../../src/api/encode.ts';
import type { ConfigMap } from '../../../src/api/kinds/core-v1.ts';
import type { ManagedFieldsEntry } from '../../../src/api/kinds/meta-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { configmaps } from '../../../src/api/resources.ts';
import { type ObjectSchema, schemaOfKind } from '../../../src/api/schema.ts';
import { typeOfKind } from '../../../src/api/structured-merge-diff/built-in-schema.ts';
import { compareValues } from '../../../src/api/structured-merge-diff/compare.ts';
import { toFieldsV1 } from '../../../src/api/structured-merge-diff/fields-v1.ts';
import type { Client } from '../../../src/client/client.ts';
import { createCluster } from '../../../src/cluster/cluster.ts';
import { RandomObjects } from '../registry/random-objects.ts';

const PLACE = { namespace: 'default', name: 'a' };

async function withClient<T>(program: (client: Client) => Promise<T>): Promise<T> {
  const cluster = await createCluster({ nodes: [], trace: 'off' });
  return cluster.call(program);
}

const newConfigMap = (data: Record<string, string>): ConfigMap => ({ metadata: PLACE, data });

test('managedFields are there for who asks for them, and copies leave them as they are', async () => {
  await withClient(async (client) => {
    const api = client.resource(configmaps);
    const created = await api.create(newConfigMap({ a: '1' }), { fieldManager: 'maker' });
    expect(created.metadata.managedFields).toMatchObject([
      { manager: 'maker', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: { 'f:data': { '.': {}, 'f:a': {} } } },
    ]);
    expect(Object.keys({ ...created.metadata })).not.toContain('managedFields');
    const updated = await api.update({ ...created, data: { a: '1', b: '2' } }, { fieldManager: 'other' });
    expect(updated.metadata.managedFields?.map(({ manager }) => manager)).toEqual(['maker', 'other']);
    expect(await api.update(updated)).toBe(updated);
  });
});

type Step = { readonly how: 'merge' | 'apply' | 'put'; readonly manager: string; readonly data: Record<string, string> };

const steps = fc.array(
  fc.record<Step>({
    how: fc.constantFrom('merge', 'apply', 'put'),
    manager: fc.constantFrom('alice', 'bob', 'carol'),
    data: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2')),
  }),
  { maxLength: 12 },
);

async function play(client: Client, taken: readonly Step[], look: boolean): Promise<readonly ManagedFieldsEntry[] | undefined> {
  const api = client.resource(configmaps);
  let object = await api.create(newConfigMap({ a: '0' }));
  for (const { how, manager, data } of taken) {
    if (how === 'put') object = await api.update({ ...object, data }, { fieldManager: manager });
    else if (how === 'merge') object = await api.patch(PLACE, { data }, { type: 'merge', fieldManager: manager });
    else {
      const config = { apiVersion: 'v1', kind: 'ConfigMap', metadata: PLACE, data };
      object = await api.patch(PLACE, config, { type: 'apply', fieldManager: manager, force: true });
    }
    if (look) void object.metadata.managedFields;
  }
  const { managedFields } = object.metadata;
  await api.delete(PLACE);
  return managedFields;
}

test('it makes no difference when somebody looks', async () => {
  await withClient((client) =>
    fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        const times = (entries: readonly ManagedFieldsEntry[] | undefined) => entries?.map(({ time: _, ...entry }) => entry);
        expect(times(await play(client, taken, false))).toEqual(times(await play(client, taken, true)));
      }),
      { numRuns: 30 },
    ),
  );
});

test('nothing is lost when the store forgets older versions', async () => {
  const owners = async (compacts: boolean): Promise<readonly ManagedFieldsEntry[] | undefined> => {
    const cluster = await createCluster({ nodes: [], trace: 'off' });
    return cluster.call(async (client) => {
      const api = client.resource(configmaps);
      let object = await api.create(newConfigMap({ a: '0' }), { fieldManager: 'm0' });
      for (let round = 1; round < 150; round++) {
        object = await api.patch(PLACE, { data: { [`k${round % 7}`]: String(round) } }, { type: 'merge', fieldManager: `m${round % 5}` });
        if (compacts) cluster.etcd.compact(cluster.etcd.revision);
      }
      return object.metadata.managedFields;
    });
  };
  const kept = await owners(false);
  expect(kept?.length).toBeGreaterThan(3);
  expect(await owners(true)).toEqual(kept);
});

test.each([
  ['v1', 'Pod'],
  ['v1', 'Service'],
  ['v1', 'Node'],
  ['apps/v1', 'Deployment'],
  ['batch/v1', 'CronJob'],
  ['networking.k8s.io/v1', 'Ingress'],
  ['autoscaling/v2', 'HorizontalPodAutoscaler'],
])('%s %s: objects are compared as they are on the wire', (apiVersion, kind) => {
  const schema = schemaOfKind(apiVersion, kind) as ObjectSchema;
  const type = typeOfKind(apiVersion, kind) ?? {};
  const compared = (before: unknown, after: unknown): unknown => {
    const { added, modified, removed } = compareValues(before, after, type);
    return [added, modified, removed].map(toFieldsV1);
  };
  for (let round = 0; round < 40; round++) {
    const random = new RandomObjects(`${kind}-${round}`);
    const read = (): KubernetesObject => decode<KubernetesObject>({ ...random.object(schema), apiVersion, kind }, schema).object;
    const [before, after] = [read(), read()];
    expect(compared(before, after)).toEqual(compared(encodeObject(before), encodeObject(after)));
  }
});

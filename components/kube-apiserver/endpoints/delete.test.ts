import { expect, test } from 'vitest';
import { TestApiserver } from '../../../test/support/apiserver.ts';

const MAPS = '/api/v1/namespaces/default/configmaps';
const PODS = '/api/v1/namespaces/default/pods';

async function withPod(nodeName: string): Promise<TestApiserver> {
  const api = new TestApiserver({ disableAdmissionPlugins: ['ServiceAccount'] });
  await api.send(`POST ${PODS}`, {
    metadata: { name: 'p' },
    spec: { ...(nodeName ? { nodeName } : {}), containers: [{ name: 'c', image: 'i' }] },
  });
  return api;
}

test('a pod on a node gets its grace, which a later delete can only shorten', async () => {
  const api = await withPod('n1');
  const first = (await api.send(`DELETE ${PODS}/p`)).body.metadata;
  expect([first.deletionGracePeriodSeconds, first.generation]).toEqual([30, 2]);
  expect((await api.send(`DELETE ${PODS}/p`, { gracePeriodSeconds: 60 })).body.metadata).toEqual(first);
  expect((await api.send(`DELETE ${PODS}/p`, { gracePeriodSeconds: 5 })).body.metadata.deletionGracePeriodSeconds).toBe(5);
  expect((await api.send(`DELETE ${PODS}/p`, { gracePeriodSeconds: 0 })).code).toBe(200);
  expect((await api.send(`GET ${PODS}/p`)).code).toBe(404);
});

test('a pod on no node goes at once', async () => {
  const api = await withPod('');
  await api.send(`DELETE ${PODS}/p`);
  expect((await api.send(`GET ${PODS}/p`)).code).toBe(404);
});

test('finalizers hold an object until the last is taken away', async () => {
  const api = new TestApiserver();
  await api.send(`POST ${MAPS}`, { metadata: { name: 'a', finalizers: ['example.com/hold'] } });
  expect((await api.send(`DELETE ${MAPS}/a`)).body.metadata.deletionGracePeriodSeconds).toBe(0);
  const more = await api.send(`PATCH ${MAPS}/a`, { metadata: { finalizers: ['example.com/hold', 'example.com/more'] } });
  expect(more.body.message).toContain('no new finalizers can be added if the object is being deleted');
  expect((await api.send(`PATCH ${MAPS}/a`, { metadata: { finalizers: null } })).code).toBe(200);
  expect((await api.send(`GET ${MAPS}/a`)).code).toBe(404);
});

test('policies of propagation become finalizers', async () => {
  const api = new TestApiserver();
  for (const [policy, finalizer] of [
    ['Orphan', 'orphan'],
    ['Foreground', 'foregroundDeletion'],
  ]) {
    await api.send(`POST ${MAPS}`, { metadata: { name: policy?.toLowerCase() } });
    expect((await api.send(`DELETE ${MAPS}/${policy?.toLowerCase()}`, { propagationPolicy: policy })).body.metadata.finalizers).toEqual([
      finalizer,
    ]);
  }
});

test('preconditions name uid and version', async () => {
  const api = new TestApiserver();
  const { body } = await api.send(`POST ${MAPS}`, { metadata: { name: 'a' } });
  const other = await api.send(`DELETE ${MAPS}/a`, { preconditions: { uid: 'x' } });
  expect([other.code, other.body.details.kind]).toEqual([409, 'ConfigMap']);
  expect(
    (await api.send(`DELETE ${MAPS}/a`, { preconditions: { uid: body.metadata.uid, resourceVersion: body.metadata.resourceVersion } }))
      .code,
  ).toBe(200);
});

test('a dry run deletes nothing', async () => {
  const api = new TestApiserver();
  await api.send(`POST ${MAPS}`, { metadata: { name: 'a' } });
  expect((await api.send(`DELETE ${MAPS}/a?dryRun=All`)).code).toBe(200);
  expect((await api.send(`GET ${MAPS}/a`)).code).toBe(200);
});

test('a collection goes by its selector', async () => {
  const api = new TestApiserver();
  for (const name of ['a', 'b', 'c']) await api.send(`POST ${MAPS}`, { metadata: { name, labels: { keep: name === 'b' ? 'yes' : 'no' } } });
  await api.send(`DELETE ${MAPS}?labelSelector=keep%3Dno`);
  expect((await api.send(`GET ${MAPS}`)).body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(['b']);
});

test('a dry run shows who owns what as well', async () => {
  const api = await withPod('n1');
  const { managedFields } = (await api.send(`GET ${PODS}/p`)).body.metadata;
  expect(managedFields).toHaveLength(1);
  const wouldBe = (await api.send(`DELETE ${PODS}/p?dryRun=All`)).body.metadata;
  expect([wouldBe.deletionGracePeriodSeconds, wouldBe.managedFields]).toEqual([30, managedFields]);
  const atOnce = (await api.send(`DELETE ${PODS}/p`, { dryRun: ['All'], gracePeriodSeconds: 0 })).body.metadata;
  expect([atOnce.deletionGracePeriodSeconds, atOnce.managedFields]).toEqual([0, managedFields]);
});

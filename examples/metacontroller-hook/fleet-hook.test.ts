import { readFileSync } from 'node:fs';
import { customResource, resources } from 'bottleship';
import { createTestCluster, expectTrace, type TestCluster } from 'bottleship/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { answerFleetHook, type Fleet } from './fleet-hook.ts';

const fleets = customResource<Fleet>({ group: 'example.com', version: 'v1', resource: 'fleets', kind: 'Fleet' });
const manifests = readFileSync(new URL('./fleet.yaml', import.meta.url), 'utf8');

describe('a controller that is a hook', () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await createTestCluster({
      nodes: [{ name: 'n1', images: ['nginx:1.26', 'nginx:1.27'] }],
      addons: { metacontroller: {} },
      images: [
        { name: 'example.com/fleet-hook', program: 'fleet-hook', ports: [8080] },
        { name: 'nginx:9.9', pull: { error: 'not found' } },
      ],
      programs: { 'fleet-hook': answerFleetHook },
    });
    await cluster.apply(manifests);
    await cluster.settle();
    await cluster.create(fleets, { metadata: { name: 'a' }, spec: { replicas: 3, image: 'nginx:1.26' } });
    await cluster.waitUntil(fleets, 'a', { fits: ({ status }) => status?.ready === 3 });
    await cluster.settle();
  });

  const images = async (): Promise<(string | undefined)[]> => {
    const found = await cluster.list(resources.pods, { namespace: 'default' });
    return found.sort((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1)).map(({ spec }) => spec?.containers[0]?.image);
  };

  it('makes what the hook asks for, owned by its parent, and says how far it is', async () => {
    expect(await images()).toEqual(['nginx:1.26', 'nginx:1.26', 'nginx:1.26']);
    const [pod] = await cluster.list(resources.pods, { namespace: 'default' });
    expect(pod?.metadata.ownerReferences).toMatchObject([{ kind: 'Fleet', name: 'a', controller: true, blockOwnerDeletion: true }]);
    const fleet = await cluster.get(fleets, 'a');
    expect(fleet?.status).toEqual({ replicas: 3, ready: 3, observedGeneration: 1 });
    expect(fleet?.metadata.finalizers).toEqual(['metacontroller.io/compositecontroller-fleet-controller']);
  });

  it('scales, and brings back what somebody deletes', async () => {
    await cluster.edit(fleets, 'a', (draft) => {
      draft.spec.replicas = 1;
    });
    await cluster.settle();
    expect(await images()).toHaveLength(1);
    await cluster.delete(resources.pods, 'a-0');
    await cluster.advance(30_000);
    expect(await images()).toHaveLength(1);
  });

  it('replaces Pods one after another, each when the one before is ready', async () => {
    await cluster.edit(fleets, 'a', (draft) => {
      draft.spec.image = 'nginx:1.27';
    });
    for (let index = 0; index < 2; index++) {
      const ready = { kind: 'Pod', name: `a-${index}`, field: 'status.conditions[type=Ready].status', equals: 'True' };
      await cluster.waitUntil(resources.pods, `a-${index}`, { fits: ({ spec }) => spec?.containers[0]?.image === 'nginx:1.27' });
      const { metadata } = (await cluster.get(resources.pods, `a-${index + 1}`)) ?? {};
      expect(metadata?.deletionTimestamp, `a-${index + 1} waits`).toBeUndefined();
      expectTrace(cluster).happened(ready);
    }
    await cluster.advance(60_000);
    expect(await images()).toEqual(['nginx:1.27', 'nginx:1.27', 'nginx:1.27']);
  });

  it('stops a rolling update at a Pod that does not get ready, also over a crash', async () => {
    await cluster.edit(fleets, 'a', (draft) => {
      draft.spec.image = 'nginx:9.9';
    });
    await cluster.advance(60_000);
    cluster.crash('metacontroller-0');
    cluster.restart('metacontroller-0');
    await cluster.advance(60_000);
    expect(await images()).toEqual(['nginx:9.9', 'nginx:1.26', 'nginx:1.26']);
  });

  it('is asked on deletion, until nothing is left', async () => {
    await cluster.delete(fleets, 'a');
    await cluster.waitUntilGone(fleets, 'a');
    expect(await images()).toEqual([]);
    expectTrace(cluster).before({ verb: 'delete', kind: 'Pod', name: 'a-2' }, { verb: 'delete', kind: 'Pod', name: 'a-1' });
    expectTrace(cluster).before({ verb: 'delete', kind: 'Pod', name: 'a-1' }, { verb: 'delete', kind: 'Pod', name: 'a-0' });
  });
});

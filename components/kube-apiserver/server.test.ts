import { expect, test } from 'vitest';
import type { Deployment } from '../../src/api/kinds/apps-v1.ts';
import type { ConfigMap, Pod } from '../../src/api/kinds/core-v1.ts';
import type { KubernetesObject } from '../../src/api/object.ts';
import type { WatchEvent } from '../../src/api/request.ts';
import { configmaps, deployments, pods, serviceaccounts } from '../../src/api/resources.ts';
import { Client } from '../../src/client/client.ts';
import { DEFAULT_TIMING } from '../../src/client/timing.ts';
import { InProcessTransport } from '../../src/cluster/in-process-transport.ts';
import { Network } from '../../src/cluster/network.ts';
import { Simulation } from '../../src/sim/simulation.ts';
import { Etcd } from '../etcd/etcd.ts';
import { createKubeApiserver, type KubeApiserver } from './server.ts';

/** Runs `program` as an actor with an administrator's client until nothing is left to do. */
async function run(program: (client: Client) => Promise<void>): Promise<Simulation> {
  const simulation = new Simulation({ seed: '1' });
  const etcd = new Etcd();
  let apiserver: KubeApiserver | undefined;
  const server = simulation.actor('kube-apiserver', (actor) => {
    apiserver = createKubeApiserver({ simulation, etcd, config: { actor } });
  });
  server.start();
  const network = new Network();
  const me = simulation.actor('me', async (actor) => {
    const transport = new InProcessTransport({ actor, server, network, timing: DEFAULT_TIMING, handler: () => apiserver as KubeApiserver });
    await program(new Client({ actor, transport, user: { username: 'admin', groups: ['system:masters', 'system:authenticated'] } }));
  });
  me.start(10);
  await simulation.settle();
  return simulation;
}

const newConfigMap = (name: string): ConfigMap => ({ metadata: { name, namespace: 'default' }, data: { a: '1' } });

test('create, get, update, patch, list, delete', async () => {
  await run(async (client) => {
    const api = client.resource(configmaps);
    const created = await api.create(newConfigMap('a'));
    expect(created.metadata.uid).toMatch(/^[0-9a-f-]{36}$/);
    expect(await api.get({ namespace: 'default', name: 'a' })).toBe(created);
    const updated = await api.update({ ...created, data: { a: '2' } });
    expect(Number(updated.metadata.resourceVersion)).toBeGreaterThan(Number(created.metadata.resourceVersion));
    await expect(api.update({ ...created, data: { a: '3' } })).rejects.toThrow(
      'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    );
    expect(await api.update(updated)).toBe(updated);
    const patched = await api.patch({ namespace: 'default', name: 'a' }, { data: { b: '4' } }, { type: 'merge' });
    expect(patched.data).toEqual({ a: '2', b: '4' });
    expect((await api.list({ namespace: 'default' })).items).toEqual([patched]);
    await api.delete({ namespace: 'default', name: 'a' });
    await expect(api.get({ namespace: 'default', name: 'a' })).rejects.toThrow('configmaps "a" not found');
  });
});

test('generation counts changes of the spec, status has its own door', async () => {
  await run(async (client) => {
    const api = client.resource(deployments);
    const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'nginx' }] } };
    const web: Deployment = {
      metadata: { name: 'web', namespace: 'default' },
      spec: { replicas: 1, selector: { matchLabels: { app: 'web' } }, template },
    };
    const created = await api.create({ ...web, status: { replicas: 7 } });
    expect(created.metadata.generation).toBe(1);
    expect(created.status?.replicas).toBeUndefined();
    const scaled = await api.updateScale({ metadata: { name: 'web', namespace: 'default' }, spec: { replicas: 3 } });
    expect(scaled.spec?.replicas).toBe(3);
    const after = await api.updateStatus({ ...(await api.get({ namespace: 'default', name: 'web' })), status: { replicas: 3 } });
    expect([after.metadata.generation, after.spec?.replicas, after.status?.replicas]).toEqual([2, 3, 3]);
  });
});

test('a watch with a selector sees objects come and go', async () => {
  const seen: string[] = [];
  await run(async (client) => {
    const api = client.resource(pods);
    await client.resource(serviceaccounts).create({ metadata: { name: 'default', namespace: 'default' } });
    const sink = {
      next: ({ type, object, revision }: WatchEvent) => {
        const { metadata } = object as KubernetesObject;
        expect(metadata.resourceVersion).toBe(String(revision));
        seen.push(`${type} ${metadata.name}`);
      },
      end: () => {},
    };
    const pod: Pod = {
      metadata: { name: 'a', namespace: 'default' },
      spec: { containers: [{ name: 'a', image: 'a' }], serviceAccountName: 'default', automountServiceAccountToken: false },
    };
    await client.resource(pods).watch({ namespace: 'default', labelSelector: 'on=yes' }, sink);
    const created = await api.create(pod);
    const on = await api.patch({ namespace: 'default', name: 'a' }, { metadata: { labels: { on: 'yes' } } }, { type: 'merge' });
    await api.patch({ namespace: 'default', name: 'a' }, { metadata: { labels: { on: 'no' } } }, { type: 'merge' });
    expect(on.metadata.uid).toBe(created.metadata.uid);
    await api.delete({ namespace: 'default', name: 'a' });
  });
  expect(seen).toEqual(['ADDED a', 'DELETED a']);
});

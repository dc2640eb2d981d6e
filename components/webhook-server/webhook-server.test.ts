import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Pod } from '../../src/api/kinds/core-v1.ts';
import type { KubernetesObject } from '../../src/api/object.ts';
import { pods, services } from '../../src/api/resources.ts';
import { customResource } from '../../src/client/custom-resource.ts';
import { createTestCluster, type TestCluster } from '../../src/testing/index.ts';

const manifest = (name: string): string => readFileSync(new URL(`../../scenarios/manifests/${name}`, import.meta.url), 'utf8');
const pod = (name: string, image = 'nginx:1.27', annotations?: Record<string, string>): Pod => ({
  metadata: { name, namespace: 'default', ...(annotations ? { annotations } : {}) },
  spec: { containers: [{ name: 'web', image }] },
});

async function clusterWith(...manifests: string[]): Promise<TestCluster> {
  const cluster = await createTestCluster({ nodes: 1 });
  for (const name of ['webhook-server.yaml', ...manifests]) {
    await cluster.apply(manifest(name));
    await cluster.settle();
  }
  return cluster;
}

describe('admission', () => {
  let cluster: TestCluster;
  beforeAll(async () => {
    cluster = await clusterWith('pod-webhooks.yaml');
    await cluster.kubectl(['label', 'namespace', 'default', 'pod-webhooks=enabled']);
  });

  it('injects a sidecar, and asks the webhook before it again about what it added', async () => {
    const { metadata, spec } = await cluster.create(pods, pod('a'));
    expect(metadata.annotations).toMatchObject({ 'sidecar.example.com/status': 'injected' });
    expect(spec?.containers.map(({ name, resources }) => [name, resources?.requests])).toEqual([
      ['web', { cpu: '10m', memory: '16Mi' }],
      ['log-agent', { cpu: '10m', memory: '16Mi' }],
    ]);
  });

  it('leaves Pods alone that ask for it, and namespaces that are not chosen', async () => {
    const { spec } = await cluster.create(pods, pod('b', 'nginx:1.27', { 'sidecar.example.com/inject': 'false' }));
    expect(spec?.containers.length).toBe(1);
    const elsewhere = await cluster.create(pods, { ...pod('b', 'nginx'), metadata: { name: 'b', namespace: 'kube-system' } });
    expect(elsewhere.spec?.containers[0]?.resources).toEqual({});
  });

  it.each(['nginx', 'nginx:latest', 'registry.example.com:5000/app'])('refuses %s', async (image) => {
    const message = `admission webhook "no-latest-tag.example.com" denied the request: images need a tag other than latest: container "web" uses ${image}`;
    await expect(cluster.create(pods, pod('c', image))).rejects.toThrow(message);
  });

  it('is asked in a dry run too, which stores nothing', async () => {
    const answered = await cluster.call((client) => client.resource(pods).create(pod('d'), { dryRun: true }));
    expect(answered.spec?.containers.length).toBe(2);
    expect(await cluster.get(pods, 'd')).toBeUndefined();
  });

  it('keeps Pods out when nobody answers and the policy is Fail', async () => {
    await cluster.delete(services, { namespace: 'webhooks', name: 'webhook-server' });
    await expect(cluster.create(pods, pod('e'))).rejects.toThrow(
      'failed calling webhook "a-default-requests.example.com": failed to call webhook: Post "https://webhook-server.webhooks.svc:443/mutate-default-requests?timeout=5s": service "webhook-server" not found',
    );
  });
});

describe('conversion', () => {
  interface CronTab extends KubernetesObject {
    spec: { hostPort?: string; host?: string; port?: string; replicas?: number };
  }
  const crontabs = (version: string) => customResource<CronTab>({ group: 'example.com', version, resource: 'crontabs', kind: 'CronTab' });

  it('goes both ways; each version demands of objects what it says', async () => {
    const cluster = await clusterWith('crontabs.yaml');
    const metadata = { name: 'a' };
    const created = await cluster.create(crontabs('v1beta1'), { metadata, spec: { hostPort: 'localhost:80' } });
    expect(created).toMatchObject({ apiVersion: 'example.com/v1beta1', spec: { hostPort: 'localhost:80', replicas: 1 } });
    expect(await cluster.get(crontabs('v1'), 'a')).toMatchObject({ apiVersion: 'example.com/v1', spec: { host: 'localhost', port: '80' } });
    await cluster.edit(crontabs('v1beta1'), 'a', (draft) => {
      draft.metadata.labels = { only: 'metadata' };
    });
    expect((await cluster.get(crontabs('v1'), 'a'))?.metadata.generation).toBe(1);
    await cluster.edit(crontabs('v1beta1'), 'a', (draft) => {
      draft.spec.hostPort = 'localhost:81';
    });
    expect(await cluster.get(crontabs('v1'), 'a')).toMatchObject({ metadata: { generation: 2 }, spec: { port: '81' } });
    const broken = { metadata: { name: 'b' }, spec: { hostPort: 'no port' } };
    await expect(cluster.create(crontabs('v1beta1'), broken)).rejects.toThrow('spec.hostPort in body should match');
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import type { Deployment, DeploymentSpec } from '../../../src/api/kinds/apps-v1.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { deployments, events, pods, replicasets, serviceaccounts } from '../../../src/api/resources.ts';
import { ControlPlane } from '../../../test/support/control-plane.ts';
import { computeHash } from '../controller/pod-template-hash.ts';

const NAMESPACE = 'default';
const WEB = { namespace: NAMESPACE, name: 'web' };
let plane: ControlPlane;

beforeEach(async () => {
  plane = new ControlPlane(['deployment-controller', 'replicaset-controller']);
  await plane.act((client) => client.resource(serviceaccounts).create({ metadata: { namespace: NAMESPACE, name: 'default' } }));
  await plane.simulation.settle();
});

/** A Deployment whose pods no scheduler takes: the test says when they are ready. */
function deployment(spec: Partial<DeploymentSpec>, labels: Record<string, string> = { app: 'web' }): Deployment {
  const template = { metadata: { labels }, spec: { schedulerName: 'nobody', containers: [{ name: 'web', image: 'nginx' }] } };
  return { metadata: WEB, spec: { selector: { matchLabels: { app: 'web' } }, template, ...spec } };
}

async function create(object: Deployment): Promise<void> {
  await plane.act((client) => client.resource(deployments).create(object));
  await plane.simulation.settle();
}

async function patch(change: object): Promise<void> {
  await plane.act((client) => client.resource(deployments).patch(WEB, change, { type: 'merge' }));
  await plane.simulation.settle();
}

async function makeReady(choose: (pod: Pod) => boolean = () => true): Promise<void> {
  await plane.act(async (client) => {
    const { items } = await client.resource(pods).list({ namespace: NAMESPACE });
    for (const { metadata } of items.filter(choose)) {
      const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
      await client
        .resource(pods)
        .patch({ namespace: NAMESPACE, name: metadata.name ?? '' }, { status }, { type: 'merge', subresource: 'status' });
    }
  });
  await plane.simulation.settle();
}

const current = (): Promise<Deployment> => plane.act((client) => client.resource(deployments).get(WEB));
/** `size of all ReplicaSets, oldest first, with their revisions`: `0(1) 2(2)`. */
async function sizes(): Promise<string> {
  const { items } = await plane.act((client) => client.resource(replicasets).list({ namespace: NAMESPACE }));
  const revision = (annotations: Record<string, string> = {}) => annotations['deployment.kubernetes.io/revision'] ?? '-';
  const lines = items.map(({ metadata, spec }) => ({ revision: revision(metadata.annotations), size: spec?.replicas }));
  return lines
    .sort((a, b) => Number(a.revision) - Number(b.revision))
    .map(({ revision, size }) => `${size}(${revision})`)
    .join(' ');
}

async function messages(): Promise<string[]> {
  const { items } = await plane.act((client) =>
    client.resource(events).list({ namespace: NAMESPACE, fieldSelector: 'involvedObject.kind=Deployment' }),
  );
  return items.map(({ type, reason, message }) => `${type} ${reason}: ${message?.replace(/web-[456789bcdf]+/g, 'web-#')}`);
}

describe('a new Deployment', () => {
  it('writes its status four times until it is available', async () => {
    await create(deployment({ replicas: 1 }));
    await makeReady();
    const writes = plane.writes('deployments').map((line) => line.replace(/^\d+ /, ''));
    expect(writes).toEqual([
      'kubernetes-admin create web',
      'deployment-controller update web/status',
      'deployment-controller update web/status',
      'deployment-controller update web/status',
      'deployment-controller update web/status',
    ]);
    const { status } = await current();
    expect(status?.conditions?.map(({ type, reason }) => `${type} ${reason}`)).toEqual([
      'Available MinimumReplicasAvailable',
      'Progressing NewReplicaSetAvailable',
    ]);
    expect(await messages()).toEqual(['Normal ScalingReplicaSet: Scaled up replica set web-# from 0 to 1']);
  });

  it('takes another hash when a ReplicaSet of that name has another template', async () => {
    await create(deployment({ replicas: 1, paused: true }));
    const { spec } = await current();
    const name = `web-${computeHash(spec?.template ?? {}, undefined)}`;
    const other = { selector: { matchLabels: { app: 'other' } }, template: { ...spec?.template, metadata: { labels: { app: 'other' } } } };
    await plane.act((client) =>
      client.resource(replicasets).create({ metadata: { namespace: NAMESPACE, name }, spec: { replicas: 0, ...other } }),
    );
    await patch({ spec: { paused: false } });
    expect((await current()).status?.collisionCount).toBe(1);
    expect(await sizes()).toBe('0(-) 1(1)');
  });

  it('says so when it does not come up in time', async () => {
    await create(deployment({ replicas: 1, progressDeadlineSeconds: 5 }));
    await plane.simulation.advance(4_000);
    const progressing = async () => (await current()).status?.conditions?.find(({ type }) => type === 'Progressing')?.reason;
    expect(await progressing()).toBe('ReplicaSetUpdated');
    await plane.simulation.advance(4_000);
    expect(await progressing()).toBe('ProgressDeadlineExceeded');
  });
});

describe('a rollout', () => {
  const change = { spec: { template: { metadata: { labels: { version: '2' } } } } };

  it('keeps enough pods available and makes not too many', async () => {
    await create(deployment({ replicas: 4 }));
    await makeReady();
    const seen = [await sizes()];
    await patch(change);
    seen.push(await sizes());
    for (let i = 0; i < 3; i++) {
      await makeReady();
      seen.push(await sizes());
    }
    expect(seen).toEqual(['4(1)', '3(1) 2(2)', '1(1) 4(2)', '0(1) 4(2)', '0(1) 4(2)']);
  });

  it('takes pods that are not ready from an old ReplicaSet first', async () => {
    await create(deployment({ replicas: 2, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } } }));
    await patch(change);
    expect(await sizes()).toBe('1(1) 2(2)');
  });

  it('waits under Recreate until old pods are gone', async () => {
    await create(deployment({ replicas: 2, strategy: { type: 'Recreate' } }));
    await makeReady();
    await plane.act(async (client) => {
      const { items } = await client.resource(pods).list({ namespace: NAMESPACE });
      const name = items[0]?.metadata.name ?? '';
      await client
        .resource(pods)
        .patch({ namespace: NAMESPACE, name }, { metadata: { finalizers: ['example.com/hold'] } }, { type: 'merge' });
    });
    await patch(change);
    expect(await sizes()).toBe('0(1)');
    await plane.act(async (client) => {
      const { items } = await client.resource(pods).list({ namespace: NAMESPACE });
      const name = items[0]?.metadata.name ?? '';
      await client.resource(pods).patch({ namespace: NAMESPACE, name }, { metadata: { finalizers: null } }, { type: 'merge' });
    });
    await plane.simulation.settle();
    expect(await sizes()).toBe('0(1) 2(2)');
  });

  it('keeps as many old ReplicaSets as revisionHistoryLimit says', async () => {
    await create(deployment({ replicas: 1, revisionHistoryLimit: 1 }));
    for (const version of ['2', '3', '4']) {
      await makeReady();
      await patch({ spec: { template: { metadata: { labels: { version } } } } });
    }
    await makeReady();
    expect(await sizes()).toBe('0(3) 1(4)');
  });

  it('goes back when the deprecated annotation asks for it', async () => {
    await create(deployment({ replicas: 1 }));
    await makeReady();
    await patch(change);
    await makeReady();
    await patch({ metadata: { annotations: { 'deprecated.deployment.rollback.to': '1' } } });
    const { metadata, spec } = await current();
    expect(spec?.template.metadata?.labels).toEqual({ app: 'web' });
    expect(metadata.annotations).toEqual({ 'deployment.kubernetes.io/revision': '3' });
    expect(await messages()).toContain('Normal DeploymentRollback: Rolled back deployment "web" to revision 1');
  });
});

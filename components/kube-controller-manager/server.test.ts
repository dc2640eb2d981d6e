import { describe, expect, it } from 'vitest';
import { deployments, leases, replicasets, serviceaccounts } from '../../src/api/resources.ts';
import { ControlPlane } from '../../test/support/control-plane.ts';

const CONTROLLERS = ['deployment-controller', 'replicaset-controller', 'garbage-collector-controller'];
const WEB = { namespace: 'default', name: 'web' };
const LEASE = { namespace: 'kube-system', name: 'kube-controller-manager' };

async function createDeployment(plane: ControlPlane): Promise<void> {
  const template = {
    metadata: { labels: { app: 'web' } },
    spec: { schedulerName: 'nobody', containers: [{ name: 'web', image: 'nginx' }] },
  };
  await plane.act(async (client) => {
    await client.resource(serviceaccounts).create({ metadata: { namespace: 'default', name: 'default' } });
    await client
      .resource(deployments)
      .create({ metadata: WEB, spec: { replicas: 2, selector: { matchLabels: { app: 'web' } }, template } });
  });
}

describe('kube-controller-manager', () => {
  it('takes the lease before it does anything, and renews it in the background', async () => {
    const plane = new ControlPlane(CONTROLLERS, { leaderElect: true });
    await plane.simulation.settle();
    const holder = async () => (await plane.act((client) => client.resource(leases).get(LEASE))).spec;
    const first = await holder();
    expect(first).toMatchObject({
      holderIdentity: expect.stringMatching(/^control-plane_[0-9a-f-]{36}$/),
      leaseDurationSeconds: 15,
      leaseTransitions: 0,
    });
    await plane.simulation.advance(10_000);
    expect((await holder())?.renewTime).not.toBe(first?.renewTime);
  });

  it('goes on from what the API says when it is started anew, once the lease of the former process is over', async () => {
    const plane = new ControlPlane(CONTROLLERS, { leaderElect: true });
    await plane.simulation.settle();
    await createDeployment(plane);
    const sets = async () => (await plane.act((client) => client.resource(replicasets).list({ namespace: 'default' }))).items;
    await plane.simulation.runUntil(() => plane.writes('replicasets').length > 0, 1_000);
    plane.controllerManager?.crash();
    plane.controllerManager?.start(1_000);
    await plane.simulation.advance(10_000);
    expect((await sets())[0]?.status?.replicas).toBe(0);
    await plane.simulation.advance(20_000);
    expect((await sets()).map(({ status }) => status?.replicas)).toEqual([2]);
    const lease = await plane.act((client) => client.resource(leases).get(LEASE));
    expect(lease.spec?.leaseTransitions).toBe(1);
  });

  it('says why a controller did what it did', async () => {
    const plane = new ControlPlane(CONTROLLERS);
    await plane.simulation.settle();
    await createDeployment(plane);
    await plane.simulation.settle();
    const { entries } = plane.simulation.trace;
    const decisions = entries.flatMap((entry) => (entry.kind === 'decision' ? [entry.message.replace(/web-\w+/g, 'web-#')] : []));
    expect(decisions).toEqual([
      'no ReplicaSet has the template of revision 1: create web-# with 2 of 2 pods',
      '2 pods wanted, 0 active: create 2',
    ]);
    const pod = entries.find((entry) => entry.kind === 'write' && entry.object.resource === 'pods');
    const chain = plane.simulation.trace.why(pod?.seq ?? 0).map((entry) => entry.kind);
    expect(chain).toEqual([
      'write',
      'request',
      'decision',
      'reconcile',
      'watch',
      'write',
      'request',
      'decision',
      'reconcile',
      'watch',
      'write',
      'request',
    ]);
  });
});

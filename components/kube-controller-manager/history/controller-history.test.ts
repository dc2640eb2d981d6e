// Goal: revisions are named by what they keep, and names that are taken lead to others. Method: known hashes; a control plane without controllers.
import { describe, expect, it } from 'vitest';
import { controllerrevisions } from '../../../src/api/resources.ts';
import { ControlPlane } from '../../../test/support/control-plane.ts';
import { createControllerRevision, getPatch, sortControllerRevisions, templateOf, updateControllerRevision } from './controller-history.ts';
import { hashControllerRevision } from './revision-hash.ts';

const PARENT = { metadata: { namespace: 'default', name: 'db' } };
const draft = (image: string) => ({
  parent: PARENT,
  controllerRef: { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'db', uid: 'u', controller: true },
  data: getPatch({ spec: { containers: [{ name: 'db', image }] } }),
  revision: 1,
  labels: { app: 'db' },
});

describe('the hash of a revision', () => {
  it('is FNV-1 of the JSON with sorted keys, and of the collision count', () => {
    expect(hashControllerRevision({ b: 1, a: 2 }, 0)).toBe(hashControllerRevision({ a: 2, b: 1 }, 0));
    expect(hashControllerRevision({ a: '<' }, 0)).not.toBe(hashControllerRevision({ a: '>' }, 0));
    expect(new Set([undefined, 0, 1].map((count) => hashControllerRevision({}, count))).size).toBe(3);
    expect(hashControllerRevision({}, 0)).toMatch(/^[456789bcdf]{1,10}$/);
  });
});

describe('a revision', () => {
  it('keeps a template', () => {
    const template = { spec: { containers: [{ name: 'db', image: 'db:1' }] } };
    expect(templateOf({ metadata: {}, revision: 1, data: getPatch(template) })).toEqual(template);
  });

  it('is created once for the same content, and under another name when its name is taken', async () => {
    const plane = new ControlPlane([]);
    const [first, again, other] = await plane.act(async (client) => {
      const revisions = client.resource(controllerrevisions);
      const one = await createControllerRevision(revisions, draft('db:1'), 0);
      const two = await createControllerRevision(revisions, draft('db:1'), 0);
      const taken = { ...one.revision, metadata: { name: `db-${hashControllerRevision(draft('db:2').data, 0)}`, namespace: 'default' } };
      await revisions.create(taken);
      return [one, two, await createControllerRevision(revisions, draft('db:2'), 0)] as const;
    });
    expect(again).toEqual(first);
    expect(first.revision.metadata.labels).toEqual({ app: 'db', 'controller.kubernetes.io/hash': first.revision.metadata.name?.slice(3) });
    expect(other.collisionCount).toBe(1);
  });

  it('gets a new number, also when somebody has written it in between', async () => {
    const plane = new ControlPlane([]);
    const raised = await plane.act(async (client) => {
      const revisions = client.resource(controllerrevisions);
      const { revision } = await createControllerRevision(revisions, draft('db:1'), 0);
      await revisions.update({ ...revision, metadata: { ...revision.metadata, annotations: { seen: 'yes' } } });
      return updateControllerRevision(revisions, revision, 7);
    });
    expect(raised).toMatchObject({ revision: 7, metadata: { annotations: { seen: 'yes' } } });
  });

  it('comes after those with a lower number, then after older ones', () => {
    const revision = (number: number, name: string) => ({
      metadata: { name, creationTimestamp: '2026-01-01T00:00:00Z' },
      revision: number,
    });
    expect(sortControllerRevisions([revision(2, 'a'), revision(1, 'c'), revision(1, 'b')]).map(({ metadata }) => metadata.name)).toEqual([
      'b',
      'c',
      'a',
    ]);
  });
});

import { beforeEach, describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { GraphBuilder } from './graph-builder.ts';
import { ReferenceCache } from './uid-cache.ts';

let asked: string[];
let graph: GraphBuilder;
let absent: ReferenceCache;

beforeEach(() => {
  asked = [];
  absent = new ReferenceCache();
  const note = (what: string) => (node: { identity: { uid: string } }) => void asked.push(`${what} ${node.identity.uid}`);
  graph = new GraphBuilder({
    absentOwnerCache: absent,
    attemptToDelete: note('delete'),
    attemptToDeleteRateLimited: note('later'),
    attemptToOrphan: note('orphan'),
    reportInvalidNamespaceOwnerRef: (node, owner) => void asked.push(`report ${node.identity.uid} of ${owner}`),
  });
});

interface Traits {
  owners?: (string | { uid: string; name?: string; blockOwnerDeletion?: boolean })[];
  namespace?: string;
  finalizers?: string[];
  deleted?: boolean;
}

/** A ConfigMap whose UID is its name. */
function object(name: string, { owners = [], namespace = 'default', finalizers = [], deleted = false }: Traits = {}): KubernetesObject {
  const ownerReferences = owners.map((owner) => {
    const { uid, ...more } = typeof owner === 'string' ? { uid: owner } : owner;
    return { apiVersion: 'v1', kind: 'ConfigMap', name: uid, uid, ...more };
  });
  const metadata = {
    name,
    uid: name,
    namespace,
    ownerReferences,
    finalizers,
    ...(deleted ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
  };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata };
}

const identity = (name: string, namespace = 'default') => ({ apiVersion: 'v1', kind: 'ConfigMap', namespace, name, uid: name });

describe('GraphBuilder', () => {
  it('looks at the dependents of an object that is gone, and at owners that wait for it', () => {
    graph.put(object('top', { deleted: true, finalizers: ['foregroundDeletion'] }));
    graph.put(object('owner', { owners: ['top'] }));
    graph.put(object('child', { owners: ['owner'] }));
    asked = [];
    graph.delete(object('owner', { owners: ['top'] }));
    expect(asked).toEqual(['delete child', 'delete top']);
    expect(absent.has(identity('owner'))).toBe(true);
  });

  it('asks for an owner that it does not know, and forgets it when it is not there', () => {
    graph.put(object('child', { owners: ['ghost'] }));
    expect(asked).toEqual(['delete ghost']);
    expect(graph.get('ghost')?.virtual).toBe(true);
    graph.deleteVirtually(identity('ghost'));
    expect(asked).toEqual(['delete ghost', 'delete child']);
    expect(graph.get('ghost')).toBeUndefined();
  });

  it('takes an owner for real once a watch has told of it', () => {
    graph.put(object('child', { owners: ['owner'] }));
    graph.put(object('owner'));
    expect(graph.get('owner')).toMatchObject({ virtual: false });
    expect([...(graph.get('owner')?.dependents ?? [])]).toEqual([graph.get('child')]);
  });

  it('starts a foreground deletion with the dependents', () => {
    graph.put(object('owner'));
    graph.put(object('child', { owners: ['owner'] }));
    graph.put(object('owner', { deleted: true, finalizers: ['foregroundDeletion'] }), object('owner'));
    expect(asked).toEqual(['delete child', 'delete owner']);
    expect(graph.get('owner')?.deletingDependents).toBe(true);
  });

  it('starts an orphaning deletion', () => {
    graph.put(object('owner'));
    graph.put(object('owner', { deleted: true, finalizers: ['orphan'] }), object('owner'));
    expect(asked).toEqual(['orphan owner']);
  });

  it('does nothing about a plain deletion until the object is gone', () => {
    graph.put(object('owner', { finalizers: ['example.com/hold'] }));
    graph.put(object('child', { owners: ['owner'] }));
    graph.put(object('owner', { finalizers: ['example.com/hold'], deleted: true }));
    expect(asked).toEqual([]);
  });

  it('looks at an owner whose dependent blocks no longer', () => {
    graph.put(object('owner'));
    graph.put(object('child', { owners: [{ uid: 'owner', blockOwnerDeletion: true }] }));
    graph.put(object('child', { owners: [{ uid: 'owner', blockOwnerDeletion: false }] }));
    graph.put(object('child', { owners: [{ uid: 'owner', blockOwnerDeletion: true }] }));
    graph.put(object('child'));
    expect(asked).toEqual(['delete owner', 'delete owner']);
    expect(graph.get('owner')?.dependents.size).toBe(0);
  });

  it('reports a reference across namespaces and looks at the dependent', () => {
    graph.put(object('owner', { namespace: 'other' }));
    graph.put(object('child', { owners: ['owner'] }));
    expect(asked).toEqual(['report child of owner', 'delete child']);
  });

  it('looks at a dependent that names its owner wrongly', () => {
    graph.put(object('owner'));
    graph.put(object('child', { owners: [{ uid: 'owner', name: 'else' }] }));
    expect(asked).toEqual(['delete child']);
  });

  it('keeps a virtual owner that others say is elsewhere, and asks there', () => {
    graph.put(object('bad', { owners: [{ uid: 'owner', name: 'wrong' }] }));
    graph.put(object('good', { owners: ['owner'] }));
    asked = [];
    graph.deleteVirtually({ ...identity('wrong'), uid: 'owner' });
    expect(asked).toEqual(['delete bad', 'later owner']);
    expect(graph.get('owner')?.identity.name).toBe('owner');
  });
});

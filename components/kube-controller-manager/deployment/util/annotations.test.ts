import { describe, expect, it } from 'vitest';
import type { Deployment, ReplicaSet } from '../../../../src/api/kinds/apps-v1.ts';
import { ANNOTATIONS, lastRevision, newReplicaSetAnnotations, setDeploymentRevision } from './annotations.ts';

const d: Deployment = {
  metadata: { annotations: { team: 'a', [ANNOTATIONS.revision]: '7', 'kubectl.kubernetes.io/last-applied-configuration': '{}' } },
  spec: { replicas: 2, selector: {}, template: {}, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } },
};

function replicaSet(annotations: Record<string, string>): ReplicaSet {
  return { metadata: { name: 'rs', annotations }, spec: { selector: {} } };
}

describe('newReplicaSetAnnotations', () => {
  it('gives a new set the revision, the sizes and what may be copied', () => {
    expect(newReplicaSetAnnotations(d, replicaSet({}), { newRevision: 1, exists: false })).toEqual({
      team: 'a',
      [ANNOTATIONS.revision]: '1',
      [ANNOTATIONS.desiredReplicas]: '2',
      [ANNOTATIONS.maxReplicas]: '3',
    });
  });

  it('leaves a set as it is that has all', () => {
    const rs = replicaSet({ team: 'a', own: 'b', [ANNOTATIONS.revision]: '3' });
    expect(newReplicaSetAnnotations(d, rs, { newRevision: 2, exists: true })).toBe(rs.metadata.annotations);
  });

  it('keeps the former revisions of a set that is used again', () => {
    const history = (annotations: Record<string, string>) =>
      newReplicaSetAnnotations(d, replicaSet({ team: 'a', ...annotations }), { newRevision: 4, exists: true });
    expect(history({ [ANNOTATIONS.revision]: '1' })).toMatchObject({ [ANNOTATIONS.revision]: '4', [ANNOTATIONS.revisionHistory]: '1' });
    expect(history({ [ANNOTATIONS.revision]: '3', [ANNOTATIONS.revisionHistory]: '1' })).toMatchObject({
      [ANNOTATIONS.revisionHistory]: '1,3',
    });
    const long = history({ [ANNOTATIONS.revision]: '3', [ANNOTATIONS.revisionHistory]: `1,${'2'.repeat(1998)}` });
    expect(long[ANNOTATIONS.revisionHistory]).toBe(`${'2'.repeat(1998)},3`);
  });
});

describe('revisions', () => {
  it('are written on the Deployment only when they change', () => {
    expect(setDeploymentRevision(d, '7')).toBe(d);
    expect(setDeploymentRevision(d, '8').metadata.annotations?.[ANNOTATIONS.revision]).toBe('8');
  });

  it('have a last but one', () => {
    expect(lastRevision(['1', '4', '3'].map((revision) => replicaSet({ [ANNOTATIONS.revision]: revision })))).toBe(3);
    expect(lastRevision([])).toBe(0);
  });
});

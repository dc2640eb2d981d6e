import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../../../src/api/kinds/apps-v1.ts';
import { deploymentTimedOut, newDeploymentCondition, removeDeploymentCondition, setDeploymentCondition } from './conditions.ts';

const NOW = Date.UTC(2026, 0, 1, 0, 10);
const available = newDeploymentCondition(0, { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable', message: '' });
const progressing = newDeploymentCondition(0, { type: 'Progressing', status: 'True', reason: 'ReplicaSetUpdated', message: '' });
const status = { conditions: [available, progressing] };

describe('setDeploymentCondition', () => {
  it('changes nothing when status and reason are the same, whatever the message', () => {
    expect(setDeploymentCondition(status, newDeploymentCondition(NOW, { ...available, message: 'new' }))).toBe(status);
  });

  it('moves a changed condition to the end, and keeps the time of transition while the status stays', () => {
    const changed = newDeploymentCondition(NOW, { type: 'Available', status: 'True', reason: 'Other', message: '' });
    const { conditions } = setDeploymentCondition(status, changed);
    expect(conditions?.map(({ type, reason }) => `${type} ${reason}`)).toEqual(['Progressing ReplicaSetUpdated', 'Available Other']);
    expect(conditions?.[1]).toMatchObject({ lastTransitionTime: available.lastTransitionTime, lastUpdateTime: changed.lastUpdateTime });
  });

  it('is undone without a trace', () => {
    expect(removeDeploymentCondition({ replicas: 1, conditions: [available] }, 'Available')).toEqual({ replicas: 1 });
  });
});

describe('deploymentTimedOut', () => {
  const d: Deployment = { metadata: {}, spec: { progressDeadlineSeconds: 60, selector: {}, template: {} } };
  const since = (seconds: number, reason = 'ReplicaSetUpdated') => ({
    conditions: [newDeploymentCondition(NOW - seconds * 1000, { type: 'Progressing', status: 'True', reason, message: '' })],
  });

  it('counts from the last progress', () => {
    expect(deploymentTimedOut(d, since(60), NOW)).toBe(false);
    expect(deploymentTimedOut(d, since(61), NOW)).toBe(true);
  });

  it('stays so, and never holds for a rollout that is done', () => {
    expect(deploymentTimedOut(d, since(0, 'ProgressDeadlineExceeded'), NOW)).toBe(true);
    expect(deploymentTimedOut(d, since(100, 'NewReplicaSetAvailable'), NOW)).toBe(false);
    expect(deploymentTimedOut({ ...d, spec: { selector: {}, template: {} } }, since(100), NOW)).toBe(false);
  });
});

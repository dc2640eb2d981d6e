import { expect, test } from 'vitest';
import { deployments } from '../../../../src/api/resources.ts';
import { tryCreate, tryUpdate } from '../try-strategy.ts';

const deployment = (spec: object = {}, labels: object = { app: 'web' }): object => ({
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1.27' }] } },
    ...spec,
  },
});

test('defaults', () => {
  const { object, problems } = tryCreate(deployments, deployment());
  expect(problems).toEqual([]);
  expect(object.spec).toMatchObject({
    replicas: 1,
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
  });
  expect(object.status).toEqual({});
});

test('mistakes', () => {
  const problems = (spec: object, labels?: object): string[] => tryCreate(deployments, deployment(spec, labels)).problems;
  expect(problems({}, { app: 'other' })).toEqual([
    'spec.template.metadata.labels: Invalid value: {"app":"other"}: `selector` does not match template `labels`',
  ]);
  expect(problems({ selector: {} })).toEqual(['spec.selector: Invalid value: {}: empty selector is invalid for deployment']);
  expect(problems({ replicas: -1 })).toEqual(['spec.replicas: Invalid value: -1: must be greater than or equal to 0']);
  expect(problems({ strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } })).toEqual([
    "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
  ]);
  expect(problems({ strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: '0%' } } })).toEqual([
    'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "0%": may not be 0 when `maxSurge` is 0',
  ]);
});

test('generation counts changes of spec and annotations; the selector stays', () => {
  const { object } = tryCreate(deployments, deployment());
  expect(tryUpdate(deployments, object, { body: deployment() }).object.metadata.generation).toBe(1);
  expect(tryUpdate(deployments, object, { body: deployment({ replicas: 2 }) }).object.metadata.generation).toBe(2);
  const annotated = { ...deployment(), metadata: { name: 'web', annotations: { a: 'b' } } };
  expect(tryUpdate(deployments, object, { body: annotated }).object.metadata.generation).toBe(2);
  expect(
    tryUpdate(deployments, object, {
      body: deployment({ selector: { matchLabels: { app: 'web', more: 'x' } } }, { app: 'web', more: 'x' }),
    }).problems,
  ).toEqual(['spec.selector: Invalid value: {"matchLabels":{"app":"web","more":"x"}}: field is immutable']);
});

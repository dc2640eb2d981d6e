import { expect, test } from 'vitest';
import { ReconcileDraft } from './reconcile-draft.ts';

const [service, set] = ['always create Service', 'if statefulsets.size() == 0 then create StatefulSet'];

test('lines are added, replaced and taken out by their numbers', () => {
  const draft = new ReconcileDraft();
  for (const line of [set, service, `1 ${service}`, `2. ${set}`]) expect(draft.take(line)).toEqual({ edit: 'changed' });
  expect(draft.rules).toEqual([service, set]);
  expect(draft.take('1')).toEqual({ edit: 'changed' });
  expect(draft.rules).toEqual([set]);
  expect(draft.take('rules')).toEqual({ edit: 'shown' });
});

test('a line that is none changes nothing and says why; what is no line is left to kubectl', () => {
  const draft = new ReconcileDraft();
  expect(draft.take('always create Deployment')).toMatchObject({ edit: 'refused', why: 'rule-kind' });
  expect(draft.take('2 always create Service')).toEqual({ edit: 'refused', why: 'no-such-line', detail: '2' });
  expect(draft.take('create service')).toMatchObject({ edit: 'refused', why: 'rule-form' });
  expect(draft.take('get pods')).toBeUndefined();
  expect(draft.take('run web --image=nginx')).toBeUndefined();
  expect(draft.rules).toEqual([]);
});

test('full-width letters and a leading kubectl do not matter', () => {
  const draft = new ReconcileDraft();
  expect(draft.take('kubectl ａｌｗａｙｓ　create Service')).toEqual({ edit: 'changed' });
  expect(draft.rules).toEqual([service]);
});

test('what is typed runs only after run', () => {
  const draft = new ReconcileDraft();
  draft.take(service);
  expect([draft.running, draft.take('run')]).toEqual([false, { edit: 'run' }]);
  expect(draft.release().files['reconcile.yaml']).toContain(service);
  expect(draft.running).toBe(true);
});

import { expect, test } from 'vitest';
import { RunBuilder } from '../fixtures/run-builder.ts';
import { cachesAt } from './caches.ts';

const pod = (name: string) => ({ group: '', resource: 'pods', kind: 'Pod', namespace: 'default', name });
const you = { actor: 'kubectl', user: 'kubernetes-admin', cause: 0 };

function object(name: string, nodeName?: string) {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default' }, ...(nodeName ? { spec: { nodeName } } : {}) };
}

test('a component is behind by what was written and has not been told to it; a kubelet only by what is on its node', () => {
  const builder = new RunBuilder();
  for (const actor of ['kube-scheduler', 'kubelet/n1', 'kubelet/n2'])
    builder.add(actor, 0, { kind: 'request', verb: 'list', user: '', object: { group: '', resource: 'pods', kind: '', name: '' } });
  const made = builder.write(you, { reference: pod('a'), object: object('a') });
  const told = builder.watch('kube-scheduler', made);
  const bound = builder.write(you, { reference: pod('a'), object: object('a', 'n1') });
  const end = builder.watch('kubelet/n1', bound);
  const behind = (cursor: number): Record<string, number> =>
    Object.fromEntries(cachesAt(builder.run, cursor).map(({ actor, behind: writes }) => [actor, writes.length]));
  expect(behind(made)).toEqual({ 'kube-scheduler': 1, 'kubelet/n1': 0, 'kubelet/n2': 0 });
  expect(behind(told)).toEqual({ 'kube-scheduler': 0, 'kubelet/n1': 0, 'kubelet/n2': 0 });
  expect(behind(bound)).toEqual({ 'kube-scheduler': 1, 'kubelet/n1': 1, 'kubelet/n2': 0 });
  expect(behind(end)).toEqual({ 'kube-scheduler': 1, 'kubelet/n1': 0, 'kubelet/n2': 0 });
});

test('what was there before a component listed is known to it, and a restart forgets everything', () => {
  const builder = new RunBuilder();
  builder.write(you, { reference: pod('old'), object: object('old') });
  const listed = builder.add('kube-scheduler', 0, {
    kind: 'request',
    verb: 'list',
    user: '',
    object: { group: '', resource: 'pods', kind: '', name: '' },
  });
  expect(cachesAt(builder.run, listed)[0]?.behind).toEqual([]);
  const crashed = builder.add('kube-scheduler', 0, { kind: 'actor', what: 'crashed', incarnation: 1 });
  expect(cachesAt(builder.run, crashed)).toEqual([]);
});

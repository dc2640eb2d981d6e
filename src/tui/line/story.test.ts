import { expect, test } from 'vitest';
import { deleteAPod } from '../fixtures/delete-a-pod.ts';
import { RunBuilder } from '../fixtures/run-builder.ts';
import { createStory } from './story.ts';

function tell(run: ReturnType<typeof deleteAPod>, options = {}): string[] {
  const story = createStory(run, options);
  return [...run.entries.flatMap((entry) => story.next(entry)), ...story.end()];
}

test('the story of a deleted pod, for someone who has never seen the project', () => {
  expect(tell(deleteAPod()).slice(-9).join('\n')).toBe(
    `
t=7.250s     you                      ran kubectl delete pod web-6f-aaaaa
t=7.251s     kube-apiserver           marked Pod web-6f-aaaaa for deletion, with 30 s to stop  (because: you asked for it)
t=7.252s     kubelet/n1               sent SIGTERM to container nginx of Pod web-6f-aaaaa  (because: it saw that Pod web-6f-aaaaa is being deleted)
t=7.253s     replicaset-controller    created Pod web-6f-ddddd for ReplicaSet web-6f  (because: it saw that Pod web-6f-aaaaa is being deleted; it had 2 of 3 wanted pods)
t=7.255s     kube-scheduler           assigned Pod web-6f-ddddd to node n2  (because: it saw that Pod web-6f-ddddd was created; n2 scored best of 2 nodes that fit)
t=8.156s     kubelet/n2               started container nginx of Pod web-6f-ddddd  (because: it saw that Pod web-6f-ddddd was assigned to node n2)
t=8.157s     kubelet/n2               reported Pod web-6f-ddddd as Running, ready, with address 10.244.0.9  (because: started container nginx of Pod web-6f-ddddd)
t=8.158s     kubelet/n1               container nginx of Pod web-6f-aaaaa exited with code 0  (because: it saw that Pod web-6f-aaaaa is being deleted)
t=8.159s     kubelet/n1               removed Pod web-6f-aaaaa for good  (because: container nginx of Pod web-6f-aaaaa exited with code 0)`.slice(
      1,
    ),
  );
});

test('what belongs together makes one line', () => {
  const lines = tell(deleteAPod()).filter((line) => line.includes('replicaset-controller'));
  expect(lines[0]).toBe(
    't=1.005s     replicaset-controller    created 3 Pods for ReplicaSet web-6f: web-6f-aaaaa, web-6f-bbbbb and web-6f-ccccc  (because: it saw that ReplicaSet web-6f was created; it had 0 of 3 wanted pods)',
  );
});

test('heartbeats are told only to those who ask', () => {
  expect(tell(deleteAPod()).filter((line) => line.includes('Lease'))).toEqual([]);
  expect(tell(deleteAPod(), { all: true }).filter((line) => line.includes('Lease'))).toHaveLength(1);
});

test('time never goes back, and no control character gets out', () => {
  const builder = new RunBuilder();
  builder.add('', 0, { kind: 'input', input: 'kubectl', text: 'kubectl annotate pod web x=\u001B[31mred' });
  builder.add('kube-scheduler', 0, { kind: 'decision', component: 'kube-scheduler', message: 'held back' });
  builder.time = 5;
  builder.add('kubelet/n1', 0, { kind: 'runtime', what: 'probe', message: 'later' });
  const lines = tell(builder.run);
  expect(lines).toEqual([
    't=0.000s     you                      ran kubectl annotate pod web x= [31mred',
    't=0.000s     kube-scheduler           held back',
    't=0.005s     kubelet/n1               later',
  ]);
});

test('components that start together make one line', () => {
  const builder = new RunBuilder();
  for (const actor of ['etcd', 'kube-apiserver', 'kubectl', 'containerd/n1', 'kubelet/n1', 'containerd/n2', 'kubelet/n2']) {
    builder.add(actor, 0, { kind: 'actor', what: 'started', incarnation: 1 });
  }
  expect(tell(builder.run)).toEqual([
    't=0.000s     cluster                  started etcd and kube-apiserver; on nodes n1 and n2: containerd and kubelet',
  ]);
});

test('what every node does alike makes one line', () => {
  const builder = new RunBuilder();
  for (const node of ['n1', 'n2']) {
    builder.add(`kube-proxy/${node}`, 0, {
      kind: 'runtime',
      what: 'rules',
      message: `kube-proxy wrote the rules of node ${node} for default/web (1 endpoint)`,
    });
  }
  expect(tell(builder.run)).toEqual([
    't=0.000s     kube-proxy               wrote the rules for default/web (1 endpoint) on nodes n1 and n2',
  ]);
});

test('a refused write is told with the answer', () => {
  const builder = new RunBuilder();
  const object = { group: '', resource: 'pods', kind: 'Pod', namespace: 'default', name: 'web' };
  const request = builder.add('kube-controller-manager', 0, {
    kind: 'request',
    verb: 'update',
    user: 'system:serviceaccount:kube-system:job-controller',
    object,
  });
  builder.add('kube-controller-manager', request, {
    kind: 'response',
    request,
    code: 409,
    reason: 'Conflict',
    message: 'the object has been modified',
  });
  expect(tell(builder.run)).toEqual([
    't=0.000s     job-controller           tried to update Pod web, but it had changed since it was read (409 Conflict)',
  ]);
});

import { expect, test } from 'vitest';
import { readDocument } from '../scenario/document-reader.ts';
import { readEventPattern } from './event-pattern.ts';

const read = (yaml: string) => readEventPattern(readDocument(yaml, 'x.yaml'));

test.each([
  ['Pod CREATED', { trace: 'write', kind: 'Pod', verb: 'create' }],
  ['"Pod/{pod} DELETED by kubelet/n1"', { trace: 'write', kind: 'Pod', name: '{pod}', verb: 'delete', by: 'system:node:n1' }],
  [
    'Pod/web-* MARKED by you',
    { trace: 'write', kind: 'Pod', name: 'web-*', verb: 'update', field: 'metadata.deletionTimestamp', by: 'kubernetes-admin' },
  ],
  ['Pod SEEN by kubelet/n1', { trace: 'watch', kind: 'Pod', by: 'kubelet/n1' }],
  ['"* CREATED by kubelet"', { trace: 'write', verb: 'create', by: 'system:node:*' }],
  ['{ trace: runtime, what: image-pulled }', { trace: 'runtime', what: 'image-pulled' }],
])('%s', (yaml, matcher) => {
  expect(read(yaml)).toEqual(matcher);
});

test('what is no pattern is refused with what is expected', () => {
  expect(() => read('Pod EXPLODED')).toThrow('x.yaml:1:1: there is no verb EXPLODED; there are CREATE, CREATED');
  expect(() => read('pods are created')).toThrow('expected Kind[/name] VERB [by actor]');
});

// Goal: a goal that has no words of its own is told in short. Method: checks as lessons write them, and what both languages make of them.
import { expect, test } from 'vitest';
import { readDocument } from '../scenario/document-reader.ts';
import { phrasesOf } from './phrases.ts';
import { readCheck } from './read-check.ts';

test.each([
  ['{ happened: "Pod/web-* CREATED by you" }', 'it happens: Pod/web-* CREATED by you'],
  ['{ happened: { trace: runtime, what: connection, way: "from 10.0.0.1 to 10.*" } }', 'it happens: connection "from 10.0.0.1 to 10.*"'],
  [
    '{ never: { kind: Event, name: web, reason: FailedScheduling, message: "*Insufficient cpu*" } }',
    'it never happens: Event/web FailedScheduling "*Insufficient cpu*"',
  ],
  [
    '{ before: [{ kind: Node, name: n1, by: kubelet, field: spec.unschedulable, equals: true }, Pod BOUND] }',
    'in this order: Node/n1 spec.unschedulable=true by kubelet < Pod BOUND',
  ],
])('%s', (yaml, words) => {
  expect(phrasesOf('en').wants(readCheck(readDocument(yaml, 'x.yaml')))).toBe(words);
});

test('in Japanese, too', () => {
  const check = readCheck(readDocument('{ happened: { kind: Pod, verb: create, by: job-controller } }', 'x.yaml'));
  expect(phrasesOf('ja').wants(check)).toBe('起きる: Pod create by job-controller');
});

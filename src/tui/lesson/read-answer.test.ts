import { expect, test } from 'vitest';
import type { OpenQuestion } from '../../lesson/question.ts';
import { readAnswer } from './read-answer.ts';

const question = (kind: OpenQuestion['kind'], options: readonly string[]): OpenQuestion => ({
  step: 's',
  id: '',
  kind,
  options,
  worded: false,
  confidence: false,
});
const control = question('control', ['create Pod', 'delete Pod', 'create Service', 'nothing']);

test.each([
  ['create Pod', ['create Pod']],
  ['create pod, create  pod', ['create Pod', 'create Pod']],
  ['create Pod x2, delete Pod', ['create Pod', 'create Pod', 'delete Pod']],
  ['2 create Pod and create Service', ['create Pod', 'create Pod', 'create Service']],
  ['ｃｒｅａｔｅ Pod、nothing', ['create Pod', 'nothing']],
  ['1 1 3', ['create Pod', 'create Pod', 'create Service']],
  ['a b', ['create Pod', 'delete Pod']],
  ['nothing', ['nothing']],
  ['create Deployment', undefined],
  ['create Pod x999', undefined],
  ['', undefined],
])('what a controller does: %s', (line, answer) => expect(readAnswer(control, line)).toEqual(answer));

test('one of several, an order, a number', () => {
  expect(readAnswer(question('lane', ['kube-scheduler', 'kubelet/n1']), 'kubelet/n1')).toBe('kubelet/n1');
  expect(readAnswer(question('lane', ['kube-scheduler', 'kubelet/n1']), '1, 2')).toBeUndefined();
  expect(readAnswer(question('order', ['x', 'y']), 'y > x')).toEqual(['y', 'x']);
  expect(readAnswer(question('number', []), '12')).toBe('12');
  expect(readAnswer(question('object', ['3', '4', '5']), '1')).toBe('3');
  expect(readAnswer(question('choice', ['stays', 'goes']), '2')).toBe('goes');
});

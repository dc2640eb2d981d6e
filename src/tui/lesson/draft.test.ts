import { expect, test } from 'vitest';
import type { OpenQuestion } from '../../lesson/question.ts';
import { type Draft, editDraft, inputOf, NO_DRAFT } from './draft.ts';

const question = (kind: OpenQuestion['kind'], confidence = false): OpenQuestion => ({
  step: 's',
  id: '',
  kind,
  options: kind === 'number' ? [] : ['x', 'y', 'z'],
  worded: false,
  confidence,
});

function type(of: OpenQuestion, ...keys: string[]): Draft {
  return keys.reduce((draft, key) => editDraft(of, draft, key) ?? draft, NO_DRAFT);
}

test('one answer, and how sure', () => {
  const of = question('choice', true);
  expect(inputOf(of, type(of, '2', 'b'))).toBeUndefined();
  expect(inputOf(of, type(of, 'a', 'b', '2'))).toEqual({ do: 'answer', answer: 'y', confidence: 2 });
  expect(inputOf(of, type(of, 'down', 'down', 'up', '3'))).toEqual({ do: 'answer', answer: 'x', confidence: 3 });
  expect(editDraft(of, NO_DRAFT, 'e')).toBeUndefined();
});

test('an order takes each once, actions as often as they are chosen', () => {
  const order = question('order');
  expect(inputOf(order, type(order, 'b', 'a'))).toBeUndefined();
  expect(inputOf(order, type(order, 'b', 'a', 'b', 'c', 'b'))).toEqual({ do: 'answer', answer: ['x', 'z', 'y'] });
  const control = question('control');
  expect(inputOf(control, type(control, 'a', 'a', 'b', 'backspace'))).toEqual({ do: 'answer', answer: ['x', 'x'] });
});

test('a number is typed; the digit after Enter says how sure', () => {
  const of = question('number', true);
  expect(inputOf(of, type(of, '1', '2', '3'))).toBeUndefined();
  expect(inputOf(of, type(of, '1', '2', 'enter', '3'))).toEqual({ do: 'answer', answer: '12', confidence: 3 });
  expect(type(of, '1', '2', 'backspace').typed).toBe('1');
});

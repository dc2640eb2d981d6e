import { expect, test } from 'vitest';
import { warningHeaders } from './warnings.ts';

test('each text once, with its quotes, as bytes', () => {
  expect(warningHeaders(['unknown field "a"', 'ä', 'unknown field "a"', 'two\nlines'])).toEqual([
    '299 - "unknown field \\"a\\""',
    '299 - "\u00c3\u00a4"',
  ]);
});

test('long ones are cut when all of them are too long, and come to an end', () => {
  const long = (letter: string): string => letter.repeat(1000);
  const whole = [...'abcd'].map(long);
  expect(warningHeaders(whole)).toEqual(whole.map((text) => `299 - "${text}"`));
  expect(warningHeaders([...whole, long('e')])).toEqual([...'abcde'].map((letter) => `299 - "${letter.repeat(256)}"`));
  const many = Array.from({ length: 30 }, (_, index) => `${index}`.padEnd(300, '.'));
  expect(warningHeaders(many)).toHaveLength(16);
});

import { expect, test } from 'vitest';
import { base64Error, base64Length } from './base64.ts';

test('the first wrong byte is named, as in Go', () => {
  expect(base64Error('aGVsbG8=')).toBeUndefined();
  expect(base64Error('aGVs\nbG8=')).toBeUndefined();
  expect(base64Error('???')).toBe('illegal base64 data at input byte 0');
  expect(base64Error('abc d')).toBe('illegal base64 data at input byte 3');
  expect(base64Length('aGVsbG8=')).toBe(5);
});

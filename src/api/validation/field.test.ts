import { expect, test } from 'vitest';
import { duplicate, forbidden, invalid, notSupported, quote, required, tooLong, tooMany } from './field.ts';

test('findings read as in the API', () => {
  expect(required('spec.x')).toEqual({ reason: 'FieldValueRequired', field: 'spec.x', body: 'Required value' });
  expect(invalid('f', 'a', 'must be b').body).toBe('Invalid value: "a": must be b');
  expect(invalid('f', { a: '<' }, 'no').body).toBe('Invalid value: {"a":"\\u003c"}: no');
  expect(invalid('f', undefined, 'no').body).toBe('Invalid value: null: no');
  expect(notSupported('f', 'x', ['a', 'b']).body).toBe('Unsupported value: "x": supported values: "a", "b"');
  expect(forbidden('f', 'why').body).toBe('Forbidden: why');
  expect(duplicate('f', 3).body).toBe('Duplicate value: 3');
  expect(tooLong('f', 10).body).toBe('Too long: may not be more than 10 bytes');
  expect(tooMany('f', 3, 1).body).toBe('Too many: 3: must have at most 1 item');
  expect(quote('a"\n\u0001')).toBe('"a\\"\\n\\x01"');
});

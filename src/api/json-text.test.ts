import { expect, test } from 'vitest';
import { duplicateKeysOf, JsonNumber, parseJson } from './json-text.ts';

test('duplicates and the text of numbers are kept', () => {
  const value = parseJson('{"a":1,"b":1.0,"a":[true,null,"x\\u0041"]}') as Record<string, unknown>;
  expect(value.a).toEqual([true, null, 'xA']);
  expect(value.b).toEqual(new JsonNumber('1.0'));
  expect(duplicateKeysOf(value)).toEqual(['a']);
});

test('syntax errors read as in Go', () => {
  expect(() => parseJson('{"a":')).toThrow('unexpected end of JSON input');
  expect(() => parseJson('{a:1}')).toThrow("invalid character 'a' looking for beginning of object key string");
  expect(() => parseJson('{"a" 1}')).toThrow("invalid character '1' after object key");
  expect(() => parseJson('[1 2]')).toThrow("invalid character '2' after array element");
  expect(() => parseJson('1 2')).toThrow("invalid character '2' after top-level value");
});

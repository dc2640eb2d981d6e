import { expect, test } from 'vitest';
import { parseYamlDocument } from './yaml-text.ts';

test('duplicates are told with their line, the last one wins', () => {
  expect(parseYamlDocument('a: 1\nb:\n  c: x\n  c: z\na: 2\n')).toEqual({
    value: { a: 2, b: { c: 'z' } },
    duplicates: ['line 4: key "c" already set in map', 'line 5: key "a" already set in map'],
    error: undefined,
  });
});

test('broken text has an error with a line', () => {
  expect(parseYamlDocument('a: 1\n b: 2\n').error).toBe('yaml: line 2: mapping values are not allowed in this context');
});

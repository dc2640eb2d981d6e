import { expect, test } from 'vitest';
import { parseFieldSelector, unsupportedFieldLabel } from './field-selector.ts';

const fields: Record<string, string> = { 'metadata.name': 'a', 'status.phase': 'Running' };
const matches = (text: string): boolean => parseFieldSelector(text).matches((field) => fields[field] ?? '');

test('conditions are joined by "and"', () => {
  expect(matches('metadata.name=a,status.phase!=Pending')).toBe(true);
  expect(matches('metadata.name==a,')).toBe(true);
  expect(matches('metadata.name!=a')).toBe(false);
  expect(matches('metadata.name=a\\,b')).toBe(false);
  expect(matches('')).toBe(true);
});

test('malformed selectors are refused in the words of the API', () => {
  expect(() => matches('metadata.name')).toThrow("invalid selector: 'metadata.name'; can't understand 'metadata.name'");
  expect(() => matches('metadata.name in (a,b)')).toThrow("invalid selector: 'metadata.name in (a,b)'; can't understand 'b)'");
  expect(parseFieldSelector('=a').requirements).toEqual([{ field: '', operator: '=', value: 'a' }]);
  expect(unsupportedFieldLabel('spec.x', false)).toBe('"spec.x" is not a known field selector: only "metadata.name", "metadata.namespace"');
});

import { expect, test } from 'vitest';
import {
  isConfigMapKey,
  isDNS1035Label,
  isDNS1123Label,
  isDNS1123Subdomain,
  isQualifiedName,
  isValidLabelValue,
  isValidPortName,
} from './content.ts';

test('good texts have no findings', () => {
  expect(isDNS1123Label('web-1')).toEqual([]);
  expect(isDNS1123Subdomain('a.b-c.d')).toEqual([]);
  expect(isQualifiedName('example.com/My_Name')).toEqual([]);
  expect(isValidLabelValue('')).toEqual([]);
  expect(isConfigMapKey('..data.x'.slice(1))).toEqual([]);
});

test('each broken rule is told in the words of the API', () => {
  expect(isDNS1123Subdomain('Web')).toEqual([
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ]);
  expect(isDNS1035Label('1a')[0]).toContain("(e.g. 'my-name',  or 'abc-123', regex used for validation is");
  expect(isDNS1123Label('a'.repeat(64))).toEqual(['must be no more than 63 characters']);
  expect(isQualifiedName('a/')).toEqual([
    'name part must be non-empty',
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
  ]);
  expect(isConfigMapKey('..')).toEqual(["must not be '..'"]);
  expect(isValidPortName('80')).toEqual(['must contain at least one letter (a-z)']);
});

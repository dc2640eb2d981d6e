import { expect, test } from 'vitest';
import { decodeBody, strictDecodingError, strictWarnings } from './decode-body.ts';
import type { ApiStatusError } from './status-error.ts';

const CONFIG_MAP = { apiVersion: 'v1', kind: 'ConfigMap' };
const complaint = (body: unknown, expected = CONFIG_MAP, type?: string): string => {
  try {
    return `no error: ${JSON.stringify(decodeBody(body, expected, type).object)}`;
  } catch (error) {
    return (error as ApiStatusError).message;
  }
};
const unrecognized = "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: ";

test('kind and apiVersion are filled in', () => {
  expect(decodeBody({ metadata: { name: 'c' } }, CONFIG_MAP).object).toEqual({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'c' },
  });
  expect(decodeBody('null', CONFIG_MAP).object).toEqual({ apiVersion: 'v1', kind: 'ConfigMap', metadata: {} });
});

test('what cannot be read is refused in the words of the API', () => {
  expect(complaint('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"')).toBe(
    `${unrecognized}unexpected end of JSON input ({"apiVersion":"v1","kind":"Con ...)`,
  );
  expect(complaint('hello')).toBe(`${unrecognized}invalid character 'h' looking for beginning of value (68656c6c6f)`);
  expect(complaint('')).toBe(`${unrecognized}unexpected end of JSON input (<empty>)`);
  expect(complaint('[]')).toContain(
    'cannot unmarshal array into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind',
  );
  expect(complaint({ ...CONFIG_MAP, apiVersion: 'a/b/c' })).toBe(
    'the object provided is unrecognized (must be of type ConfigMap): unexpected GroupVersion string: a/b/c ({"apiVersion":"a/b/c","kind":" ...)',
  );
  expect(complaint({ ...CONFIG_MAP, kind: 'Pod' })).toBe(
    'Pod in version "v1" cannot be handled as a ConfigMap: converting (v1.Pod) to (core.ConfigMap): unknown conversion',
  );
  expect(complaint({ ...CONFIG_MAP, kind: 'Thing' })).toBe(
    'Thing in version "v1" cannot be handled as a ConfigMap: no kind "Thing" is registered for version "v1" in scheme "pkg/runtime/scheme.go:110"',
  );
  expect(complaint({ ...CONFIG_MAP, data: { a: 1 } })).toBe(
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
  );
});

test('YAML bodies, with their own words for duplicates', () => {
  const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: "1"\n  k: "2"\nunknown: x\n';
  const { object, strictProblems } = decodeBody<{ data: unknown }>(text, CONFIG_MAP, 'application/yaml');
  expect(object.data).toEqual({ k: '2' });
  expect(strictDecodingError(CONFIG_MAP, strictProblems).message).toBe(
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: yaml: unmarshal errors:\n  line 7: key "k" already set in map, unknown field "unknown"',
  );
  expect(strictWarnings(strictProblems)).toEqual(['line 7: key "k" already set in map', 'unknown field "unknown"']);
  expect(complaint('apiVersion: v1\n kind: ConfigMap\n', CONFIG_MAP, 'application/yaml')).toBe(
    'the object provided is unrecognized (must be of type ConfigMap): yaml: line 2: mapping values are not allowed in this context (61706956657273696f6e3a2076310a206b696e643a20436f6e6669674d61 ...)',
  );
});

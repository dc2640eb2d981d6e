import { expect, test } from 'vitest';
import { ManifestError, parseManifest } from './manifest.ts';

const complaint = (text: string): string => {
  try {
    parseManifest(text, 'web.yaml');
    return 'none';
  } catch (error) {
    expect(error).toBeInstanceOf(ManifestError);
    return (error as ManifestError).message;
  }
};

test('several documents and lists become objects that know their line', () => {
  const text =
    '# a comment\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\n---\napiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Secret, metadata: {name: b}}\n';
  expect(parseManifest(text, 'x').map(({ object, line }) => `${object.kind}/${object.metadata.name}:${line}`)).toEqual([
    'ConfigMap/a:2',
    'Secret/b:7',
  ]);
  expect(parseManifest('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"j"}}')).toHaveLength(1);
});

test('mistakes are told with file, line, column, field and what was expected', () => {
  expect(complaint('- a\n')).toBe('web.yaml:1:1: expected an object with apiVersion, kind and metadata, found a list');
  expect(complaint('apiVersion: v1\nmetadata: {name: a}\n')).toBe('web.yaml:1:1: kind: missing; expected e.g. Deployment');
  expect(complaint('apiVersion: 1\nkind: Pod\nmetadata: {name: a}\n')).toBe('web.yaml:1:1: apiVersion: expected text, e.g. apps/v1');
  expect(complaint('apiVersion: v1\nkind: Pod\n')).toBe('web.yaml:1:1: metadata: missing; expected an object with a name');
  expect(complaint('apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n bad: x\n')).toMatch(/^web\.yaml:5:1: /);
});

test('aliases that lead nowhere or never end are told of', () => {
  const object = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n';
  expect(complaint(`${object}data: *nope\n`)).toMatch(/^web\.yaml:\d+:\d+: .*nope/);
  expect(complaint(`${object}data: &d {again: *d}\n`)).toBe('web.yaml:1:1: an alias lies within what it refers to, which would never end');
  const nines = (name: string, of: string): string => `${name}: &${name} [${Array(9).fill(of).join(', ')}]\n`;
  const bomb = `${nines('a', 'x')}${nines('b', '*a')}${nines('c', '*b')}${nines('d', '*c')}${nines('e', '*d')}`;
  expect(complaint(`${bomb}${object}`)).toBe('web.yaml:1:1: aliases of aliases come to more than can be meant');
  expect(complaint(`${object}data: ${'['.repeat(20_000)}`)).toMatch(/^web\.yaml:\d+:\d+: /);
});

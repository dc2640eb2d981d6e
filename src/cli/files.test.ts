import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { besides, readText } from './files.ts';

const folder = mkdtempSync(join(tmpdir(), 'bottleship-files-'));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (name: string, text: string | Buffer): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

it('reads text, and what is beside it', () => {
  const path = write('a.yaml', 'kind: Café\r\n');
  expect(readText(path)).toBe('kind: Café\r\n');
  expect(besides(path)('a.yaml')).toBe('kind: Café\r\n');
  expect(besides(path)('b.yaml')).toBeUndefined();
});

it('says where a file is not UTF-8', () => {
  const path = write('latin.yaml', Buffer.from('kind: Pod\nname: caf\xe9\n', 'latin1'));
  const problem = ':2:10: expected text in UTF-8, found other bytes';
  expect(() => readText(path)).toThrow(`${path}${problem}`);
  expect(() => besides(path)('latin.yaml')).toThrow(`latin.yaml${problem}`);
  expect(() => readText(write('wide.yaml', Buffer.from('\ufeffkind: Pod', 'utf16le')))).toThrow(':1:1: expected text in UTF-8');
});

it('says why a file cannot be read', () => {
  expect(() => readText(join(folder, 'nope'))).toThrow('nope: there is no such file');
  expect(() => readText(folder)).toThrow(`${folder}: this is a folder, not a file`);
});

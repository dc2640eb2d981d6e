import { expect, it } from 'vitest';
import type { HostFiles } from '../../../src/api/cri.ts';
import { setUpHostPath } from './host-path.ts';

function filesOf(entries: Readonly<Record<string, string | undefined>>): HostFiles & { readonly written: string[] } {
  const written: string[] = [];
  return {
    written,
    readFile: (path) => entries[path],
    isDirectory: (path) => path in entries && entries[path] === undefined,
    writeFile: (path) => void written.push(path),
    makeDirectory: () => {},
    list: () => [],
    size: () => 0,
    remove: () => {},
  };
}

const files = filesOf({ '/data': undefined, '/data/f': 'text' });

it.each([
  ['Directory', '/data', undefined],
  ['Directory', '/data/f', '/data/f is not a directory'],
  ['Directory', '/none', '/none is not a directory'],
  ['DirectoryOrCreate', '/none', undefined],
  ['DirectoryOrCreate', '/data/f', '/data/f is not a directory'],
  ['File', '/data/f', undefined],
  ['File', '/data', '/data is not a file'],
  ['File', '/none', '/none is not a file'],
  ['FileOrCreate', '/data', '/data is not a file'],
  ['Socket', '/data/f', '/data/f is not a socket file'],
  ['CharDevice', '/none', '/none is not a character device'],
  ['BlockDevice', '/none', '/none is not a block device'],
  ['Socket', '/run/containerd/containerd.sock', undefined],
  ['', '/none', undefined],
])('type %j of %s: %s', (type, path, problem) => {
  const result = setUpHostPath(files, { path, type });
  if (problem) expect(result).toEqual({ problem: `hostPath type check failed: ${problem}` });
  else expect(result).toMatchObject({ path });
});

it('makes a file where that is asked for', () => {
  const empty = filesOf({});
  setUpHostPath(empty, { path: '/data/new', type: 'FileOrCreate' });
  expect(empty.written).toEqual(['/data/new']);
});

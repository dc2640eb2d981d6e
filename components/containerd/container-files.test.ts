import { expect, test } from 'vitest';
import { ContainerFiles } from './container-files.ts';
import { FileTree } from './file-tree.ts';

function make() {
  const host = new FileTree();
  host.makeDirectory('/volumes/data');
  host.writeFile('/volumes/config/key', 'value');
  const mounts = [
    { containerPath: '/data', hostPath: '/volumes/data', readOnly: false },
    { containerPath: '/etc/app', hostPath: '/volumes/config', readOnly: true },
    { containerPath: '/dev/termination-log', hostPath: '/logs/end', readOnly: false },
  ];
  return { host, files: new ContainerFiles({ host, mounts, base: { '/etc/hostname': 'web\n' } }) };
}

test('what is written to a volume is on the node; the rest is the container alone', () => {
  const { host, files } = make();
  expect(files.write('/data/f', 'kept')).toBeUndefined();
  expect(host.readFile('/volumes/data/f')).toBe('kept');
  expect(files.write('/tmp/f', 'lost')).toBeUndefined();
  expect(host.readFile('/tmp/f')).toBeUndefined();
  expect(files.read('/tmp/f')).toEqual({ text: 'lost' });
});

test('a mounted file can be written, and its directory is there', () => {
  const { host, files } = make();
  expect(files.write('/dev/termination-log', 'all well')).toBeUndefined();
  expect(host.readFile('/logs/end')).toBe('all well');
});

test('failures are worded as the system words them', () => {
  const { files } = make();
  expect(files.write('/etc/app/key', 'x')).toBe('Read-only file system');
  expect(files.write('/nope/f', 'x')).toBe('No such file or directory');
  expect(files.read('/nope')).toEqual({ failure: 'No such file or directory' });
  expect(files.read('/etc')).toEqual({ failure: 'Is a directory' });
  expect(files.makeDirectory('/tmp', false)).toBe('File exists');
  expect(files.makeDirectory('/tmp', true)).toBeUndefined();
  expect(files.remove('/etc/hostname', false)).toBeUndefined();
  expect(files.remove('/etc/hostname', false)).toBe('No such file or directory');
});

test('lists show mounts too', () => {
  const { files } = make();
  expect(files.list('/etc')).toEqual(['app', 'hostname']);
  expect(files.list('/')).toContain('data');
  expect(files.isDirectory('/dev')).toBe(true);
});

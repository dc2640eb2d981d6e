import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FileTree } from './file-tree.ts';

test('files and directories', () => {
  const tree = new FileTree();
  tree.writeFile('/a/b/c', 'text');
  tree.makeDirectory('/a/d');
  expect(tree.readFile('/a/./b/../b/c')).toBe('text');
  expect(tree.readFile('/a/b')).toBeUndefined();
  expect(tree.list('/a')).toEqual(['b', 'd']);
  expect(tree.isDirectory('/a/d')).toBe(true);
  tree.writeFile('/a/d', 'a directory is not overwritten');
  expect(tree.isDirectory('/a/d')).toBe(true);
  tree.remove('/a/b');
  expect(tree.readFile('/a/b/c')).toBeUndefined();
  tree.remove('/not/there');
});

test('behaves as a map of paths', () => {
  const path = fc.array(fc.constantFrom('x', 'y', 'z'), { minLength: 2, maxLength: 2 }).map((parts) => `/${parts.join('/')}`);
  fc.assert(
    fc.property(fc.array(fc.tuple(path, fc.option(fc.string()))), (steps) => {
      const tree = new FileTree();
      const model = new Map<string, string>();
      for (const [at, text] of steps) {
        if (text === null) {
          tree.remove(at);
          model.delete(at);
        } else {
          tree.writeFile(at, text);
          model.set(at, text);
        }
      }
      for (const [at] of steps) expect(tree.readFile(at)).toBe(model.get(at));
    }),
  );
});

test('knows the size of each directory, whatever was written over and removed', () => {
  const tree = new FileTree();
  tree.writeFile('/a/b/one', '12345');
  tree.writeFile('/a/two', '123');
  tree.writeFile('/a/b/one', '1');
  tree.writeFile('/a/b', 'a directory stays one');
  expect(['/', '/a', '/a/b', '/a/b/one', '/nowhere'].map((path) => tree.size(path))).toEqual([4, 4, 1, 1, 0]);
  tree.remove('/a/b');
  tree.remove('/a/b');
  expect(['/', '/a', '/a/b'].map((path) => tree.size(path))).toEqual([3, 3, 0]);
});

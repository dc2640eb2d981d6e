import { expect, test } from 'vitest';
import { packTar, unpackTar } from './tar-archive.ts';

test('what is packed comes out again, measured in bytes', () => {
  const members = [
    { name: 'dir', text: undefined },
    { name: 'dir/naïve.txt', text: 'größer\n'.repeat(100) },
    { name: 'empty', text: '' },
  ];
  const archive = packTar(members, 0);
  expect(new TextEncoder().encode(archive).length % 512).toBe(0);
  expect(unpackTar(archive)).toEqual(members);
  expect(unpackTar('no archive'.repeat(100))).toBeUndefined();
});

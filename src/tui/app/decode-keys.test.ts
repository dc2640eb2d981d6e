import type { Key } from 'ink';
import { expect, test } from 'vitest';
import { decodeKeys } from './decode-keys.ts';

const NONE = {} as Key;

test('a burst is one key each; full-width letters count as plain; control characters have names', () => {
  expect(decodeKeys('jj.', NONE)).toEqual(['j', 'j', '.']);
  expect(decodeKeys('ｊ：？', NONE)).toEqual(['j', ':', '?']);
  expect(decodeKeys('g ', NONE)).toEqual(['g', 'space']);
  expect(decodeKeys('q\r', NONE)).toEqual(['q', 'enter']);
  expect(decodeKeys('c', { ctrl: true } as Key)).toEqual(['ctrl-c']);
  expect(decodeKeys('', { tab: true, shift: true } as Key)).toEqual(['shift-tab']);
});

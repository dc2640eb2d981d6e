import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellWidth, padCells, printable, truncate, truncateMiddle, wrap } from './cells.ts';

describe('cells', () => {
  test('wide characters take two cells, combining ones none', () => {
    expect(['web', 'ノード', 'e\u0301', 'ｊ', '─'].map(cellWidth)).toEqual([3, 6, 1, 2, 1]);
  });

  test('padCells gives exactly the width that was asked for', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 0, max: 30 }),
        (text, width) => cellWidth(padCells(printable(text), width)) === width,
      ),
    );
  });

  test('a cut is marked, and in the middle it keeps the end of a generated name', () => {
    expect(truncate('kube-controller-manager', 10)).toBe('kube-con..');
    expect(truncateMiddle('Pod/web-66bfd4b56b-x2x9d', 16)).toBe('Pod/web..b-x2x9d');
  });

  test('nothing that could move the cursor is left', () => {
    expect(printable('a\u001B[2Jb\u009Bc\nd')).toBe('a [2Jb c d');
  });

  test('wraps between words and cuts words that are too long', () => {
    expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrap('abcdefghij k', 4)).toEqual(['abcd', 'efgh', 'ij k']);
  });
});

test('Japanese is broken where a reader would', () => {
  expect(wrap('クラスターが動いています。Podを削除します。', 26)).toEqual(['クラスターが動いています。', 'Podを削除します。']);
  expect(wrap('これはReplicaSetのことです', 14)).toEqual(['これは', 'ReplicaSetのこ', 'とです']);
  expect(wrap('あ「い」う', 4)).toEqual(['あ', '「い', '」う']);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellWidth } from './cells.ts';
import { wrapSentence } from './wrap-sentence.ts';

test('Japanese breaks between words, and no line begins with a closing sign or ends with an opening one', () => {
  const text = 'それぞれがAPIサーバーを監視し、自分の小さな役割を果たします。「印」が付いたPodは、数に入りません。';
  for (let width = 8; width < 60; width++) {
    const lines = wrapSentence(text, width);
    expect(lines.join('')).toBe(text);
    for (const line of lines) {
      expect(cellWidth(line)).toBeLessThanOrEqual(width);
      if (width > 12) expect(line).not.toMatch(/^[、。」ー]|「$/);
    }
  }
});

test('English breaks between words; a long name is cut rather than lost; paragraphs stay', () => {
  expect(wrapSentence('one two three', 8)).toEqual(['one two', 'three']);
  expect(wrapSentence('web-b764f44c8-4728h goes', 10)).toEqual(['web-b764f4', '4c8-4728h', 'goes']);
  expect(wrapSentence('a b\nc', 20)).toEqual(['a b', 'c']);
});

test('nothing is too wide', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.integer({ min: 2, max: 40 }), (text, width) =>
      wrapSentence(text.replace(/[\p{C}\p{Z}]/gu, ' '), width).every((line) => cellWidth(line) <= width),
    ),
    { numRuns: 50 },
  );
});

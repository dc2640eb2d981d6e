import { expect, it } from 'vitest';
import { parseXml, writeXml } from './xml-text.ts';

it('reads what it writes', () => {
  const text = writeXml('Response xmlns="urn:x"', { set: [{ id: 'a&b' }, { id: 'c' }], empty: [], gone: undefined, size: 3 });
  expect(text).toBe(
    '<Response xmlns="urn:x"><set><item><id>a&amp;b</id></item><item><id>c</id></item></set><empty></empty><size>3</size></Response>',
  );
  const root = parseXml(`<?xml version="1.0" encoding="UTF-8"?>\n${text}`);
  expect(root?.items('set').map((item) => item.text('id'))).toEqual(['a&b', 'c']);
  expect(root?.items('empty')).toEqual([]);
  expect([root?.text('size'), root?.text('gone'), root?.text('nobody', 'here')]).toEqual(['3', undefined, undefined]);
});

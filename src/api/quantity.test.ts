import { expect, test } from 'vitest';
import { canonicalQuantity, newMilliQuantity, newQuantity, parseQuantity, tryParseQuantity } from './quantity.ts';

test('the canonical form keeps the value and takes the largest suffix', () => {
  const cases: Record<string, string> = {
    '0.5': '500m',
    '1000m': '1',
    '1024Mi': '1Gi',
    '1Gi': '1Gi',
    '1.5Gi': '1536Mi',
    '100': '100',
    '1e3': '1e3',
    '1000': '1k',
    '0': '0',
    '-1Gi': '-1Gi',
    '1E': '1E',
    '0.0000000001': '1n',
    '1023Ki': '1023Ki',
    '500Ki': '500Ki',
    '0.5Ki': '512',
    '+5': '5',
    '.5': '500m',
    '5.': '5',
    '12e6': '12e6',
    '1500Mi': '1500Mi',
    '100m': '100m',
    '0Mi': '0',
    '0100m': '0100m',
    '2e0': '2e0',
    '1000k': '1M',
  };
  for (const [text, canonical] of Object.entries(cases)) expect([text, canonicalQuantity(text)]).toEqual([text, canonical]);
});

test('malformed text is no quantity', () => {
  for (const text of ['', '1GB', '100 m', 'abc', '1.2.3', '.', '+', '1Kii', '1e'])
    expect([text, tryParseQuantity(text)]).toEqual([text, undefined]);
});

test('arithmetic is exact', () => {
  expect(parseQuantity('100m').add(parseQuantity('0.2')).toString()).toBe('300m');
  expect(parseQuantity('1Gi').sub(parseQuantity('512Mi')).toString()).toBe('512Mi');
  expect(parseQuantity('1').compare(parseQuantity('1000m'))).toBe(0);
  expect(parseQuantity('1500m').value()).toBe(2);
  expect(parseQuantity('0.1m').milliValue()).toBe(1);
  expect(newQuantity(0).add(parseQuantity('1Gi')).toString()).toBe('1Gi');
  expect(newMilliQuantity(1500).toString()).toBe('1500m');
});

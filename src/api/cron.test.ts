import { expect, test } from 'vitest';
import { parseCron } from './cron.ts';

test('fields, names, steps and descriptors', () => {
  const schedule = parseCron('*/15 0 1,15 jan-mar mon');
  expect(schedule).toMatchObject({
    kind: 'fields',
    minute: new Set([0, 15, 30, 45]),
    hour: new Set([0]),
    dom: new Set([1, 15]),
    month: new Set([1, 2, 3]),
    dow: new Set([1]),
    domStar: false,
    dowStar: false,
  });
  expect(parseCron('@hourly')).toMatchObject({ minute: new Set([0]), domStar: true });
  expect(parseCron('0 0 */2 * *')).toMatchObject({ domStar: false, dowStar: true });
  expect(parseCron('@every 1m30s')).toEqual({ kind: 'every', ms: 90_000 });
});

test('mistakes are told in the words of the library', () => {
  const mistakes: Record<string, string> = {
    'every day': 'expected exactly 5 fields, found 2: [every day]',
    '60 * * * *': 'end of range (60) above maximum (59): 60',
    '* * 0 * *': 'beginning of range (0) below minimum (1): 0',
    '*/0 * * * *': 'step of range should be a positive number: */0',
    '5-1 * * * *': 'beginning of range (5) beyond end of range (1): 5-1',
    '@fortnightly': 'unrecognized descriptor: @fortnightly',
    '@every 1x': 'failed to parse duration @every 1x: time: unknown unit "x" in duration "1x"',
  };
  for (const [text, message] of Object.entries(mistakes)) expect(() => parseCron(text)).toThrow(message);
});

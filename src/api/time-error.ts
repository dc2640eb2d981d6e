import { parseDuration } from './time.ts';
import { quote } from './validation/field.ts';

const ELEMENTS: readonly (readonly [layout: string, pattern: RegExp])[] = [
  ['2006', /^\d{4}/],
  ['-', /^-/],
  ['01', /^\d\d/],
  ['-', /^-/],
  ['02', /^\d\d/],
  ['T', /^T/],
  ['15', /^\d\d/],
  [':', /^:/],
  ['04', /^\d\d/],
  [':', /^:/],
  ['05', /^\d\d/],
];

/** Go's complaint about a malformed time (time.ParseError), for Time and MicroTime. */
export function timeParseError(text: string, type: 'time' | 'microTime'): string {
  const layout = `2006-01-02T15:04:05${type === 'microTime' ? '.000000' : ''}Z07:00`;
  const complain = (rest: string, element: string): string =>
    `parsing time ${quote(text)} as ${quote(layout)}: cannot parse ${quote(rest)} as ${quote(element)}`;
  let rest = text;
  for (const [element, pattern] of ELEMENTS) {
    const match = pattern.exec(rest);
    if (!match) return complain(rest, element);
    rest = rest.slice(match[0].length);
  }
  if (type === 'microTime') {
    if (!/^\.\d{6}(?!\d)/.test(rest)) return complain(rest, '.000000');
    rest = rest.slice(7);
  } else rest = rest.replace(/^[.,]\d+/, '');
  const zone = /^(?:Z|[+-]\d\d:\d\d)/.exec(rest);
  if (!zone) return complain(rest, 'Z07:00');
  const extra = rest.slice(zone[0].length);
  if (extra) return `parsing time ${quote(text)}: extra text: ${quote(extra)}`;
  return `parsing time ${quote(text)}: ${outOfRange(text)} out of range`;
}

function outOfRange(text: string): string {
  const [month = 0, day = 0, hour = 0, minute = 0, second = 0] = [
    text.slice(5, 7),
    text.slice(8, 10),
    text.slice(11, 13),
    text.slice(14, 16),
    text.slice(17, 19),
  ].map(Number);
  if (month < 1 || month > 12) return 'month';
  if (hour > 23) return 'hour';
  if (minute > 59) return 'minute';
  return second > 59 ? 'second' : day > 0 ? 'day' : 'day';
}

/** What Go's time.ParseDuration says of a text that is no duration; undefined when it is one. */
export function durationError(text: string): string | undefined {
  if (parseDuration(text) !== undefined) return undefined;
  const quoted = JSON.stringify(text);
  const rest = text.replace(/^[+-]/, '');
  const numbers = /^((?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))*(\d+\.?\d*|\.\d+)([^\d.]*)/.exec(rest);
  if (!numbers) return `time: invalid duration ${quoted}`;
  const unit = numbers[3] ?? '';
  return unit === '' ? `time: missing unit in duration ${quoted}` : `time: unknown unit ${JSON.stringify(unit)} in duration ${quoted}`;
}

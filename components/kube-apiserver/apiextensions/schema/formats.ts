import { base64Error } from '../../../../src/api/base64.ts';
import { parseTime } from '../../../../src/api/time.ts';
import { isCidr, isIP } from '../../../../src/api/validation/ip.ts';

/** The formats of texts that are known. Others are taken, with a warning. */
const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: (text) => /^[0-9a-fA-F]{24}$/.test(text),
  uri: (text) => URL.canParse(text),
  email: (text) => /^[^@\s<>]+@[^@\s<>]+$/.test(text),
  hostname: (text) =>
    text.length <= 255 &&
    /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)*[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.?$/.test(text),
  ipv4: (text) => isIP(text) === 4,
  ipv6: (text) => isIP(text) === 6,
  cidr: (text) => isCidr(text),
  mac: (text) => /^(?:[0-9a-fA-F]{2}([:-])(?:[0-9a-fA-F]{2}\1){4}[0-9a-fA-F]{2}|(?:[0-9a-fA-F]{4}\.){2}[0-9a-fA-F]{4})$/.test(text),
  uuid: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text),
  uuid3: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text),
  uuid4: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i.test(text),
  uuid5: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i.test(text),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: (text) => isIsbn10(text),
  isbn13: (text) => isIsbn13(text),
  creditcard: (text) => isCreditCard(text),
  ssn: (text) => /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  hexcolor: (text) => /^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(text),
  rgbcolor: (text) => isRgbColor(text),
  byte: (text) => base64Error(text) === undefined,
  password: () => true,
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && parseTime(`${text}T00:00:00Z`) !== undefined,
  duration: (text) => isDuration(text),
  datetime: (text) => isDateTime(text),
  'date-time': (text) => isDateTime(text),
};
/** Known, but about numbers, or checked elsewhere. */
const OTHER_FORMATS = new Set(['int32', 'int64', 'float', 'double', 'k8s-short-name', 'k8s-long-name']);

export function isKnownFormat(format: string): boolean {
  return Object.hasOwn(FORMATS, format) || OTHER_FORMATS.has(format);
}

/** Whether a text has a format; unknown formats hold for all texts. */
export function hasFormat(text: string, format: string): boolean {
  return Object.hasOwn(FORMATS, format) ? (FORMATS[format]?.(text) ?? true) : true;
}

function isDateTime(text: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}[tT ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:[zZ]|[+-]\d{2}:?\d{2})$/.test(text) && parseTime(text.toUpperCase()) !== undefined
  );
}

/** kube-openapi pkg/validation/strfmt.ParseDuration: as in Go, and in words. */
function isDuration(text: string): boolean {
  if (/^[+-]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.test(text)) return true;
  return /^\s*(?:\d+\s*(?:ns|nanos?|nanoseconds?|us|µs|micros?|microseconds?|ms|millis?|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|wks?|weeks?)\s*)+$/i.test(
    text,
  );
}

function isRgbColor(text: string): boolean {
  const match = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(text);
  return match?.slice(1).every((part) => Number(part) <= 255) ?? false;
}

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\s-]/g, '');
  if (!/^\d{9}[\dX]$/.test(digits)) return false;
  const sum = [...digits].reduce((total, digit, index) => total + (10 - index) * (digit === 'X' ? 10 : Number(digit)), 0);
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\s-]/g, '');
  return /^\d{13}$/.test(digits) && [...digits].reduce((total, digit, index) => total + Number(digit) * (index % 2 ? 3 : 1), 0) % 10 === 0;
}

function isCreditCard(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  if (!/^\d{12,19}$/.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}

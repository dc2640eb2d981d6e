import type { Comparison, Selection } from './check.ts';
import type { CheckResult, Found } from './judge-check.ts';

/** The small words that descriptions of checks are put together from. */
export interface CheckWords {
  readonly ready: string;
  readonly notReady: string;
  readonly nothing: string;
  readonly absentField: string;
  comparison(is: Comparison): string;
  moment(time: string, count: number): string;
  happenedInstead(text: string): string;
}

/** `Pod web-*, ready` */
export function selectionWords(of: Selection, words: CheckWords): string {
  const more = [
    ...Object.entries(of.labels ?? {}).map(([key, value]) => `${key}=${value}`),
    ...(of.ready === undefined ? [] : [of.ready ? words.ready : words.notReady]),
    ...Object.entries(of.where ?? {}).map(([path, value]) => `${path}=${valueWords(value, words)}`),
    ...(of.namespace === undefined ? [] : [`-n ${of.namespace}`]),
  ];
  return `${of.kind}${of.name === undefined ? '' : ` ${of.name}`}${more.length ? ` (${more.join(', ')})` : ''}`;
}

export function foundWords({ found }: CheckResult, words: CheckWords): string {
  return foundText(found, words);
}

function foundText(found: Found, words: CheckWords): string {
  switch (found.what) {
    case 'count':
      return `${found.count}${found.names.length ? ` (${shortList(found.names)})` : ''}`;
    case 'values':
      return found.values.length ? shortList(found.values.map(({ name, value }) => `${name}: ${valueWords(value, words)}`)) : words.nothing;
    case 'trace':
      return words.happenedInstead(found.text);
    case 'moment':
      return words.moment(`t=${(found.time / 1000).toFixed(3)}s`, found.count);
    case 'nothing':
      return words.nothing;
  }
}

function shortList(items: readonly string[]): string {
  return items.length > 4 ? `${items.slice(0, 3).join(', ')}, …` : items.join(', ');
}

function valueWords(value: unknown, words: CheckWords): string {
  if (value === undefined || value === null) return words.absentField;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

import { parseTime } from '../../api/time.ts';
import { tabulate } from '../tab-writer.ts';

/** Collects a description, level by level, and sets it in columns at the end: kubectl pkg/describe PrefixWriter. */
export class DescribeWriter {
  #text = '';

  /** One line; tabs end cells. */
  line(level: number, text: string): void {
    this.#text += `${'  '.repeat(level)}${text}\n`;
  }

  /** `label:<tab>value` */
  field(level: number, label: string, value: string | number | undefined): void {
    this.line(level, `${label}:\t${value ?? ''}`);
  }

  /** A map, one entry a line, sorted, the first beside the label: printLabelsMultilineWithIndent. */
  map(level: number, label: string, map: Readonly<Record<string, string>> | undefined): void {
    const entries = Object.entries(map ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
    if (entries.length === 0) {
      this.field(level, label, '<none>');
      return;
    }
    for (const [index, [key, value]] of entries.entries()) this.line(level, `${index === 0 ? `${label}:` : ''}\t${key}=${value}`);
  }

  annotations(level: number, label: string, map: Readonly<Record<string, string>> | undefined): void {
    const entries = Object.entries(map ?? {})
      .filter(([key]) => key !== 'kubectl.kubernetes.io/last-applied-configuration')
      .sort(([a], [b]) => (a < b ? -1 : 1));
    if (entries.length === 0) {
      this.field(level, label, '<none>');
      return;
    }
    for (const [index, [key, value]] of entries.entries()) {
      const lead = index === 0 ? `${label}:\t` : '\t';
      const own = value.trimEnd().split('\n');
      // Long and many-lined values stand below their key.
      if (own.length > 1 || value.length + key.length >= LONGEST_ANNOTATION) {
        this.line(level, `${lead}${key}:`);
        for (const part of own) this.line(level, `\t  ${shorten(part)}`);
      } else this.line(level, `${lead}${key}: ${value}`);
    }
  }

  /** What was written, with its tabs. */
  get text(): string {
    return this.#text;
  }

  lines(): string[] {
    return tabulate(this.#text.replace(/\n$/, ''));
  }
}

const LONGEST_ANNOTATION = 140;

function shorten(text: string): string {
  const longest = LONGEST_ANNOTATION - 2;
  return text.length > longest ? `${text.slice(0, longest)}...` : text;
}

/** `Thu, 01 Jan 2026 00:00:00 +0000`: time.RFC1123Z */
export function longTime(time: string | undefined): string {
  const ms = time === undefined ? undefined : parseTime(time);
  return ms === undefined ? '' : new Date(ms).toUTCString().replace('GMT', '+0000');
}

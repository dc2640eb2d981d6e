import { parseDuration } from '../scenario/duration.ts';
import type { OptionValues } from './command.ts';
import { UsageError } from './usage-error.ts';

export function stringOption(options: OptionValues, name: string): string | undefined {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
}

export function listOption(options: OptionValues, name: string): string[] {
  const value = options[name];
  return Array.isArray(value) ? value.map(String) : [];
}

/** @throws UsageError */
export function numberOption(options: OptionValues, name: string): number | undefined {
  const text = stringOption(options, name);
  if (text === undefined) return undefined;
  if (!/^\d+$/.test(text)) throw new UsageError(`--${name} takes a whole number, not "${text}"`);
  return Number(text);
}

/** Virtual milliseconds. @throws UsageError */
export function durationOption(options: OptionValues, name: string): number | undefined {
  const text = stringOption(options, name);
  if (text === undefined) return undefined;
  const ms = parseDuration(text);
  if (ms === undefined) throw new UsageError(`--${name} takes a time such as 30s, 1m30s or 500ms, not "${text}"`);
  return ms;
}

import { KubectlError } from './kubectl-error.ts';

/** A flag that a command takes: its long name, and how its value is read. */
export interface FlagSpec {
  /** `optional`: a text that may be left out, such as `--dry-run`; it is never the next word. `repeated`: may come again, but is not split at commas. */
  readonly type: 'boolean' | 'string' | 'list' | 'repeated' | 'optional';
  readonly short?: string;
}

export type FlagSpecs = Readonly<Record<string, FlagSpec>>;

/** Flags as given; absent ones are missing. Boolean flags are 'true' or 'false'. */
export class Flags {
  readonly #values: Map<string, string[]>;
  readonly #command: string;

  constructor(values: Map<string, string[]>, command = 'kubectl') {
    this.#values = values;
    this.#command = command;
  }

  /** The same with other values; an empty one takes a flag away. */
  with(others: Readonly<Record<string, string>>): Flags {
    const values = new Map(this.#values);
    for (const [name, value] of Object.entries(others)) {
      if (value) values.set(name, [value]);
      else values.delete(name);
    }
    return new Flags(values, this.#command);
  }

  string(name: string): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  list(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  boolean(name: string, otherwise = false): boolean {
    const value = this.string(name);
    return value === undefined ? otherwise : value !== 'false';
  }

  /** @throws KubectlError when the value is no whole number */
  number(name: string): number | undefined {
    const value = this.string(name);
    if (value === undefined) return undefined;
    if (!/^-?\d+$/.test(value))
      throw new KubectlError(
        `error: invalid argument "${value}" for "--${name}" flag: strconv.ParseInt: parsing "${value}": invalid syntax\nSee '${this.#command} --help' for usage.`,
      );
    return Number(value);
  }
}

/**
 * Splits the words after a command into arguments and flags, in the ways kubectl accepts: `--a=b`, `--a b`, `-n b`, `-nb`, `--` ends flags.
 * @param command e.g. `kubectl get`, for that text
 * @throws KubectlError with kubectl's own text for a flag that is not known or has no value
 */
export function parseFlags(
  words: readonly string[],
  specs: FlagSpecs,
  command = 'kubectl',
): { args: string[]; after: string[]; flags: Flags } {
  const args: string[] = [];
  const after: string[] = [];
  const values = new Map<string, string[]>();
  const shorts = new Map(Object.entries(specs).flatMap(([name, { short }]) => (short ? [[short, name] as const] : [])));
  const set = (name: string, value: string): void => {
    const parts = specs[name]?.type === 'list' ? value.split(',') : [value];
    values.set(name, [...(values.get(name) ?? []), ...parts]);
  };
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    if (word === '--') {
      after.push(...words.slice(i + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      args.push(word);
      continue;
    }
    const { name, inline } = readFlag(word, shorts);
    const spec = specs[name];
    if (!spec)
      throw new KubectlError(
        `error: unknown ${word.startsWith('--') ? `flag: --${name}` : `shorthand flag: '${word[1]}' in ${word}`}\nSee '${command} --help' for usage.`,
      );
    if (spec.type === 'boolean') set(name, inline ?? 'true');
    else if (spec.type === 'optional') set(name, inline ?? 'unchanged');
    else {
      const value = inline ?? words[++i];
      if (value === undefined)
        throw new KubectlError(
          `error: flag needs an argument: ${word.startsWith('--') ? word : `'${word[1]}' in ${word}`}\nSee '${command} --help' for usage.`,
        );
      set(name, value);
    }
  }
  return { args: [...args, ...after], after, flags: new Flags(values, command) };
}

/** Flags may stand before the verb, too: `kubectl -n web get pods`. @throws KubectlError for one that is not known, where there is no verb */
export function splitAtVerb(
  words: readonly string[],
  specs: FlagSpecs,
): { before: readonly string[]; verb: string; after: readonly string[] } {
  const takesNext = (word: string): boolean => {
    const long = word.startsWith('--') ? word.slice(2) : undefined;
    const [name, spec] =
      Object.entries(specs).find(([each, { short }]) => (long === undefined ? word === `-${short}` : each === long)) ?? [];
    return name !== undefined && spec?.type !== 'boolean' && spec?.type !== 'optional';
  };
  let at = 0;
  while (words[at]?.startsWith('-') && words[at] !== '-') at += takesNext(words[at] ?? '') ? 2 : 1;
  const verb = words[at];
  if (verb === undefined) parseFlags(words, specs);
  return { before: words.slice(0, at), verb: verb ?? '', after: words.slice(at + 1) };
}

function readFlag(word: string, shorts: ReadonlyMap<string, string>): { name: string; inline?: string } {
  if (word.startsWith('--')) {
    const equals = word.indexOf('=');
    return equals < 0 ? { name: word.slice(2) } : { name: word.slice(2, equals), inline: word.slice(equals + 1) };
  }
  const name = shorts.get(word[1] ?? '') ?? word.slice(1);
  const rest = word.slice(2).replace(/^=/, '');
  return rest ? { name, inline: rest } : { name };
}

import { evaluateArithmetic } from './arithmetic.ts';
import type { List, Word, WordPart } from './ast.ts';
import { isPattern, patternToExpression } from './pattern.ts';
import { ShellError } from './shell-error.ts';
import type { ShellState } from './shell-state.ts';

export interface ExpandParts {
  readonly state: ShellState;
  readonly pid: number;
  readonly random: () => number;
  /** Runs a command substitution; gives what it wrote. */
  readonly capture: (list: List) => Promise<string>;
  /** Names in a directory. */
  readonly list: (path: string) => readonly string[];
}

/** A piece of a field: quoted pieces are neither split nor matched against files. */
interface Piece {
  readonly text: string;
  readonly quoted: boolean;
}

/** Expands words into fields: parameters, commands, arithmetic, splitting, file names. */
export async function expandWords(parts: ExpandParts, words: readonly Word[]): Promise<string[]> {
  const out: string[] = [];
  for (const word of words) out.push(...(await expandWord(parts, word)));
  return out;
}

async function expandWord(parts: ExpandParts, word: Word): Promise<string[]> {
  const [only] = word.parts;
  if (word.parts.length === 1 && only?.type === 'text' && (only.quoted || !/^~|[*?[]/.test(only.text))) return [only.text];
  const fields: Piece[][] = [[]];
  let started = false;
  for (const part of word.parts) started = (await addPart(parts, part, fields)) || started;
  const kept = fields.filter(
    (field, index) => field.length > 0 || (started && fields.length === 1 && index === 0 && word.parts.some(({ quoted }) => quoted)),
  );
  return kept.flatMap((field) => matchFiles(parts, tilde(parts, field)));
}

/** Expands a word to one text, unsplit: for assignments, redirections, `case`. */
export async function expandToText(parts: ExpandParts, word: Word): Promise<string> {
  const texts: string[] = [];
  for (const part of word.parts) {
    if (part.type === 'parameter' && (part.name === '@' || part.name === '*') && part.operator === '')
      texts.push(parts.state.parameters.join(' '));
    else texts.push(part.type === 'text' ? part.text : await partValue(parts, part));
  }
  const text = texts.join('');
  return word.parts[0]?.type === 'text' && !word.parts[0].quoted && /^~(\/|$)/.test(text)
    ? (parts.state.variables.get('HOME') ?? '/root') + text.slice(1)
    : text;
}

/** Expands a word to a pattern: what was quoted stands for itself. */
export async function expandToPattern(parts: ExpandParts, word: Word): Promise<string> {
  const texts: string[] = [];
  for (const part of word.parts) {
    const text = part.type === 'text' ? part.text : await partValue(parts, part);
    texts.push(part.quoted ? text.replace(/[*?[\]\\]/g, '\\$&') : text);
  }
  return texts.join('');
}

/** @returns whether the part gives a field even when it is empty */
async function addPart(parts: ExpandParts, part: WordPart, fields: Piece[][]): Promise<boolean> {
  const last = (): Piece[] => fields.at(-1) ?? [];
  if (part.type === 'text') {
    if (part.text !== '' || part.quoted) last().push({ text: part.text, quoted: part.quoted });
    return true;
  }
  if (part.type === 'parameter' && part.name === '@' && part.quoted && part.operator === '') {
    for (const [index, text] of parts.state.parameters.entries()) {
      if (index > 0) fields.push([]);
      last().push({ text, quoted: true });
    }
    return parts.state.parameters.length > 0;
  }
  const value = await partValue(parts, part);
  if (part.quoted) {
    last().push({ text: value, quoted: true });
    return true;
  }
  const pieces = value.split(/[ \t\n]+/);
  for (const [index, text] of pieces.entries()) {
    if (index > 0) fields.push([]);
    if (text !== '') last().push({ text, quoted: false });
  }
  return false;
}

async function partValue(parts: ExpandParts, part: WordPart): Promise<string> {
  if (part.type === 'text') return part.text;
  if (part.type === 'command') return (await parts.capture(part.list)).replace(/\n+$/, '');
  if (part.type === 'arithmetic') {
    const text = await expandToText(parts, part.expression);
    const { variables } = parts.state;
    return String(
      evaluateArithmetic(text, { get: (name) => variables.get(name) ?? '', set: (name, value) => void variables.set(name, value) }),
    );
  }
  return parameterValue(parts, part);
}

type Parameter = Extract<WordPart, { type: 'parameter' }>;

async function parameterValue(parts: ExpandParts, { name, operator, argument }: Parameter): Promise<string> {
  const value = lookUp(parts, name);
  const word = (): Promise<string> => (argument ? expandToText(parts, argument) : Promise.resolve(''));
  const missing = operator.startsWith(':') ? !value : value === undefined;
  switch (operator) {
    case '':
      if (value === undefined && parts.state.nounset) throw new ShellError(`${name}: parameter not set`, 2);
      return value ?? '';
    case '#length':
      return String([...(value ?? '')].length);
    case '-':
    case ':-':
      return missing ? word() : (value ?? '');
    case '=':
    case ':=': {
      if (!missing) return value ?? '';
      const text = await word();
      parts.state.variables.set(name, text);
      return text;
    }
    case '+':
    case ':+':
      return missing ? '' : word();
    case '?':
    case ':?':
      if (missing) throw new ShellError(`${name}: ${(await word()) || 'parameter not set'}`, 2);
      return value ?? '';
    default:
      return strip(value ?? '', operator, argument ? await expandToPattern(parts, argument) : '');
  }
}

/** `${name#pattern}`, `##`, `%`, `%%` */
function strip(value: string, operator: string, pattern: string): string {
  const longest = operator.length === 2;
  if (operator.startsWith('#')) return value.replace(patternToExpression(pattern, 'prefix', longest), '');
  const expression = patternToExpression(pattern, 'whole');
  const ends = Array.from({ length: value.length + 1 }, (_, index) => (longest ? index : value.length - index));
  const cut = ends.find((start) => expression.test(value.slice(start)));
  return cut === undefined ? value : value.slice(0, cut);
}

function lookUp(parts: ExpandParts, name: string): string | undefined {
  const { state } = parts;
  if (/^\d+$/.test(name)) return name === '0' ? state.name : state.parameters[Number(name) - 1];
  switch (name) {
    case '?':
      return String(state.lastStatus);
    case '#':
      return String(state.parameters.length);
    case '@':
    case '*':
      return state.parameters.join(' ');
    case '$':
      return String(parts.pid);
    case '!':
      return state.lastBackground;
    case '-':
      return state.errexit ? 'e' : '';
    case 'RANDOM':
      return String(parts.random());
    default:
      return state.variables.get(name);
  }
}

function tilde(parts: ExpandParts, field: readonly Piece[]): readonly Piece[] {
  const [first, ...rest] = field;
  if (!first || first.quoted || !/^~(\/|$)/.test(first.text)) return field;
  return [{ text: (parts.state.variables.get('HOME') ?? '/root') + first.text.slice(1), quoted: true }, ...rest];
}

/** Replaces a pattern by the files that it matches; without one it stays as it is. */
function matchFiles(parts: ExpandParts, field: readonly Piece[]): string[] {
  const text = field.map((piece) => piece.text).join('');
  if (!field.some((piece) => !piece.quoted && isPattern(piece.text))) return [text];
  const pattern = field.map((piece) => (piece.quoted ? piece.text.replace(/[*?[\]\\]/g, '\\$&') : piece.text)).join('');
  const slash = pattern.lastIndexOf('/');
  const directory = pattern.slice(0, slash + 1);
  if (isPattern(directory)) return [text];
  const expression = patternToExpression(pattern.slice(slash + 1));
  const names = parts
    .list(parts.state.path(directory || '.'))
    .filter((name) => expression.test(name) && (!name.startsWith('.') || pattern.slice(slash + 1).startsWith('.')));
  return names.length > 0 ? names.map((name) => directory + name) : [text];
}

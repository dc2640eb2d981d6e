import { operands } from './applets-files.ts';
import { decodeEscapes } from './escapes.ts';
import type { Applet, ExternalCall } from './external-call.ts';
import { runSed } from './sed.ts';

/** Commands about text. */
export const TEXT_APPLETS: Record<string, Applet> = {
  echo,
  printf,
  head: (call) => slice(call, (lines, count) => lines.slice(0, count)),
  tail,
  wc,
  grep,
  sed: runSed,
  sort: (call) => lineFilter(call, (lines) => sortLines(lines, call.argv)),
  uniq: (call) => lineFilter(call, (lines) => lines.filter((line, index) => line !== lines[index - 1])),
  rev: (call) => lineFilter(call, (lines) => lines.map((line) => [...line].reverse().join(''))),
  tac: (call) => lineFilter(call, (lines) => [...lines].reverse()),
  seq,
  cut,
  tr,
  base64,
  expr: ({ argv, io }) => {
    const [, a = '', operator = '', b = ''] = argv;
    const value = {
      '+': Number(a) + Number(b),
      '-': Number(a) - Number(b),
      '*': Number(a) * Number(b),
      '/': Math.trunc(Number(a) / Number(b)),
      '%': Number(a) % Number(b),
    }[operator];
    if (value === undefined || Number.isNaN(value)) {
      io.stderr('expr: syntax error\n');
      return 2;
    }
    io.stdout(`${value}\n`);
    return value === 0 ? 1 : 0;
  },
  yes: async ({ task, argv, io }) => {
    for (;;) {
      io.stdout(`${argv[1] ?? 'y'}\n`);
      task.idleDepth++;
      await task.sleep(1000);
      task.idleDepth--;
    }
  },
};

function echo({ argv, io }: ExternalCall): number {
  const words = argv.slice(1);
  let line = true;
  let escapes = false;
  while (/^-[neE]+$/.test(words[0] ?? '')) {
    const flags = words.shift() ?? '';
    if (flags.includes('n')) line = false;
    if (flags.includes('e')) escapes = true;
  }
  const text = words.join(' ');
  io.stdout((escapes ? decodeEscapes(text) : text) + (line ? '\n' : ''));
  return 0;
}

function printf({ argv, io }: ExternalCall): number {
  const [format = '', ...values] = argv.slice(1);
  const rest = [...values];
  do {
    io.stdout(
      decodeEscapes(format).replace(/%(-?\d*)([sdibxc%])/g, (_, width: string, letter: string) => {
        if (letter === '%') return '%';
        const value = rest.shift() ?? '';
        const text =
          letter === 'd' || letter === 'i'
            ? String(Math.trunc(Number(value || 0)))
            : letter === 'x'
              ? Number(value).toString(16)
              : letter === 'b'
                ? decodeEscapes(value)
                : value;
        return width.startsWith('-')
          ? text.padEnd(Number(width.slice(1)))
          : text.padStart(Number(width), width.startsWith('0') ? '0' : ' ');
      }),
    );
  } while (rest.length > 0 && /%[^%]/.test(format));
  return 0;
}

/** The text of the files named, or of what is read. Undefined after a message when one cannot be opened. */
export function inputText({ task, state, argv, io }: ExternalCall, paths: readonly string[]): string | undefined {
  if (paths.length === 0) return io.stdin.readAll();
  const texts: string[] = [];
  for (const path of paths) {
    const read = path === '-' ? { text: io.stdin.readAll() } : task.world.context.files.read(state.path(path));
    if ('failure' in read) {
      io.stderr(`${argv[0]}: ${path}: ${read.failure}\n`);
      return undefined;
    }
    texts.push(read.text);
  }
  return texts.join('');
}

export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Options with a value, and what is left. */
function split(argv: readonly string[], withValue: string): { options: Map<string, string>; paths: string[] } {
  const options = new Map<string, string>();
  const paths: string[] = [];
  const rest = argv.slice(1);
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    if (!/^-./.test(argument)) paths.push(argument);
    else if (/^-\d+$/.test(argument)) options.set('n', argument.slice(1));
    else
      for (let at = 1; at < argument.length; at++) {
        const letter = argument[at] ?? '';
        if (!withValue.includes(letter)) options.set(letter, '');
        else {
          options.set(letter, argument.slice(at + 1) || (rest.shift() ?? ''));
          break;
        }
      }
  }
  return { options, paths };
}

function slice(call: ExternalCall, pick: (lines: string[], count: number) => string[]): number {
  const { options, paths } = split(call.argv, 'nc');
  const text = inputText(call, paths);
  if (text === undefined) return 1;
  for (const line of pick(linesOf(text), Number(options.get('n') ?? 10))) call.io.stdout(`${line}\n`);
  return 0;
}

/** `tail -f` stays for ever; lines that are added later are not shown. */
function tail(call: ExternalCall): number | Promise<number> {
  const status = slice(call, (lines, count) => (count === 0 ? [] : lines.slice(-count)));
  const follows = split(call.argv, 'nc').options;
  return status === 0 && (follows.has('f') || follows.has('F')) ? call.task.forever() : status;
}

function lineFilter(call: ExternalCall, filter: (lines: string[]) => string[]): number {
  const text = inputText(call, operands(call.argv));
  if (text === undefined) return 1;
  for (const line of filter(linesOf(text))) call.io.stdout(`${line}\n`);
  return 0;
}

function sortLines(lines: string[], argv: readonly string[]): string[] {
  const flags = argv.slice(1).join('');
  const numeric = flags.includes('n');
  const sorted = [...lines].sort((a, b) => (numeric ? Number.parseFloat(a) - Number.parseFloat(b) : a < b ? -1 : a > b ? 1 : 0));
  if (flags.includes('r')) sorted.reverse();
  return flags.includes('u') ? sorted.filter((line, index) => line !== sorted[index - 1]) : sorted;
}

function wc(call: ExternalCall): number {
  const { options, paths } = split(call.argv, '');
  const text = inputText(call, paths);
  if (text === undefined) return 1;
  const counts: [string, number][] = [
    ['l', linesOf(text).length],
    ['w', text.split(/\s+/).filter(Boolean).length],
    ['c', new TextEncoder().encode(text).length],
  ];
  const wanted = counts.filter(([letter]) => options.size === 0 || options.has(letter));
  call.io.stdout(`${wanted.map(([, count]) => count).join(' ')}${paths[0] ? ` ${paths[0]}` : ''}\n`);
  return 0;
}

function grep(call: ExternalCall): number {
  const { options, paths } = split(call.argv, 'em');
  const pattern = options.get('e') ?? paths.shift() ?? '';
  const text = inputText(call, paths);
  if (text === undefined) return 2;
  const source = options.has('F')
    ? pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    : options.has('E')
      ? pattern
      : pattern.replace(/\\([|+?(){}])|([|+?(){}])/g, (_, escaped: string, plain: string) => escaped ?? `\\${plain}`);
  const expression = new RegExp(source, options.has('i') ? 'i' : '');
  const found = linesOf(text).filter((line) => expression.test(line) !== options.has('v'));
  if (options.has('c')) call.io.stdout(`${found.length}\n`);
  else if (!options.has('q')) for (const line of found) call.io.stdout(`${options.has('o') ? (expression.exec(line)?.[0] ?? '') : line}\n`);
  return found.length > 0 ? 0 : 1;
}

function seq({ argv, io }: ExternalCall): number {
  const numbers = argv.slice(1).map(Number);
  const [first, step, last] = numbers.length === 1 ? [1, 1, numbers[0]] : numbers.length === 2 ? [numbers[0], 1, numbers[1]] : numbers;
  if (first === undefined || step === undefined || last === undefined || !step) return 1;
  for (let value = first; step > 0 ? value <= last : value >= last; value += step) io.stdout(`${value}\n`);
  return 0;
}

function cut(call: ExternalCall): number {
  const { options, paths } = split(call.argv, 'dfc');
  const text = inputText(call, paths);
  if (text === undefined) return 1;
  const [from = 1, to] = (options.get('f') ?? options.get('c') ?? '1').split('-').map((part) => (part === '' ? undefined : Number(part)));
  const end = (options.get('f') ?? options.get('c') ?? '').includes('-') ? to : from;
  const separator = options.has('f') ? (options.get('d') ?? '\t') : '';
  for (const line of linesOf(text))
    call.io.stdout(
      `${line
        .split(separator)
        .slice((from ?? 1) - 1, end)
        .join(separator)}\n`,
    );
  return 0;
}

function tr({ argv, io }: ExternalCall): number {
  const remove = argv[1] === '-d';
  const [from = '', to = ''] = argv.slice(remove ? 2 : 1).map((set) => expandSet(decodeEscapes(set)));
  const text = io.stdin.readAll();
  io.stdout([...text].map((char) => (from.includes(char) ? (remove ? '' : (to[from.indexOf(char)] ?? to.at(-1) ?? '')) : char)).join(''));
  return 0;
}

function expandSet(set: string): string {
  const classes: Record<string, string> = { '[:lower:]': 'a-z', '[:upper:]': 'A-Z', '[:digit:]': '0-9', '[:space:]': ' \t\n' };
  const plain = set.replace(/\[:\w+:\]/g, (name) => classes[name] ?? name);
  return plain.replace(/(.)-(.)/g, (_, a: string, b: string) => {
    const [first, last] = [a.codePointAt(0) ?? 0, b.codePointAt(0) ?? 0];
    return Array.from({ length: Math.max(0, last - first + 1) }, (__, index) => String.fromCodePoint(first + index)).join('');
  });
}

function base64(call: ExternalCall): number {
  const { options, paths } = split(call.argv, 'w');
  const text = inputText(call, paths);
  if (text === undefined) return 1;
  if (options.has('d')) call.io.stdout(new TextDecoder().decode(Uint8Array.from(atob(text.trim()), (char) => char.codePointAt(0) ?? 0)));
  else call.io.stdout(`${btoa(String.fromCodePoint(...new TextEncoder().encode(text)))}\n`);
  return 0;
}

import { inputText, linesOf } from './applets-text.ts';
import { decodeEscapes } from './escapes.ts';
import type { ExternalCall } from './external-call.ts';

interface Rule {
  readonly matches: (line: Line) => boolean;
  /** What `print` shows; each an expression of fields and texts. */
  readonly print: ((line: Line) => string) | undefined;
}

interface Line {
  readonly text: string;
  readonly fields: readonly string[];
  readonly number: number;
}

/** `awk` as far as people use it for one field: `/pattern/ {print $2}`, `NR==1`, `-F:`. More is refused. */
export function runAwk(call: ExternalCall): number {
  const { argv, io } = call;
  const args = argv.slice(1);
  let separator: string | RegExp = /\s+/;
  while (args[0]?.startsWith('-F')) {
    const option = args.shift() ?? '';
    separator = decodeEscapes(option.length > 2 ? option.slice(2) : (args.shift() ?? ' '));
  }
  const rules = parseProgram(args.shift() ?? '');
  if (!rules) {
    io.stderr('awk: this program is not supported by the simulated awk (only /pattern/, NR==n, $n == "x" and { print … })\n');
    return 2;
  }
  const text = inputText(call, args);
  if (text === undefined) return 2;
  for (const [index, line] of linesOf(text).entries()) {
    const fields = (separator instanceof RegExp ? line.trim() : line).split(separator);
    const current: Line = { text: line, fields, number: index + 1 };
    for (const { matches, print } of rules) if (matches(current)) io.stdout(`${print ? print(current) : line}\n`);
  }
  return 0;
}

function parseProgram(program: string): Rule[] | undefined {
  const rules: Rule[] = [];
  let rest = program.trim();
  while (rest !== '') {
    const match = /^(\/(?:[^/\\]|\\.)*\/|NR\s*==\s*\d+|\$\d+\s*==\s*"[^"]*")?\s*(?:\{\s*print\s*([^}]*)\})?\s*;?\s*/.exec(rest);
    if (!match || match[0] === '') return undefined;
    rest = rest.slice(match[0].length);
    const print = match[0].includes('{') ? parsePrint(match[2] ?? '') : null;
    if (print === undefined) return undefined;
    rules.push({ matches: parsePattern(match[1]), print: print ?? undefined });
  }
  return rules;
}

function parsePattern(pattern: string | undefined): (line: Line) => boolean {
  if (pattern === undefined) return () => true;
  if (pattern.startsWith('/')) {
    const expression = new RegExp(pattern.slice(1, -1));
    return ({ text }) => expression.test(text);
  }
  const [left = '', right = ''] = pattern.split('==').map((side) => side.trim());
  if (left === 'NR') return ({ number }) => number === Number(right);
  return ({ text, fields }) => field({ text, fields }, left) === right.slice(1, -1);
}

/** `$1, "text" $2`; undefined when something else stands there. */
function parsePrint(text: string): ((line: Line) => string) | undefined {
  const items = text
    .trim()
    .replace(/;$/, '')
    .split(/\s*,\s*/);
  const parts = items.map((item) => item.match(/\$(?:\d+|NF)|"[^"]*"|NR|NF/g) ?? []);
  if (items.some((item, index) => item.replace(/\s+/g, '') !== (parts[index] ?? []).join('').replace(/\s+/g, ''))) return undefined;
  if (text.trim().replace(/;$/, '') === '') return (line) => line.text;
  return (line) => parts.map((tokens) => tokens.map((token) => value(line, token)).join('')).join(' ');
}

function value(line: Line, token: string): string {
  if (token.startsWith('"')) return decodeEscapes(token.slice(1, -1));
  if (token === 'NR') return String(line.number);
  if (token === 'NF') return String(line.fields.length);
  return field(line, token);
}

function field({ text, fields }: Pick<Line, 'text' | 'fields'>, token: string): string {
  if (token === '$0') return text;
  return (token === '$NF' ? fields.at(-1) : fields[Number(token.slice(1)) - 1]) ?? '';
}

import type { Issue } from './issue.ts';

export interface Token {
  readonly type: 'operator' | 'word' | 'int' | 'uint' | 'float' | 'string' | 'bytes' | 'quoted' | 'end';
  readonly text: string;
  readonly pos: number;
}

const SPACE = /[ \t\r\n\f]+|\/\/[^\n]*/y;
const NUMBER = /(?:\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)|(0x[0-9a-fA-F]+|\d+)([uU])?/y;
const STRING =
  /([bB]?[rR]|[rR]?[bB])?(?:"""(?:[^\\]|\\[\s\S])*?"""|'''(?:[^\\]|\\[\s\S])*?'''|"(?:[^\\"\n\r]|\\.)*"|'(?:[^\\'\n\r]|\\.)*')/y;
const RAW_STRING = /([bB]?[rR]|[rR][bB])(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"[^"\n\r]*"|'[^'\n\r]*')/y;
const WORD = /[_a-zA-Z][_a-zA-Z0-9]*/y;
const QUOTED = /`[a-zA-Z0-9_.\-/ ]+`/y;
const OPERATOR = /==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]/y;

/** Cuts an expression into tokens; what is no token is an issue and left out. cel-go parser/gen CEL.g4 */
export function tokenize(source: string): { readonly tokens: readonly Token[]; readonly issues: readonly Issue[] } {
  const tokens: Token[] = [];
  const issues: Issue[] = [];
  let pos = 0;
  const at = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = pos;
    return pattern.exec(source);
  };
  while (pos < source.length) {
    const space = at(SPACE);
    if (space) {
      pos += space[0].length;
      continue;
    }
    const token = nextToken(at, pos);
    if (token) {
      tokens.push(token);
      pos += token.text.length;
      continue;
    }
    const wrong = unrecognized(source, pos);
    issues.push({ pos, message: `Syntax error: token recognition error at: '${wrong}'` });
    pos += wrong.length;
  }
  tokens.push({ type: 'end', text: '<EOF>', pos: source.length });
  return { tokens, issues };
}

function nextToken(at: (pattern: RegExp) => RegExpExecArray | null, pos: number): Token | undefined {
  const string = at(RAW_STRING) ?? at(STRING);
  if (string) return { type: /b/i.test(string[1] ?? '') ? 'bytes' : 'string', text: string[0], pos };
  const word = at(WORD);
  if (word) return { type: 'word', text: word[0], pos };
  const number = at(NUMBER);
  if (number) return { type: number[1] === undefined ? 'float' : number[2] ? 'uint' : 'int', text: number[0], pos };
  const quoted = at(QUOTED);
  if (quoted) return { type: 'quoted', text: quoted[0], pos };
  const operator = at(OPERATOR);
  return operator ? { type: 'operator', text: operator[0], pos } : undefined;
}

/** A text that is not closed is wrong as a whole; `|` and `&` alone take the next character with them, as the real lexer does. */
function unrecognized(source: string, pos: number): string {
  const char = source[pos] ?? '';
  if (char === '"' || char === "'") {
    const end = source.indexOf('\n', pos);
    return source.slice(pos, end < 0 ? undefined : end);
  }
  if ((char === '|' || char === '&' || char === '=') && pos + 1 < source.length) return source.slice(pos, pos + 2);
  return String.fromCodePoint(source.codePointAt(pos) ?? 0);
}

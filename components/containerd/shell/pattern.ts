/** A shell pattern (`*`, `?`, `[abc]`) as an expression that matches whole strings. */
export function patternToExpression(pattern: string, anchor: 'whole' | 'prefix' | 'suffix' = 'whole', greedy = true): RegExp {
  let source = '';
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] ?? '';
    if (char === '*') source += greedy ? '[\\s\\S]*' : '[\\s\\S]*?';
    else if (char === '?') source += '[\\s\\S]';
    else if (char === '[' && pattern.indexOf(']', at + 2) > 0) {
      const end = pattern.indexOf(']', at + 2);
      source += `[${pattern
        .slice(at + 1, end)
        .replace(/^!/, '^')
        .replace(/\\/g, '\\\\')}]`;
      at = end;
    } else if (char === '\\' && at + 1 < pattern.length) source += quote(pattern[++at] ?? '');
    else source += quote(char);
  }
  return new RegExp(`${anchor === 'suffix' ? '' : '^'}${source}${anchor === 'prefix' ? '' : '$'}`);
}

const quote = (char: string): string => char.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** Whether a text has characters that make it a pattern. */
export function isPattern(text: string): boolean {
  return /[*?[]/.test(text);
}

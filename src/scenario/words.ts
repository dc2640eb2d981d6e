/**
 * Splits a command line into words as a shell would: spaces separate, quotes and backslashes keep together. Undefined when a quote is left open.
 * @example splitWords(`label node n1 'zone=a b'`) // ['label', 'node', 'n1', 'zone=a b']
 */
export function splitWords(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let i = 0; i < line.length; i++) {
    const char = line[i] as string;
    if (quote) {
      if (char === quote) quote = '';
      else word = (word ?? '') + (char === '\\' && quote === '"' && i + 1 < line.length ? line[++i] : char);
    } else if (char === '"' || char === "'") {
      quote = char;
      word ??= '';
    } else if (char === '\\' && i + 1 < line.length) word = (word ?? '') + line[++i];
    else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + char;
  }
  if (quote) return undefined;
  if (word !== undefined) words.push(word);
  return words;
}

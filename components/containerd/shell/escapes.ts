const SINGLE: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', e: '\x1b', f: '\f', v: '\v', '\\': '\\' };

/** `\n`, `\t`, `\033`, `\x1b`, as `echo -e` and `printf` read them. */
export function decodeEscapes(text: string): string {
  return text.replace(/\\(0?[0-7]{1,3}|x[0-9a-fA-F]{1,2}|[\s\S])/g, (whole, code: string) => {
    if (code.startsWith('x') && code.length > 1) return String.fromCodePoint(Number.parseInt(code.slice(1), 16));
    if (/^[0-7]/.test(code)) return String.fromCodePoint(Number.parseInt(code, 8));
    return SINGLE[code] ?? whole;
  });
}

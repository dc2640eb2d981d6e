const BLOCK = 512;

/** One member of an archive; a directory has no text. */
export interface TarMember {
  readonly name: string;
  readonly text: string | undefined;
}

/** An archive in the format of POSIX ustar. */
export function packTar(members: readonly TarMember[], seconds: number): string {
  const parts = members.flatMap(({ name, text }) => {
    const size = text === undefined ? 0 : new TextEncoder().encode(text).length;
    const padding = '\0'.repeat((BLOCK - (size % BLOCK)) % BLOCK);
    return [header({ name: text === undefined ? `${name}/` : name, size, directory: text === undefined, seconds }), text ?? '', padding];
  });
  return [...parts, '\0'.repeat(2 * BLOCK)].join('');
}

/** The files and directories of an archive. Undefined when it is none. */
export function unpackTar(archive: string): TarMember[] | undefined {
  const bytes = new TextEncoder().encode(archive);
  const text = (from: number, length: number): string =>
    new TextDecoder().decode(bytes.subarray(from, from + length)).replace(/\0.*$/s, '');
  const members: TarMember[] = [];
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0; ) {
    if (text(at + 257, 5) !== 'ustar') return undefined;
    const size = Number.parseInt(text(at + 124, 12).trim() || '0', 8);
    const type = text(at + 156, 1) || '0';
    const prefix = text(at + 345, 155);
    const name = `${prefix ? `${prefix}/` : ''}${text(at, 100)}`.replace(/\/$/, '');
    if (type === '0') members.push({ name, text: new TextDecoder().decode(bytes.subarray(at + BLOCK, at + BLOCK + size)) });
    if (type === '5') members.push({ name, text: undefined });
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return members;
}

function header({ name, size, directory, seconds }: { name: string; size: number; directory: boolean; seconds: number }): string {
  const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, '0')}\0`;
  const field = (value: string, width: number): string => value + '\0'.repeat(Math.max(0, width - new TextEncoder().encode(value).length));
  const before = field(name, 100) + octal(directory ? 0o755 : 0o644, 8) + octal(0, 8) + octal(0, 8) + octal(size, 12) + octal(seconds, 12);
  const after = `${directory ? '5' : '0'}${field('', 100)}ustar\x0000${field('root', 32)}${field('root', 32)}${octal(0, 8)}${octal(0, 8)}${field('', 167)}`;
  let sum = 0;
  for (const byte of new TextEncoder().encode(`${before}        ${after}`)) sum += byte;
  return `${before}${sum.toString(8).padStart(6, '0')}\0 ${after}`;
}

import type { CommandContext } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';

/** `--from-literal`, `--from-file`, `--from-env-file` as the data of a ConfigMap or a Secret. @throws KubectlError */
export function dataOf(
  { flags, files }: CommandContext,
  { kind, name }: { kind: 'ConfigMap' | 'Secret'; name: string },
): { data?: Record<string, string> } {
  const data: Record<string, string> = {};
  const put = (key: string, value: string): void => {
    if (key in data)
      throw new KubectlError(
        kind === 'ConfigMap'
          ? `error: cannot add key "${key}", another key by that name already exists in Data for ConfigMap "${name}"`
          : `error: cannot add key ${key}, another key by that name already exists`,
      );
    data[key] = kind === 'ConfigMap' ? value : toBase64(value);
  };
  const read = (path: string): string => {
    const text = files[path];
    if (text === undefined) throw new KubectlError(`error: error reading ${path}: no such file or directory`);
    return text;
  };
  for (const pair of flags.list('from-literal')) {
    const [key = '', value] = pair.split(/=(.*)/s);
    if (!key || value === undefined) throw new KubectlError(`error: invalid literal source ${pair}, expected key=value`);
    put(key, value.replace(/^(["'])(.*)\1$/s, '$2'));
  }
  for (const source of flags.list('from-file')) {
    const [left = '', right] = source.split(/=(.*)/s);
    const folder = `${(right ?? left).replace(/\/$/, '')}/`;
    const within = Object.keys(files).filter((path) => path.startsWith(folder) && !path.slice(folder.length).includes('/'));
    if (within.length && right !== undefined) throw new KubectlError('error: cannot give a key name for a directory path');
    for (const path of within.sort()) put(path.slice(folder.length), read(path));
    if (!within.length) put(right === undefined ? (left.split('/').at(-1) ?? left) : left, read(right ?? left));
  }
  for (const path of flags.list('from-env-file')) {
    for (const line of read(path).split('\n')) {
      const [key = '', value = ''] = line.trim().split(/=(.*)/s);
      if (key && !key.startsWith('#')) put(key, value);
    }
  }
  return Object.keys(data).length ? { data } : {};
}

export function toBase64(text: string): string {
  let binary = '';
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}

import { BUILT_IN_RESOURCES } from '../api/resources.ts';
import { splitWords } from '../scenario/words.ts';

/** Short flags of kubectl, and those that take the next word as their value. */
const SHORT_FLAGS: Readonly<Record<string, string>> = {
  n: 'namespace',
  l: 'selector',
  f: 'filename',
  o: 'output',
  p: 'patch',
  w: 'watch',
  A: 'all-namespaces',
  c: 'container',
};
const WITH_VALUE = new Set([
  'namespace',
  'selector',
  'filename',
  'output',
  'patch',
  'container',
  'replicas',
  'image',
  'type',
  'grace-period',
  'timeout',
  'port',
  'subresource',
]);

const KINDS = new Map(
  BUILT_IN_RESOURCES.flatMap(({ resource, singular, kind, group, shortNames }) =>
    [resource, singular, kind.toLowerCase(), ...shortNames, ...(group ? [`${resource}.${group}`, `${singular}.${group}`] : [])].map(
      (name) => [name, singular] as const,
    ),
  ),
);

/** The words of a command line, without `kubectl`; undefined when a quote is left open or nothing is there. */
export function commandWords(line: string): string[] | undefined {
  const words = splitWords(line.normalize('NFKC').trim());
  if (words?.[0] === 'kubectl' || words?.[0] === 'k') words.shift();
  return words?.length ? words : undefined;
}

/**
 * One spelling for commands that mean the same: kinds in the singular, `kind name` for `kind/name`, long flags in order, no default namespace.
 * @example canonicalCommand('k delete po/web-1 -n default') // 'delete pod web-1'
 */
export function canonicalCommand(line: string): string {
  const [verb = '', ...rest] = commandWords(line) ?? [];
  const words: string[] = [];
  const flags: string[] = [];
  for (let i = 0; i < rest.length; i++) {
    const word = rest[i] ?? '';
    const flag = /^(?:--([\w-]+)|-([A-Za-z]))(?:=(.*))?$/s.exec(word);
    if (!flag) {
      words.push(...canonicalWord(word, words.length));
      continue;
    }
    const name = flag[1] ?? SHORT_FLAGS[flag[2] ?? ''] ?? flag[2] ?? '';
    const value = flag[3] ?? (WITH_VALUE.has(name) ? rest[++i] : undefined);
    if (name !== 'namespace' || value !== 'default') flags.push(`--${name}${value === undefined ? '' : `=${value}`}`);
  }
  return [verb, ...words, ...flags.sort()].join(' ');
}

function canonicalWord(word: string, at: number): string[] {
  const [kind = '', name] = word.split('/');
  const known = KINDS.get(kind.toLowerCase());
  if (name !== undefined && known) return [known, name];
  return [at < 2 && name === undefined && known ? known : word];
}

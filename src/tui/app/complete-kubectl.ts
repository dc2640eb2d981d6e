import { BUILT_IN_RESOURCES } from '../../api/resources.ts';
import { KUBECTL_COMMANDS } from '../../kubectl/kubectl.ts';

/** A name that may be completed: of which kind, and where it is. */
export interface KnownName {
  readonly kind: string;
  readonly namespace: string | undefined;
  readonly name: string;
}

const SUBCOMMANDS: Readonly<Record<string, readonly string[]>> = {
  rollout: ['status', 'undo', 'history', 'restart', 'pause', 'resume'],
  set: ['image', 'env', 'resources', 'selector', 'serviceaccount'],
  create: [
    'deployment',
    'namespace',
    'configmap',
    'secret',
    'service',
    'job',
    'cronjob',
    'serviceaccount',
    'role',
    'rolebinding',
    'quota',
    'poddisruptionbudget',
  ],
  auth: ['can-i', 'whoami'],
  top: ['pod', 'node'],
};
/** These take names of one kind without saying it. */
const IMPLIED: Readonly<Record<string, string>> = { logs: 'pods', exec: 'pods', cordon: 'nodes', uncordon: 'nodes', drain: 'nodes' };

/** What Tab makes of a kubectl line: as much as is certain, and what could follow. */
export function completeKubectl(line: string, names: readonly KnownName[]): { readonly line: string; readonly choices: readonly string[] } {
  const words = line.trimStart().split(/\s+/);
  const start = words.pop() ?? '';
  const before = words[0] === 'kubectl' ? words.slice(1) : words;
  const choices = [...new Set(candidates(before, start, names))].filter((choice) => choice.startsWith(start)).sort();
  const common = commonStart(choices);
  const closed = choices.length === 1 && !/[=/]$/.test(common);
  return { line: choices.length ? `${line.slice(0, line.length - start.length)}${common}${closed ? ' ' : ''}` : line, choices };
}

function candidates(before: readonly string[], start: string, names: readonly KnownName[]): string[] {
  const verb = before[0];
  if (verb === undefined) return ['kubectl', ...Object.keys(KUBECTL_COMMANDS)];
  const last = before.at(-1) ?? '';
  if (last === '-n' || last === '--namespace') return namesOf('namespaces', names);
  if (last === '-o') return ['wide', 'yaml', 'json', 'name'];
  if (start.startsWith('-')) return Object.keys(KUBECTL_COMMANDS[verb]?.flags ?? {}).map((flag) => `--${flag}`);
  const given = before.slice(1).filter((word) => !word.startsWith('-'));
  const subcommands = SUBCOMMANDS[verb];
  if (subcommands && given.length === 0) return [...subcommands];
  const words = subcommands ? given.slice(1) : given;
  const [type = ''] = start.includes('/') ? start.split('/') : [];
  if (type) return namesOf(type, names).map((name) => `${type}/${name}`);
  const implied = IMPLIED[verb];
  if (implied) return namesOf(implied, names);
  if (words.length === 0) return BUILT_IN_RESOURCES.map(({ resource }) => resource);
  return namesOf(words[0] ?? '', names);
}

function namesOf(type: string, names: readonly KnownName[]): string[] {
  const wanted = type.toLowerCase().split('.')[0] ?? '';
  const found = BUILT_IN_RESOURCES.find(
    ({ resource, singular, shortNames }) => resource === wanted || singular === wanted || shortNames.includes(wanted),
  );
  return names.filter(({ kind }) => kind === found?.kind).map(({ name }) => name);
}

function commonStart(choices: readonly string[]): string {
  const [first = '', ...rest] = choices;
  let length = first.length;
  for (const choice of rest) while (!choice.startsWith(first.slice(0, length))) length--;
  return first.slice(0, length);
}

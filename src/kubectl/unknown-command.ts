import { KubectlError } from './kubectl-error.ts';

/** The verbs of kubectl 1.34, in the order in which it knows them. */
const VERBS =
  'create expose run set explain get edit delete rollout scale autoscale certificate cluster-info top cordon uncordon drain taint describe logs attach exec port-forward proxy cp auth debug events diff apply patch replace wait kustomize label annotate completion api-resources api-versions config plugin version'.split(
    ' ',
  );

/** What does the same here. */
const INSTEAD: Readonly<Record<string, string>> = {
  cp: 'exec POD -- cat FILE',
  edit: 'patch, or apply -f FILE',
  kustomize: 'apply -f FILE with what kustomize builds',
  'port-forward': 'get --raw /api/v1/namespaces/NAMESPACE/pods/POD:PORT/proxy/',
  proxy: 'get --raw PATH',
};

const FAR = 2;

/** Names what may have been meant: cobra SuggestionsFor. A verb of kubectl that is not offered here is said to be just that. */
export function unknownCommand(verb: string): KubectlError {
  if (VERBS.includes(verb)) {
    const instead = INSTEAD[verb] ? `use ${INSTEAD[verb]}, or` : 'use';
    return new KubectlError(`error: ${verb} is not offered here; ${instead} the real kubectl with bottleship serve`);
  }
  const meant = VERBS.filter((other) => distance(verb, other) <= FAR || (verb !== '' && other.startsWith(verb)));
  const hint = meant.length ? `\n\nDid you mean this?\n${meant.map((other) => `\t${other}`).join('\n')}` : '';
  return new KubectlError(`error: unknown command "${verb}" for "kubectl"${hint}`);
}

/** How many letters must be put in, taken out or exchanged: Levenshtein's distance. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const exchanged = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, exchanged));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

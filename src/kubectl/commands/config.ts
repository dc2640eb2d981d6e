import type { Command, CommandContext } from '../command.ts';
import { CLUSTER, type Context, USER } from '../kubeconfig.ts';
import { KubectlError } from '../kubectl-error.ts';
import { printValue } from '../output.ts';
import { printTable } from '../table.ts';

type Verb = (context: CommandContext, words: readonly string[]) => void;

const VERBS: Readonly<Record<string, Verb>> = {
  view,
  'current-context': ({ out, kubeconfig }) => {
    if (!kubeconfig.current) throw new KubectlError('error: current-context is not set');
    out(kubeconfig.current);
  },
  'get-contexts': getContexts,
  'get-clusters': ({ out }) => ['NAME', CLUSTER].forEach(out),
  'get-users': ({ out }) => ['NAME', USER].forEach(out),
  'use-context': useContext,
  'set-context': setContext,
  'delete-context': deleteContext,
  'rename-context': renameContext,
};

/** kubectl config: contexts, above all the namespace of the present one. Differs: there is one cluster and one user, in no file. */
export const config: Command = {
  flags: {
    current: { type: 'boolean' },
    minify: { type: 'boolean' },
    raw: { type: 'boolean' },
    flatten: { type: 'boolean' },
    'no-headers': { type: 'boolean' },
    output: { type: 'string', short: 'o' },
    cluster: { type: 'string' },
    user: { type: 'string' },
  },
  async run(context) {
    const [verb = '', ...words] = context.args;
    const run = VERBS[verb];
    if (!run)
      throw new KubectlError(
        `error: config ${verb} is not offered here, where there is one cluster and one user; offered: ${Object.keys(VERBS).join(', ')}`,
      );
    run(context, words);
  },
};

function view(context: CommandContext): void {
  const { flags, kubeconfig } = context;
  const contexts = [...kubeconfig.contexts].filter(([name]) => !flags.boolean('minify') || name === kubeconfig.current);
  const value = {
    apiVersion: 'v1',
    clusters: [{ cluster: { server: 'https://kube-apiserver:6443' }, name: CLUSTER }],
    contexts: contexts.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, each]) => ({ context: each, name })),
    'current-context': kubeconfig.current,
    kind: 'Config',
    users: [{ name: USER, user: {} }],
  };
  printValue(context, flags.string('output') ?? 'yaml', { value });
}

function getContexts({ flags, kubeconfig, out }: CommandContext, words: readonly string[]): void {
  for (const word of words) if (!kubeconfig.contexts.has(word)) throw new KubectlError(`error: context ${word} not found`);
  const shown = [...kubeconfig.contexts].filter(([name]) => !words.length || words.includes(name)).sort(([a], [b]) => (a < b ? -1 : 1));
  if (flags.string('output') === 'name') {
    for (const [name] of shown) out(name);
    return;
  }
  const rows = shown.map(([name, { cluster, user, namespace = '' }]) => ({
    cells: [name === kubeconfig.current ? '*' : '', name, cluster, user, namespace],
  }));
  const columnDefinitions = ['CURRENT', 'NAME', 'CLUSTER', 'AUTHINFO', 'NAMESPACE'].map((name) => ({ name, priority: 0 }));
  const look = { wide: false, namespaces: false, prefix: '', headings: !flags.boolean('no-headers') };
  for (const line of printTable({ columnDefinitions, rows }, look)) out(line);
}

function useContext({ kubeconfig, out }: CommandContext, [name = '']: readonly string[]): void {
  if (!kubeconfig.contexts.has(name)) throw new KubectlError(`error: no context exists with the name: "${name}"`);
  kubeconfig.current = name;
  out(`Switched to context "${name}".`);
}

function setContext({ flags, kubeconfig, out }: CommandContext, [given]: readonly string[]): void {
  const name = flags.boolean('current') ? kubeconfig.current : given;
  if (!name) throw new KubectlError("error: Unexpected args: []\nSee 'kubectl config set-context -h' for help and examples");
  const before = kubeconfig.contexts.get(name);
  const context: Context = {
    cluster: known(CLUSTER, flags.string('cluster')) ?? before?.cluster ?? CLUSTER,
    user: known(USER, flags.string('user')) ?? before?.user ?? USER,
    namespace: flags.string('namespace') ?? before?.namespace,
  };
  kubeconfig.contexts.set(name, context);
  out(`Context "${name}" ${before ? 'modified' : 'created'}.`);
}

/** @throws KubectlError for a cluster or user that is another one than there is */
function known(only: string, given: string | undefined): string | undefined {
  if (given !== undefined && given !== only) throw new KubectlError(`error: there is only "${only}" here, no "${given}"`);
  return given;
}

function deleteContext({ kubeconfig, out, warn }: CommandContext, [name = '']: readonly string[]): void {
  if (!kubeconfig.contexts.delete(name)) throw new KubectlError(`error: cannot delete context ${name}, not in the kubeconfig`);
  if (kubeconfig.current === name) {
    warn('warning: this removed your active context, use "kubectl config use-context" to select a different one');
    kubeconfig.current = '';
  }
  out(`deleted context ${name} from the kubeconfig`);
}

function renameContext({ kubeconfig, out }: CommandContext, [from = '', to = '']: readonly string[]): void {
  const context = kubeconfig.contexts.get(from);
  if (!context) throw new KubectlError(`error: cannot rename the context "${from}", it's not in the kubeconfig`);
  if (kubeconfig.contexts.has(to))
    throw new KubectlError(`error: cannot rename the context "${from}", the context "${to}" already exists in the kubeconfig`);
  kubeconfig.contexts.delete(from);
  kubeconfig.contexts.set(to, context);
  if (kubeconfig.current === from) kubeconfig.current = to;
  out(`Context "${from}" renamed to "${to}".`);
}

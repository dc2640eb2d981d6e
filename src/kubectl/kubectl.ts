import { ManifestError } from '../api/manifest.ts';
import { parseDuration } from '../api/time.ts';
import type { Client } from '../client/client.ts';
import type { Command, CommandContext } from './command.ts';
import { apiResources } from './commands/api-resources.ts';
import { apply } from './commands/apply.ts';
import { auth } from './commands/auth.ts';
import { autoscale } from './commands/autoscale.ts';
import { certificate } from './commands/certificate.ts';
import { config } from './commands/config.ts';
import { cordon, uncordon } from './commands/cordon.ts';
import { create } from './commands/create.ts';
import { debug } from './commands/debug.ts';
import { deleteCommand } from './commands/delete.ts';
import { describe } from './commands/describe.ts';
import { diff } from './commands/diff.ts';
import { drain } from './commands/drain.ts';
import { events } from './commands/events.ts';
import { attach, exec } from './commands/exec.ts';
import { explain } from './commands/explain.ts';
import { expose } from './commands/expose.ts';
import { get } from './commands/get.ts';
import { annotate, label } from './commands/label.ts';
import { logs } from './commands/logs.ts';
import { patch } from './commands/patch.ts';
import { replace } from './commands/replace.ts';
import { rollout } from './commands/rollout.ts';
import { run } from './commands/run.ts';
import { scale } from './commands/scale.ts';
import { set } from './commands/set.ts';
import { taint } from './commands/taint.ts';
import { top } from './commands/top.ts';
import { apiVersions, clusterInfo, version } from './commands/version.ts';
import { wait } from './commands/wait.ts';
import { type FlagSpecs, type Flags, parseFlags, splitAtVerb } from './flags.ts';
import { Interrupt, Interrupted } from './interrupt.ts';
import { klogWarning } from './klog.ts';
import { CLUSTER, Kubeconfig, USER } from './kubeconfig.ts';
import { errorText, KubectlError } from './kubectl-error.ts';
import { type RawRequest, sendRaw } from './raw-request.ts';
import { unknownCommand } from './unknown-command.ts';

/** The verbs that are offered. */
export const KUBECTL_COMMANDS: Readonly<Record<string, Command>> = {
  annotate,
  'api-resources': apiResources,
  'api-versions': apiVersions,
  apply,
  attach,
  auth,
  autoscale,
  certificate,
  'cluster-info': clusterInfo,
  config,
  cordon,
  create,
  debug,
  delete: deleteCommand,
  describe,
  diff,
  drain,
  events,
  exec,
  explain,
  expose,
  get,
  label,
  logs,
  patch,
  replace,
  rollout,
  run,
  scale,
  set,
  taint,
  top,
  uncordon,
  version,
  wait,
};

/** These have commands below them. */
const PARENTS: ReadonlySet<string> = new Set(['auth', 'certificate', 'create', 'rollout', 'set', 'top']);

const GLOBAL_FLAGS: FlagSpecs = {
  namespace: { type: 'string', short: 'n' },
  as: { type: 'string' },
  'as-group': { type: 'list' },
  'request-timeout': { type: 'string' },
  v: { type: 'string', short: 'v' },
  context: { type: 'string' },
  cluster: { type: 'string' },
  user: { type: 'string' },
  kubeconfig: { type: 'string' },
};

export interface KubectlResult {
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
  /** 0 done, 1 refused or failed, 130 interrupted; of `exec` that of the command, of `diff` 1 for a difference. */
  readonly code: number;
}

/** How a command reaches the API and the person. */
export interface RunKubectlOptions {
  readonly client: Client;
  /** Contents of the files that `-f` may name. */
  readonly files: Readonly<Record<string, string>>;
  /** Told of each line when it is printed. */
  readonly onLine?: ((line: string, stream: 'stdout' | 'stderr') => void) | undefined;
  readonly interrupt?: Interrupt | undefined;
  /** What `kubectl config` has set before. */
  readonly kubeconfig?: Kubeconfig | undefined;
  /** How a request is sent whose answer is wanted as text, as over HTTP. */
  readonly fetch?: ((request: RawRequest) => Promise<Response>) | undefined;
}

/**
 * Runs one kubectl command against the API, as an actor's code in virtual time. Never rejects for what a user can cause.
 * @param args the words after `kubectl`, e.g. `['delete', 'pod', 'web-1']`
 * @example await runKubectl(['scale', 'deployment/web', '--replicas=5'], { client, files: {} });
 */
export async function runKubectl(args: readonly string[], options: RunKubectlOptions): Promise<KubectlResult> {
  const stdout: string[] = [];
  const stderr: string[] = [];
  let code = 0;
  const print = (line: string, stream: 'stdout' | 'stderr'): void => {
    (stream === 'stdout' ? stdout : stderr).push(line);
    options.onLine?.(line, stream);
  };
  const fail = (line: string): void => {
    print(line, 'stderr');
    code = 1;
  };
  const { interrupt = new Interrupt(), kubeconfig = new Kubeconfig() } = options;
  try {
    const { command, parsed } = parse(args);
    refuseOtherClusters(parsed.flags, { options, kubeconfig, own: command.flags });
    const client = impersonating(options.client, parsed.flags).heeding(warnOnce((line) => print(line, 'stderr')));
    const context: CommandContext = {
      client,
      files: options.files,
      args: parsed.args,
      after: parsed.after,
      flags: parsed.flags,
      namespace: parsed.flags.string('namespace') ?? kubeconfig.namespaceOf(parsed.flags.string('context')),
      kubeconfig,
      out: (line) => print(line, 'stdout'),
      error: fail,
      warn: (line) => print(line, 'stderr'),
      fail: (as = 1) => {
        code = as;
      },
      raw: (method, path, body) => sendRaw(options.fetch, { user: client.user, method, path, ...(body === undefined ? {} : { body }) }),
      interrupt,
      async sleep(ms) {
        await options.client.actor.sleep(ms);
        if (interrupt.raised) throw new Interrupted();
      },
    };
    if (parsed.flags.string('dry-run') === 'unchanged')
      klogWarning(context, 'helpers.go:703', '--dry-run is deprecated and can be replaced with --dry-run=client.');
    await command.run(context);
  } catch (error) {
    if (error instanceof Interrupted) return { stdout, stderr, code: 130 };
    fail(error instanceof ManifestError ? `error: ${error.message}` : errorText(error));
    if (error instanceof KubectlError) code = error.exitCode;
  }
  return { stdout, stderr, code };
}

/** Which verb it is, and what is said to it. @throws KubectlError */
function parse(args: readonly string[]): { command: Command; parsed: ReturnType<typeof parseFlags> } {
  const { before, verb, after } = splitAtVerb(args, GLOBAL_FLAGS);
  const command = Object.hasOwn(KUBECTL_COMMANDS, verb) ? KUBECTL_COMMANDS[verb] : undefined;
  if (!command) throw unknownCommand(verb);
  const below = PARENTS.has(verb) && !after[0]?.startsWith('-') ? after.slice(0, 1) : [];
  const name = ['kubectl', verb, ...below].join(' ');
  return { command, parsed: parseFlags([...before, ...after], { ...GLOBAL_FLAGS, ...command.flags }, name) };
}

/** There is one cluster, and one person who uses it. @throws KubectlError */
function refuseOtherClusters(
  flags: Flags,
  { options: { files }, kubeconfig, own }: { options: RunKubectlOptions; kubeconfig: Kubeconfig; own: FlagSpecs },
): void {
  const [file, context, cluster, user] = ['kubeconfig', 'context', 'cluster', 'user'].map((name) => flags.string(name));
  if (file !== undefined)
    throw new KubectlError(
      files[file] === undefined
        ? `error: stat ${file}: no such file or directory`
        : 'error: --kubeconfig is not offered here: there is one cluster, and kubectl is its administrator (but for --as)',
    );
  if (context !== undefined && !kubeconfig.contexts.has(context))
    throw new KubectlError(`Error in configuration: context was not found for specified context: ${context}`);
  if (user !== undefined && user !== USER && !own['user']) throw new KubectlError(`error: auth info "${user}" does not exist`);
  if (cluster !== undefined && cluster !== CLUSTER && !own['cluster'])
    throw new KubectlError(`error: no server found for cluster "${cluster}"`);
  const timeout = flags.string('request-timeout');
  if (timeout !== undefined && !/^\d+$/.test(timeout) && parseDuration(timeout) === undefined)
    throw new KubectlError(
      'error: Invalid timeout value. Timeout must be a single integer in seconds, or an integer followed by a corresponding time unit (e.g. 1s | 2m | 3h)',
    );
}

/** Each warning of the server is printed, but no more than once. client-go rest NewWarningWriter */
function warnOnce(print: (line: string) => void): (text: string) => void {
  const printed = new Set<string>();
  return (text) => {
    if (!printed.has(text)) print(`Warning: ${text}`);
    printed.add(text);
  };
}

/** `--as`: on behalf of somebody else. */
function impersonating(client: Client, flags: Flags): Client {
  const username = flags.string('as');
  if (!username) return client;
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(username) ?? [];
  const account = name ? ['system:serviceaccounts', `system:serviceaccounts:${namespace}`] : [];
  return client.as({ username, groups: [...flags.list('as-group'), ...account, 'system:authenticated'] });
}

import { ManifestError } from '../api/manifest.ts';
import type { Client } from '../client/client.ts';
import type { Command } from './command.ts';
import { apiResources } from './commands/api-resources.ts';
import { apply } from './commands/apply.ts';
import { auth } from './commands/auth.ts';
import { autoscale } from './commands/autoscale.ts';
import { cordon, uncordon } from './commands/cordon.ts';
import { create } from './commands/create.ts';
import { deleteCommand } from './commands/delete.ts';
import { describe } from './commands/describe.ts';
import { drain } from './commands/drain.ts';
import { events } from './commands/events.ts';
import { exec } from './commands/exec.ts';
import { expose } from './commands/expose.ts';
import { get } from './commands/get.ts';
import { annotate, label } from './commands/label.ts';
import { logs } from './commands/logs.ts';
import { patch } from './commands/patch.ts';
import { rollout } from './commands/rollout.ts';
import { run } from './commands/run.ts';
import { scale } from './commands/scale.ts';
import { set } from './commands/set.ts';
import { taint } from './commands/taint.ts';
import { top } from './commands/top.ts';
import { wait } from './commands/wait.ts';
import { type FlagSpecs, type Flags, parseFlags } from './flags.ts';
import { Interrupt, Interrupted } from './interrupt.ts';
import { errorText, KubectlError } from './kubectl-error.ts';

/** The verbs that are offered. */
export const KUBECTL_COMMANDS: Readonly<Record<string, Command>> = {
  annotate,
  'api-resources': apiResources,
  apply,
  auth,
  autoscale,
  cordon,
  create,
  delete: deleteCommand,
  describe,
  drain,
  events,
  exec,
  expose,
  get,
  label,
  logs,
  patch,
  rollout,
  run,
  scale,
  set,
  taint,
  top,
  uncordon,
  wait,
};

/** These have commands below them. */
const PARENTS: ReadonlySet<string> = new Set(['auth', 'create', 'rollout', 'set', 'top']);

const GLOBAL_FLAGS: FlagSpecs = {
  namespace: { type: 'string', short: 'n' },
  as: { type: 'string' },
  'as-group': { type: 'list' },
};

export interface KubectlResult {
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
  /** 0 done, 1 refused or failed, 130 interrupted. */
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
  const { interrupt = new Interrupt() } = options;
  try {
    const [verb = '', ...words] = args;
    const command = Object.hasOwn(KUBECTL_COMMANDS, verb) ? KUBECTL_COMMANDS[verb] : undefined;
    if (!command) throw new KubectlError(`error: unknown command "${verb}" for "kubectl"`);
    const parsed = parseFlags(
      words,
      { ...GLOBAL_FLAGS, ...command.flags },
      ['kubectl', verb, ...(PARENTS.has(verb) ? words.slice(0, 1) : [])].join(' '),
    );
    await command.run({
      client: impersonating(options.client, parsed.flags),
      files: options.files,
      args: parsed.args,
      after: parsed.after,
      flags: parsed.flags,
      namespace: parsed.flags.string('namespace') ?? 'default',
      out: (line) => print(line, 'stdout'),
      error: fail,
      warn: (line) => print(line, 'stderr'),
      fail: () => {
        code = 1;
      },
      interrupt,
      async sleep(ms) {
        await options.client.actor.sleep(ms);
        if (interrupt.raised) throw new Interrupted();
      },
    });
  } catch (error) {
    if (error instanceof Interrupted) return { stdout, stderr, code: 130 };
    fail(error instanceof ManifestError ? `error: ${error.message}` : errorText(error));
  }
  return { stdout, stderr, code };
}

/** `--as`: on behalf of somebody else. */
function impersonating(client: Client, flags: Flags): Client {
  const username = flags.string('as');
  if (!username) return client;
  const [, namespace, name] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(username) ?? [];
  const account = name ? ['system:serviceaccounts', `system:serviceaccounts:${namespace}`] : [];
  return client.as({ username, groups: [...flags.list('as-group'), ...account, 'system:authenticated'] });
}

import type { Pod } from '../../api/kinds/core-v1.ts';
import type { Command } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { defaultContainer, podOf } from '../pod-of.ts';
import { finish, stream } from '../remote-command.ts';

const flags: Command['flags'] = {
  container: { type: 'string', short: 'c' },
  stdin: { type: 'boolean', short: 'i' },
  tty: { type: 'boolean', short: 't' },
  quiet: { type: 'boolean', short: 'q' },
  'pod-running-timeout': { type: 'string' },
};

/** kubectl exec POD -- COMMAND. Differs: only what is piped in can be typed into the command; `-t` is taken and ignored. */
export const exec: Command = {
  flags,
  async run(context) {
    const command = context.after;
    const [target] = context.args.slice(0, context.args.length - command.length);
    if (!target) throw new KubectlError('error: pod, type/name or --filename must be specified');
    if (!command.length)
      throw new KubectlError(
        context.args.length > 1
          ? "error: exec [POD] [COMMAND] is not supported anymore. Use exec [POD] -- [COMMAND] instead\nSee 'kubectl exec -h' for help and examples"
          : 'error: you must specify at least one command for the container',
      );
    const pod = await podOf(context, target);
    if (pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed')
      throw new KubectlError(`error: cannot exec into a container in a completed pod; current phase is ${pod.status.phase}`);
    const container = context.flags.string('container') ?? defaultContainer(context, pod);
    const stdin = context.flags.boolean('stdin') ? context.files['-'] : undefined;
    finish(await stream(context, { subresource: 'exec', pod: pod.metadata.name ?? '', container, command, stdin }));
  },
};

/** kubectl attach POD: what the container's process writes from now on. Differs: nothing can be typed but what is piped in. */
export const attach: Command = {
  flags,
  async run(context) {
    const [target, ...more] = context.args;
    if (!target) throw new KubectlError('error: at least 1 argument is required for attach');
    if (more.length > 1)
      throw new KubectlError(
        `error: expected POD, TYPE/NAME, or TYPE NAME, (at most 2 arguments) saw ${more.length + 1}: [${context.args.join(' ')}]`,
      );
    await attachTo(context, await podOf(context, [target, ...more].join('/')));
  },
};

/** Attaches to a container of a pod until it ends. @throws KubectlError */
export async function attachTo(context: Parameters<Command['run']>[0], pod: Pod): Promise<void> {
  const { name = '' } = pod.metadata;
  const asked = context.flags.string('container');
  const all = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? []), ...(pod.spec?.ephemeralContainers ?? [])];
  if (asked && !all.some((container) => container.name === asked))
    throw new KubectlError(`error: cannot attach to the container: container ${asked} not found in pod ${name}`);
  if (pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed')
    throw new KubectlError(`error: cannot attach a container in a completed pod; current phase is ${pod.status.phase}`);
  const container = asked ?? defaultContainer(context, pod);
  if (!context.flags.boolean('quiet')) {
    context.warn(
      'All commands and output from this session will be recorded in container logs, including credentials and sensitive information passed through the command prompt.',
    );
    context.warn("If you don't see a command prompt, try pressing enter.");
  }
  const stdin = context.flags.boolean('stdin') ? context.files['-'] : undefined;
  finish(await stream(context, { subresource: 'attach', pod: name, container, stdin }));
}

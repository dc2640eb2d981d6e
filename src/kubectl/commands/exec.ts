import type { Status } from '../../api/kinds/meta-v1.ts';
import { pods } from '../../api/resources.ts';
import { ApiStatusError } from '../../api/status-error.ts';
import { type Command, type CommandContext, placeOf } from '../command.ts';
import { KubectlError } from '../kubectl-error.ts';
import { namedObjects } from '../rest-mapper.ts';

/** kubectl exec POD -- COMMAND. Differs: nothing can be typed into the command; `-i` and `-t` are taken and ignored. */
export const exec: Command = {
  flags: { container: { type: 'string', short: 'c' }, stdin: { type: 'boolean', short: 'i' }, tty: { type: 'boolean', short: 't' } },
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
    const [named] = target.includes('/') ? await namedObjects(context.client, [target]) : [{ resource: pods, name: target }];
    if (named?.resource.kind !== 'Pod' || named.name === undefined)
      throw new KubectlError(`error: exec into ${named?.resource.resource} is not offered here; name a pod`);
    const pod = await context.client.resource(pods).get(placeOf(context, pods, named.name));
    if (pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed')
      throw new KubectlError(`error: cannot exec into a container in a completed pod; current phase is ${pod.status.phase}`);
    const container = context.flags.string('container') ?? pod.spec?.containers[0]?.name ?? '';
    if (!context.flags.string('container') && (pod.spec?.containers.length ?? 0) > 1)
      context.warn(`Defaulted container "${container}" out of: ${pod.spec?.containers.map(({ name }) => name).join(', ')}`);
    finish(context, await execute(context, { name: named.name, container, command }));
  },
};

/** Runs it, prints what it writes, and resolves with how it ended. */
async function execute(
  context: CommandContext,
  { name, container, command }: { name: string; container: string; command: readonly string[] },
): Promise<Status> {
  const { simulation } = context.client.actor;
  const info = {
    isResourceRequest: true,
    verb: 'create',
    path: '',
    group: '',
    version: 'v1',
    resource: 'pods',
    subresource: 'exec',
    namespace: context.namespace,
    name,
  };
  const response = await context.client.send({
    info,
    query: { container, command: command[0] ?? '', stdout: 'true', stderr: 'true' },
    repeated: { command },
    headers: {},
  });
  const { upgrade } = response;
  if (!upgrade) throw new ApiStatusError(response.body as ConstructorParameters<typeof ApiStatusError>[0]);
  const output = { stdout: '', stderr: '' };
  const status = await new Promise<Status>((resolve) => {
    const server = upgrade((message) => {
      if (message.what === 'output') output[message.stream] += message.text;
      if (message.what === 'end') simulation.resolve(resolve, message.status);
    });
    server.receive({ what: 'stdin-end' });
    context.interrupt.listen(() => {
      server.stop();
      simulation.resolve(resolve, { status: 'Failure', message: '' } as Status);
    });
  });
  for (const line of linesOf(output.stdout)) context.out(line);
  for (const line of linesOf(output.stderr)) context.warn(line);
  return status;
}

function linesOf(text: string): string[] {
  return text ? text.replace(/\n$/, '').split('\n') : [];
}

function finish(context: CommandContext, { status, reason, message = '', details }: Status): void {
  if (status !== 'Failure') return;
  const code = details?.causes?.find((cause) => cause.reason === 'ExitCode')?.message;
  if (reason === 'NonZeroExitCode') context.error(`command terminated with exit code ${code ?? 1}`);
  else if (message) throw new KubectlError(`error: ${message}`);
}

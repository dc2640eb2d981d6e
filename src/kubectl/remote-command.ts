import type { Status } from '../api/kinds/meta-v1.ts';
import { ApiStatusError } from '../api/status-error.ts';
import type { CommandContext } from './command.ts';
import { KubectlError } from './kubectl-error.ts';

export interface RemoteCommand {
  readonly subresource: 'exec' | 'attach';
  readonly pod: string;
  readonly container: string;
  /** What is run; for exec. */
  readonly command?: readonly string[];
  /** What is typed in. */
  readonly stdin?: string | undefined;
}

/**
 * Opens a connection to a container, prints what comes line by line, and resolves with how it ended. client-go tools/remotecommand
 * @throws ApiStatusError
 */
export async function stream(context: CommandContext, { subresource, pod, container, command, stdin }: RemoteCommand): Promise<Status> {
  const { simulation } = context.client.actor;
  const info = {
    isResourceRequest: true,
    verb: 'create',
    path: '',
    group: '',
    version: 'v1',
    resource: 'pods',
    subresource,
    namespace: context.namespace,
    name: pod,
  };
  const { body, upgrade } = await context.client.send({
    info,
    query: {
      container,
      ...(command ? { command: command[0] ?? '' } : {}),
      ...(stdin === undefined ? {} : { stdin: 'true' }),
      stdout: 'true',
      stderr: 'true',
    },
    ...(command ? { repeated: { command } } : {}),
    headers: {},
  });
  if (!upgrade) throw new ApiStatusError(body as ConstructorParameters<typeof ApiStatusError>[0]);
  const [stdout, stderr] = [new LinePrinter(context.out), new LinePrinter(context.warn)];
  const status = await new Promise<Status>((resolve) => {
    const server = upgrade((message) => {
      if (message.what === 'output') (message.stream === 'stdout' ? stdout : stderr).add(message.text);
      if (message.what === 'end') simulation.resolve(resolve, message.status);
    });
    if (stdin !== undefined) server.receive({ what: 'stdin', text: stdin });
    server.receive({ what: 'stdin-end' });
    context.interrupt.listen(() => {
      server.stop();
      simulation.resolve(resolve, { status: 'Failure', message: '' } as Status);
    });
  });
  stdout.end();
  stderr.end();
  return status;
}

/** Prints whole lines as soon as they are whole. */
class LinePrinter {
  readonly #print: (line: string) => void;
  #rest = '';

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  add(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#print(line);
  }

  end(): void {
    if (this.#rest) this.#print(this.#rest);
    this.#rest = '';
  }
}

/** Says how a command ended; the exit code becomes its own. */
export function finish({ status, reason, message = '', details }: Status): void {
  if (status !== 'Failure') return;
  const code = Number(details?.causes?.find((cause) => cause.reason === 'ExitCode')?.message ?? 1);
  if (reason === 'NonZeroExitCode') throw new KubectlError(`command terminated with exit code ${code}`, code);
  if (message) throw new KubectlError(`error: ${message}`);
}

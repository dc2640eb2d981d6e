import { type ExecListener, type ExecRequest, type ExecStream, RuntimeError } from '../../src/api/cri.ts';
import { EXIT_SIGKILL } from './constants.ts';
import type { Container } from './container.ts';
import type { RuntimeService } from './runtime-service.ts';
import { Input } from './shell/io.ts';
import { execProgram } from './start-program.ts';
import { Terminal } from './terminal.ts';

/** Runs a command in a running container, with its output as it comes: containerd pkg/cri/server Exec. @throws RuntimeError */
export function exec(
  what: { readonly runtime: RuntimeService; readonly container: Container },
  request: ExecRequest,
  listener: ExecListener,
): ExecStream {
  const { runtime, container } = what;
  if (container.state !== 'CONTAINER_RUNNING')
    throw new RuntimeError(`failed to exec in container: container is in ${container.state} state`);
  const input = new Input('', request.stdin);
  const terminal = request.tty ? new Terminal(input, (text) => listener.onOutput('stdout', text)) : undefined;
  let done = false;
  let release = (): void => {};
  const exit = (code: number): void => {
    if (done) return;
    done = true;
    release();
    listener.onExit(code);
  };
  const write = (stream: 'stdout' | 'stderr', text: string): void => {
    if (done) return;
    if (terminal) terminal.print(text);
    else listener.onOutput(stream, text);
  };
  const context = { ...runtime.contextOf(container, { argv: request.command, write, exit }), stdin: input, tty: request.tty };
  const process = execProgram(context, container.process);
  if ('failure' in process) {
    throw new RuntimeError(
      `failed to exec in container: failed to start exec: OCI runtime exec failed: exec failed: unable to start container process: ${process.failure}: unknown`,
    );
  }
  if (!done) release = container.onExit(() => exit(EXIT_SIGKILL));
  return {
    write: (text) => (terminal ? terminal.type(text) : input.feed(text)),
    end: () => input.close(),
    close: () => {
      // A process whose caller is gone goes on, but for one that reads or has a terminal.
      input.close();
      if (request.tty) process.signal('SIGHUP');
    },
  };
}

/** Joins the container's own process: containerd pkg/cri/server Attach. @throws RuntimeError */
export function attach(container: Container, { stdin }: { readonly stdin: boolean }, listener: ExecListener): ExecStream {
  if (container.state !== 'CONTAINER_RUNNING')
    throw new RuntimeError(`failed to attach container: container is in ${container.state} state`);
  const { tty } = container.config;
  const input = stdin ? container.stdin : undefined;
  const terminal = tty && input ? new Terminal(input, (text) => listener.onOutput('stdout', text)) : undefined;
  const silence = container.listen((stream, text) => (terminal ? terminal.print(text) : listener.onOutput(stream, text)));
  const release = container.onExit(() => listener.onExit(container.exitCode));
  return {
    write: (text) => (terminal ? terminal.type(text) : input?.feed(text)),
    end: () => {
      if (container.config.stdinOnce) input?.close();
    },
    close: () => {
      if (container.config.stdinOnce) input?.close();
      silence();
      release();
    },
  };
}

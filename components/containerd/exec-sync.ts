import { type ExecSyncResponse, RuntimeError } from '../../src/api/cri.ts';
import { formatDuration } from '../../src/api/time.ts';
import type { Timer } from '../../src/sim/actor.ts';
import { EXIT_SIGKILL } from './constants.ts';
import type { Container } from './container.ts';
import type { Process } from './process.ts';
import type { RuntimeService } from './runtime-service.ts';
import { execProgram } from './start-program.ts';

/** Runs a command in a running container and waits for its end: containerd pkg/cri/server execInContainer. */
export function execSync(what: {
  readonly runtime: RuntimeService;
  readonly container: Container;
  readonly command: readonly string[];
  readonly timeoutMs: number;
}): Promise<ExecSyncResponse> {
  const { runtime, container, command, timeoutMs } = what;
  if (container.state !== 'CONTAINER_RUNNING')
    throw new RuntimeError(`failed to exec in container: container is in ${container.state} state`);
  const { actor } = runtime;
  const out = { stdout: '', stderr: '' };
  return new Promise((resolve, reject) => {
    let done = false;
    let timer: Timer | undefined;
    let release: (() => void) | undefined;
    const finish = (settle: () => void): void => {
      if (done) return;
      done = true;
      timer?.cancel();
      release?.();
      settle();
    };
    const exit = (code: number): void => finish(() => actor.simulation.resolve(resolve, { ...out, exitCode: code }));
    const fail = (error: RuntimeError): void => finish(() => actor.simulation.resolve<unknown>(reject, error));
    const write = (stream: 'stdout' | 'stderr', text: string): void => {
      out[stream] += text;
    };
    const process: Process | { failure: string } = execProgram(
      runtime.contextOf(container, { argv: command, write, exit }),
      container.process,
    );
    if ('failure' in process) {
      return fail(
        new RuntimeError(
          `failed to exec in container: failed to start exec: OCI runtime exec failed: exec failed: unable to start container process: ${process.failure}: unknown`,
        ),
      );
    }
    if (done) return undefined;
    release = container.onExit(() => exit(EXIT_SIGKILL));
    if (timeoutMs <= 0) return undefined;
    timer = actor.schedule(timeoutMs, () => {
      fail(
        new RuntimeError(
          `failed to exec in container: timeout ${formatDuration(timeoutMs)} exceeded: context deadline exceeded`,
          'DeadlineExceeded',
        ),
      );
      process.signal('SIGKILL');
    });
    return undefined;
  });
}

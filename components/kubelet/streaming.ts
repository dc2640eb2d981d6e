import { type ExecListener, type ExecStream, RuntimeError } from '../../src/api/cri.ts';
import type { Status } from '../../src/api/kinds/meta-v1.ts';
import type { ClientMessage, Upgrade } from '../../src/api/streams.ts';

const SUCCESS: Status = { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Success' };

/** A connection that was taken over for exec or attach: kubelet pkg/cri/streaming/remotecommand.ServeExec, ServeAttach */
export function serveCommand(join: (listener: ExecListener) => Promise<ExecStream>, what: 'exec' | 'attach'): Upgrade {
  return (send) => {
    let ended = false;
    const end = (status: Status): void => {
      if (ended) return;
      ended = true;
      send({ what: 'end', status });
    };
    const listener: ExecListener = {
      onOutput: (stream, text) => {
        if (!ended) send({ what: 'output', stream, text });
      },
      onExit: (code) => end(what === 'exec' ? exitStatus(code) : SUCCESS),
    };
    let stream: ExecStream | undefined;
    let pending: ((to: ExecStream) => void)[] = [];
    const tell = (message: (to: ExecStream) => void): void => {
      if (stream) message(stream);
      else pending.push(message);
    };
    join(listener).then(
      (joined) => {
        stream = joined;
        for (const message of pending) message(joined);
        pending = [];
      },
      (error: unknown) => {
        if (!(error instanceof RuntimeError)) throw error;
        end(internalError(`error ${what === 'exec' ? 'executing command in container' : 'attaching to container'}: ${error.message}`));
      },
    );
    return {
      receive: (message: ClientMessage) => {
        if (message.what === 'stdin') tell((to) => to.write(message.text));
        if (message.what === 'stdin-end') tell((to) => to.end());
      },
      stop: () => tell((to) => to.close()),
    };
  };
}

/** The end of a command as client-go's remotecommand reads it. */
function exitStatus(code: number): Status {
  if (code === 0) return SUCCESS;
  return {
    ...SUCCESS,
    status: 'Failure',
    message: `command terminated with non-zero exit code: error executing command, exit code ${code}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  };
}

function internalError(problem: string): Status {
  return {
    ...SUCCESS,
    status: 'Failure',
    message: `Internal error occurred: ${problem}`,
    reason: 'InternalError',
    details: { causes: [{ message: problem }] },
    code: 500,
  };
}

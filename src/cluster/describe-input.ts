import type { ClientMessage } from '../api/streams.ts';
import { describeFault, type Fault } from './faults.ts';
import type { HttpInput } from './http-entrance.ts';
import { describeLoad, type Load } from './load.ts';
import type { Visit } from './service-network.ts';

/** How the trace shows an input. */
export function describeInput(input: string, payload: unknown): string {
  if (input === 'kubectl') return `kubectl ${(payload as { args: readonly string[] }).args.join(' ')}`;
  if (input === 'kubectl-interrupt') return `Ctrl-C for command ${(payload as { interrupts: number }).interrupts}`;
  if (input === 'http') return `${(payload as HttpInput).method} ${(payload as HttpInput).url}`;
  if (input === 'http-message')
    return `${(payload as { message: ClientMessage }).message.what} for request ${(payload as { to: number }).to}`;
  if (input === 'http-close') return `the sender of request ${(payload as { closes: number }).closes} goes away`;
  if (input === 'outbound-answer') return `the answer to request ${(payload as { answers: number }).answers} out of the cluster`;
  if (input === 'visit') {
    const { host, port, node } = (payload as { visit: Visit }).visit;
    return `visit ${host}:${port} from ${node === undefined ? 'outside of the cluster' : `node ${node}`}`;
  }
  if (input === 'load') return describeLoad(payload as Load);
  return describeFault(payload as Fault);
}

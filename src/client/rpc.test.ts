import { describe, expect, it } from 'vitest';
import { RpcError } from '../api/rpc-error.ts';
import { Simulation } from '../sim/simulation.ts';
import { callRpc } from './rpc.ts';

async function outcomeOf(crash: 'before' | 'while' | 'never', listens = true): Promise<unknown> {
  const simulation = new Simulation({ seed: '1' });
  const server = simulation.actor('server', () => {});
  const caller = simulation.actor('caller', () => {});
  for (const actor of [server, caller]) actor.start();
  await simulation.settle();
  if (crash === 'before') server.crash();
  let outcome: unknown;
  const service = { double: (n: number) => (crash === 'while' ? new Promise<number>(() => {}) : n * 2) };
  caller.schedule(0, async () => {
    outcome = await callRpc(caller, listens ? { process: server, service } : undefined, ({ double }) => double(21)).catch(
      (error: unknown) => error,
    );
  });
  if (crash === 'while') server.schedule(5, () => server.crash());
  await simulation.settle();
  return outcome;
}

describe('a call over a socket', () => {
  it('is answered', async () => expect(await outcomeOf('never')).toBe(42));

  it.each([
    ['nobody has made the socket', 'never', false, 'no such file or directory'],
    ['whoever made it is gone', 'before', true, 'connection refused'],
    ['the other side ends before it has answered', 'while', true, 'error reading from server: EOF'],
  ] as const)('is not when %s', async (_, crash, listens, message) => {
    const error = await outcomeOf(crash, listens);
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toMatchObject({ code: 'Unavailable', message: expect.stringContaining(message) });
  });
});

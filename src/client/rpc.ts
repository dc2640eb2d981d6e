import { RpcError } from '../api/rpc-error.ts';
import type { SocketServer } from '../api/unix-sockets.ts';
import type { Actor } from '../sim/actor.ts';
import { ActorUnavailable } from '../sim/actor-unavailable.ts';

/** A message over a Unix socket. */
export const RPC_MS = 1;

/**
 * Calls what is served at a socket, as over gRPC.
 * @throws RpcError with which the other side refuses, or that nobody answers
 * @example await callRpc(kubelet, server, (driver) => driver.nodeGetInfo());
 */
export async function callRpc<Service, T>(
  caller: Actor,
  server: SocketServer<Actor, Service> | undefined,
  serve: (service: Service) => T | Promise<T>,
): Promise<T> {
  if (!server) throw notConnected('no such file or directory');
  const { process, service } = server;
  if (process.state === 'crashed') throw notConnected('connection refused');
  try {
    return await caller.call(process, () => serve(service), { requestMs: RPC_MS, responseMs: RPC_MS });
  } catch (error) {
    throw error instanceof ActorUnavailable ? new RpcError('Unavailable', 'error reading from server: EOF') : error;
  }
}

function notConnected(why: string): RpcError {
  return new RpcError('Unavailable', `connection error: desc = "transport: Error while dialing: dial unix: connect: ${why}"`);
}

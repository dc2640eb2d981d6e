import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { ClientMessage } from '../api/streams.ts';
import { upgradeOf } from '../api/upgrade-response.ts';
import { ActorUnavailable } from '../sim/actor-unavailable.ts';
import type { DoorParts } from './http-door.ts';
import { keptHeaders } from './http-input.ts';
import { servePortForward } from './port-forward-door.ts';
import { COMMAND_PROTOCOLS, serveRemoteCommand } from './remote-command-door.ts';
import { PORT_FORWARD_PROTOCOL } from './spdy-connection.ts';
import { serveWatch } from './watch-door.ts';

/** A connection that a request has taken over. */
export interface TakenConnection {
  readonly parts: DoorParts;
  readonly call: number;
  readonly socket: WebSocket;
  /** The client waits for the end, and says nothing. */
  readonly waits: boolean;
  /** The client says something. */
  say(message: ClientMessage): void;
}

/** Virtual milliseconds that the clock may run ahead for what somebody types. */
const LEAD_MS = 30;

const webSockets = new WebSocketServer({ noServer: true });
// The names of the protocols are no tokens, which the library insists on: they are negotiated here.
webSockets.on('headers', (headers, request) => {
  const protocol = protocolOf(request);
  if (protocol) headers.push(`Sec-WebSocket-Protocol: ${protocol}`);
});
const chosen = new WeakMap<IncomingMessage, string>();

/** The best protocol that the client offers. */
function protocolOf(request: IncomingMessage): string | undefined {
  const known = chosen.get(request);
  if (known !== undefined) return known;
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  const protocol = [PORT_FORWARD_PROTOCOL, ...COMMAND_PROTOCOLS].find((name) => offered.includes(name));
  if (protocol) chosen.set(request, protocol);
  return protocol;
}

/** A request that wants to take over its connection: kube-apiserver decides, and the client gets a WebSocket or its refusal. */
export async function serveUpgrade(
  parts: DoorParts,
  { request, socket, head }: { request: IncomingMessage; socket: Duplex; head: Buffer },
): Promise<void> {
  socket.on('error', () => {});
  const { method = 'GET', url = '/' } = request;
  const user = parts.userOf(request);
  const upgrade = method === 'GET' && request.headers.upgrade?.toLowerCase() === 'websocket';
  const input = {
    method,
    url,
    headers: keptHeaders(request.headers),
    ...(user === undefined ? {} : { user }),
    ...(upgrade ? { upgrade } : {}),
  };
  let call = 0;
  try {
    const answer = await parts.pump.ask(() => {
      const opened = parts.cluster.openHttp(input);
      call = opened.call;
      return opened.response;
    });
    const isWatch = answer.ok && /[?&]watch=(true|1)(&|$)/.test(url);
    if (!upgrade || !(isWatch || upgradeOf(answer))) return await refuse(parts, { answer, socket, call });
    const protocol = protocolOf(request);
    delete request.headers['sec-websocket-protocol'];
    const waits = !/[?&]stdin=true/.test(url);
    webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      const connection = take({ parts, call, socket: webSocket, waits });
      if (isWatch) void serveWatch(connection, answer);
      else if (protocol === PORT_FORWARD_PROTOCOL) servePortForward(connection);
      else serveRemoteCommand(connection);
    });
  } catch (error) {
    if (!(error instanceof ActorUnavailable)) throw error;
    socket.destroy();
  }
}

function take({ parts, call, socket, waits }: Omit<TakenConnection, 'say'>): TakenConnection {
  const { cluster, pump } = parts;
  const say = (message: ClientMessage): void => void pump.enter(() => cluster.messageHttp(call, message), LEAD_MS);
  socket.on('error', () => socket.terminate());
  socket.on('close', () => void pump.enter(() => cluster.closeHttp(call)));
  return { parts, call, socket, waits, say };
}

/** The answer as it would have been without the wish to take over the connection. */
async function refuse({ cluster }: DoorParts, { answer, socket, call }: { answer: Response; socket: Duplex; call: number }): Promise<void> {
  const body = Buffer.from(await answer.arrayBuffer());
  cluster.finishHttp(call);
  const headers = [...answer.headers].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(
    Buffer.concat([
      Buffer.from(
        `HTTP/1.1 ${answer.status} ${answer.statusText}\r\n${headers}content-length: ${body.length}\r\nconnection: close\r\n\r\n`,
      ),
      body,
    ]),
  );
}

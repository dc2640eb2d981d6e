import type { ServerMessage } from '../api/streams.ts';
import type { TakenConnection } from './upgrade-door.ts';

/** apimachinery pkg/util/remotecommand: the subprotocols that are spoken, the best first. */
export const COMMAND_PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];

const [STDIN, STDOUT, STDERR, ERROR, CLOSE] = [0, 1, 2, 3, 255];

/** Exec and attach over a WebSocket: binary messages whose first byte names the channel. client-go tools/remotecommand, apiserver pkg/util/wsstream */
export function serveRemoteCommand({ parts, call, socket, waits, say }: TakenConnection): void {
  let ended = (): void => {};
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });
  // Who waits for the end of a command gets it, also when the clock stands still; who types is answered step by step.
  if (waits) void parts.pump.ask(() => end);
  socket.on('close', ended);
  const decoder = new TextDecoder();
  socket.on('message', (data: Buffer) => {
    const [channel] = data;
    if (channel === STDIN && data.length > 1) say({ what: 'stdin', text: decoder.decode(data.subarray(1), { stream: true }) });
    if (channel === CLOSE && data[1] === STDIN) say({ what: 'stdin-end' });
  });
  parts.cluster.listenHttp(call, (message: ServerMessage) => {
    if (message.what === 'output') socket.send(framed(message.stream === 'stdout' ? STDOUT : STDERR, message.text));
    if (message.what !== 'end') return;
    ended();
    socket.send(framed(ERROR, JSON.stringify(message.status)));
    socket.close(1000);
  });
}

function framed(channel: number, text: string): Buffer {
  return Buffer.concat([Buffer.from([channel]), Buffer.from(text)]);
}

import type { ServerMessage } from '../api/streams.ts';
import { SpdyConnection } from './spdy-connection.ts';
import type { TakenConnection } from './upgrade-door.ts';

/** The two streams of one forwarded connection. */
interface Forwarded {
  data?: number;
  error?: number;
}

/** Portforward: SPDY in the messages of a WebSocket; each connection has a data and an error stream. apiserver pkg/util/proxy tunneling, kubelet pkg/cri/streaming/portforward */
export function servePortForward({ parts, call, socket, say }: TakenConnection): void {
  const connections = new Map<number, Forwarded>();
  const byStream = new Map<number, number>();
  const spdy = new SpdyConnection((bytes) => socket.send(bytes), {
    onStream: (stream, headers) => {
      const id = Number(headers['requestid']);
      const forwarded = connections.get(id) ?? {};
      connections.set(id, forwarded);
      if (headers['streamtype'] === 'error') forwarded.error = stream;
      else forwarded.data = stream;
      spdy.reply(stream);
      if (headers['streamtype'] === 'error') return;
      byStream.set(stream, id);
      say({ what: 'open', connection: id, port: Number(headers['port']) });
    },
    onData: (stream, bytes, last) => {
      const connection = byStream.get(stream);
      if (connection === undefined) return;
      if (bytes.length > 0) say({ what: 'data', connection, bytes: bytes.toString('latin1') });
      if (last) say({ what: 'close', connection });
      if (last) finish(connection);
    },
    onReset: (stream) => {
      const connection = byStream.get(stream);
      if (connection !== undefined) say({ what: 'close', connection });
    },
  });
  const finish = (id: number, error?: string): void => {
    const forwarded = connections.get(id);
    if (!forwarded) return;
    connections.delete(id);
    if (forwarded.data !== undefined) spdy.send(forwarded.data, Buffer.alloc(0), true);
    if (forwarded.error !== undefined) spdy.send(forwarded.error, Buffer.from(error ?? ''), true);
  };
  socket.on('message', (data: Buffer) => spdy.receive(data));
  parts.cluster.listenHttp(call, (message: ServerMessage) => {
    if (message.what === 'data') {
      const stream = connections.get(message.connection)?.data;
      if (stream !== undefined) spdy.send(stream, Buffer.from(message.bytes, 'latin1'), false);
    }
    if (message.what === 'close') finish(message.connection, message.error);
  });
}

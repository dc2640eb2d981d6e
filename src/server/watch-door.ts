import type { TakenConnection } from './upgrade-door.ts';

/** A watch over a WebSocket: a message for each event. apiserver pkg/endpoints/handlers.WatchServer.HandleWS */
export async function serveWatch({ socket }: Pick<TakenConnection, 'socket'>, answer: Response): Promise<void> {
  const binary = !answer.headers.get('content-type')?.startsWith('application/json');
  const reader = answer.body?.getReader();
  socket.on('close', () => void reader?.cancel().catch(() => {}));
  for (;;) {
    // An event comes in one piece.
    const { done, value } = (await reader?.read()) ?? { done: true };
    if (done || socket.readyState !== socket.OPEN) break;
    socket.send(value, { binary });
  }
  socket.close(1000);
}

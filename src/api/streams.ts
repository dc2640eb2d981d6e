import type { Status } from './kinds/meta-v1.ts';

/** What the client of exec, attach or portforward says. Plain data: it goes into recordings. */
export type ClientMessage =
  | { readonly what: 'stdin'; readonly text: string }
  | { readonly what: 'stdin-end' }
  /** A connection to a port of the pod begins. */
  | { readonly what: 'open'; readonly connection: number; readonly port: number }
  /** One character stands for each byte. */
  | { readonly what: 'data'; readonly connection: number; readonly bytes: string }
  | { readonly what: 'close'; readonly connection: number };

/** What it is told. `end` and `close` come once, and last. */
export type ServerMessage =
  | { readonly what: 'output'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  /** The command has ended, or could not be run: what k8s.io/client-go/tools/remotecommand reads from the error stream. */
  | { readonly what: 'end'; readonly status: Status }
  | { readonly what: 'data'; readonly connection: number; readonly bytes: string }
  | { readonly what: 'close'; readonly connection: number; readonly error?: string };

/** The server's end of a connection that was taken over. */
export interface StreamServer {
  receive(message: ClientMessage): void;
  /** The client has gone away. */
  stop(): void;
}

/** Takes over the connection of a request: for exec, attach and portforward. */
export type Upgrade = (send: (message: ServerMessage) => void) => StreamServer;

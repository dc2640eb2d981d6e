import { createServer, type Server as HttpServer } from 'node:http';
import type { Server } from 'node:net';
import type { Cluster } from '../cluster/cluster.ts';
import { type DoorParts, type HttpResponse, serveRequest } from './http-door.ts';
import type { HttpRequest } from './http-input.ts';
import { listen } from './listen.ts';
import { Pump } from './pump.ts';

export interface ApiServerOptions {
  /** A cluster that nobody else runs. */
  readonly cluster: Cluster;
  /** Plain HTTP on 127.0.0.1 with the rights of an administrator; 0 takes any free port. */
  readonly insecurePort?: number;
  /** Virtual seconds for each second of the wall clock. */
  readonly speed: number;
  /** Keep what entered, for a recording. */
  readonly keepInputs: boolean;
  /** Hears of an error inside the simulation. */
  readonly onFailure: (error: unknown) => void;
}

/** The sockets of a cluster: kube-apiserver over HTTP and HTTPS, while the virtual clock follows the wall clock. */
export class ApiServer {
  readonly pump: Pump;
  readonly #options: ApiServerOptions;
  readonly #servers: Server[] = [];
  readonly #sockets = new Set<{ destroy(): unknown }>();

  constructor(options: ApiServerOptions) {
    const { cluster, speed, keepInputs } = options;
    this.#options = options;
    this.pump = new Pump({ simulation: cluster.simulation, speed, keepInputs });
  }

  /** Listens, and lets time go on. Resolves with the addresses. */
  async start(): Promise<{ readonly insecure?: string }> {
    const { insecurePort, onFailure } = this.#options;
    const addresses: { insecure?: string } = {};
    if (insecurePort !== undefined) addresses.insecure = `http://127.0.0.1:${await this.#openInsecure(insecurePort)}`;
    this.pump.start(onFailure);
    return addresses;
  }

  /** Closes every connection, and lets the present event end. */
  async stop(): Promise<void> {
    for (const server of this.#servers) server.close();
    for (const socket of this.#sockets) socket.destroy();
    await this.pump.stop();
  }

  #openInsecure(port: number): Promise<number> {
    const server: HttpServer = createServer({ keepAliveTimeout: 60_000 }, this.#handler({ userOf: () => undefined }));
    return this.#open(server, port);
  }

  #handler(parts: Pick<DoorParts, 'userOf'>): (request: HttpRequest, response: HttpResponse) => void {
    const door: DoorParts = { cluster: this.#options.cluster, pump: this.pump, ...parts };
    return (request, response) => {
      serveRequest(door, { request, response }).catch(this.#options.onFailure);
    };
  }

  #open(server: Server, port: number): Promise<number> {
    this.#servers.push(server);
    server.on('connection', (socket) => {
      socket.setNoDelay(true);
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    return listen(server, { host: '127.0.0.1', port });
  }
}

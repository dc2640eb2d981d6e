import { createServer, type IncomingMessage } from 'node:http';
import { createSecureServer } from 'node:http2';
import type { Server } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { Cluster } from '../cluster/cluster.ts';
import { KUBERNETES_ADMIN } from '../cluster/users.ts';
import { type DoorParts, type HttpResponse, serveRequest } from './http-door.ts';
import type { HttpRequest } from './http-input.ts';
import { IssuedCertificates } from './issued-certificates.ts';
import { kubeconfig } from './kubeconfig.ts';
import { listen } from './listen.ts';
import { answerOutside } from './outside.ts';
import { peerUser } from './peer-user.ts';
import { Pump } from './pump.ts';
import { serveUpgrade } from './upgrade-door.ts';

export interface ApiServerOptions {
  /** A cluster that nobody else runs. */
  readonly cluster: Cluster;
  /** Plain HTTP on 127.0.0.1 with the rights of an administrator; 0 takes any free port. */
  readonly insecurePort?: number;
  /** HTTPS on 127.0.0.1 (HTTP/1.1 and HTTP/2) with an authority of its own; 0 takes any free port. */
  readonly port?: number;
  /** Virtual seconds for each second of the wall clock. */
  readonly speed: number;
  /** Keep what entered, for a recording. */
  readonly keepInputs: boolean;
  /** Hears of an error inside the simulation. */
  readonly onFailure: (error: unknown) => void;
}

/** Where a server listens. */
export interface Addresses {
  readonly secure?: string;
  readonly insecure?: string;
  /** How the administrator reaches the secure one. */
  readonly kubeconfig?: string;
}

const HOST = '127.0.0.1';
const NAMES = [
  '127.0.0.1',
  'localhost',
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
];

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
    answerOutside(cluster, this.pump);
  }

  /** Listens, and lets time go on. */
  async start(): Promise<Addresses> {
    const { insecurePort, port, onFailure } = this.#options;
    const secure = port === undefined ? {} : await this.#openSecure(port);
    const insecure = insecurePort === undefined ? {} : { insecure: `http://${HOST}:${await this.#openInsecure(insecurePort)}` };
    this.pump.start(onFailure);
    return { ...secure, ...insecure };
  }

  /** Closes every connection, and lets the present event end. */
  async stop(): Promise<void> {
    for (const server of this.#servers) server.close();
    for (const socket of this.#sockets) socket.destroy();
    await this.pump.stop();
  }

  #openInsecure(port: number): Promise<number> {
    const door = this.#door(() => undefined);
    return this.#open(createServer({ keepAliveTimeout: 60_000 }, this.#handler(door)), { door, port });
  }

  async #openSecure(port: number): Promise<Addresses> {
    // Loaded when needed: what makes certificates is large.
    const { CertificateAuthority } = await import('./certificate-authority.ts');
    const authority = await CertificateAuthority.create();
    const { certificate: cert, key } = await authority.issueServer(NAMES);
    const options = { allowHTTP1: true, cert, key, ca: authority.certificate, requestCert: true, rejectUnauthorized: false };
    const issued = new IssuedCertificates(this.#options.cluster);
    const userOf = (request: HttpRequest): ReturnType<DoorParts['userOf']> => peerUser(socketOf(request), issued);
    const door = this.#door(userOf);
    const server = `https://${HOST}:${await this.#open(createSecureServer(options, this.#handler(door)), { door, port })}`;
    const { username: user, groups } = KUBERNETES_ADMIN;
    const keys = await authority.issueClient({ username: user, groups: groups.filter((group) => group !== 'system:authenticated') });
    return { secure: server, kubeconfig: kubeconfig({ server, authority: authority.certificate, user, keys }) };
  }

  #door(userOf: DoorParts['userOf']): DoorParts {
    return { cluster: this.#options.cluster, pump: this.pump, userOf };
  }

  #handler(door: DoorParts): (request: HttpRequest, response: HttpResponse) => void {
    return (request, response) => {
      serveRequest(door, { request, response }).catch(this.#options.onFailure);
    };
  }

  #open(server: Server, { door, port }: { door: DoorParts; port: number }): Promise<number> {
    this.#servers.push(server);
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      serveUpgrade(door, { request, socket, head }).catch(this.#options.onFailure);
    });
    server.on('connection', (socket) => {
      socket.setNoDelay(true);
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
    return listen(server, { host: HOST, port });
  }
}

/** With HTTP/2 a request's socket belongs to its session. */
function socketOf(request: HttpRequest): TLSSocket {
  return ('stream' in request ? request.stream.session?.socket : request.socket) as TLSSocket;
}

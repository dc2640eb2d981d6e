import { EXIT_SIGKILL } from '../../components/containerd/constants.ts';
import type { Process, ProcessContext, Service, Signal } from '../../components/containerd/process.ts';
import { base64ToBytes } from '../api/base64.ts';
import type { HttpAnswer, HttpCall } from '../api/cri.ts';
import type { UserInfo } from '../api/request.ts';
import type { Client } from '../client/client.ts';
import type { Actor } from '../sim/actor.ts';
import type { Cluster } from './cluster.ts';
import { serviceAccountUser } from './users.ts';

const TOKEN_FILE = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/** A program that runs in a pod. */
export interface PodServer {
  /** Goes on until its process is ended. */
  run(): Promise<void>;
  /** Answers at its port, if it has one. */
  handle?(call: HttpCall): HttpAnswer;
}

/** What the program of a pod works with. */
export interface PodProgramParts {
  readonly actor: Actor;
  readonly client: Client;
  /** The namespace that it runs in. */
  readonly namespace: string;
  /** The process ends by itself. */
  readonly exit: (code: number) => void;
}

interface PodProgram {
  readonly cluster: Cluster;
  readonly context: ProcessContext;
  /** Where it listens, unless `--secure-port` says otherwise. */
  readonly port?: number;
  readonly make: (parts: PodProgramParts) => PodServer;
}

/**
 * A component as the program of a container: a process of the simulation that is named as the pod, logs in with the token that is mounted into the container, and
 * ends with it. Its name stays the same when the container is started anew.
 */
export class PodProgramProcess implements Process {
  readonly #context: ProcessContext;
  readonly #actor: Actor;
  readonly #service: Service;

  constructor({ cluster, context, port, make }: PodProgram) {
    this.#context = context;
    const { simulation } = cluster;
    let server: PodServer | undefined;
    const program = (actor: Actor): Promise<void> => {
      const { user, namespace } = serviceAccountOf(context);
      server = make({ actor, client: cluster.clientOf(actor, user), namespace, exit: (code) => this.#end(code) });
      return server.run();
    };
    this.#actor = simulation.actor(uniqueName(cluster, context.hostname), program);
    const down: HttpAnswer = { status: 503, body: '' };
    this.#service = { http: (call) => (this.#actor.state === 'running' && server?.handle?.(call)) || down };
    if (port !== undefined) context.network.listen(Number(flag(context.argv, 'secure-port') ?? port), this.#service);
    this.#actor.start();
  }

  signal(signal: Signal): void {
    if (signal === 'SIGTERM' || signal === 'SIGKILL') this.#end(signal === 'SIGKILL' ? EXIT_SIGKILL : 0);
  }

  #end(code: number): void {
    this.#actor.crash();
    this.#context.network.close(this.#service);
    this.#context.exit(code);
  }
}

/** The value of `--name=value` among the arguments of a program. */
export function flag(argv: readonly string[], name: string): string | undefined {
  return argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3);
}

/** Another container of the pod may have had the name. */
function uniqueName({ simulation }: Cluster, hostname: string): string {
  let name = hostname;
  for (let attempt = 1; simulation.actors.has(name); attempt++) name = `${hostname}-${attempt}`;
  return name;
}

/** Whom the token was made for that is in the container: a JWT, whose signature is kube-apiserver's own. */
function serviceAccountOf({ files }: ProcessContext): { readonly user: UserInfo; readonly namespace: string } {
  const read = files.read(TOKEN_FILE);
  const [, namespace, name] = ('text' in read && /system:serviceaccount:([^:\s"]+):([^\s"]+)/.exec(claimsOf(read.text))) || [];
  if (!name) return { user: { username: 'system:anonymous', groups: ['system:unauthenticated'] }, namespace: 'default' };
  return { user: serviceAccountUser(name, namespace), namespace: namespace ?? 'default' };
}

function claimsOf(token: string): string {
  const [, payload, signature] = token.split('.');
  if (payload === undefined || signature === undefined) return token;
  const base64 = payload.replaceAll('-', '+').replaceAll('_', '/');
  return new TextDecoder().decode(base64ToBytes(base64.padEnd(Math.ceil(base64.length / 4) * 4, '=')));
}

import type { HttpAnswer } from '../../../src/api/cri.ts';
import type { Service } from '../process.ts';
import { curl, wget } from './applets-http.ts';
import type { Applet, ExternalCall } from './external-call.ts';

/** Commands that serve, and commands that ask others. */
export const NETWORK_APPLETS: Record<string, Applet> = {
  httpd: serveFiles,
  nc,
  wget,
  curl,
  nslookup,
};

const optionValue = (argv: readonly string[], option: string): string | undefined => {
  const index = argv.indexOf(option);
  return index < 0 ? undefined : argv[index + 1];
};

/** `httpd -f -p PORT -h DIRECTORY`: without `-f` it goes to the background. */
function serveFiles(call: ExternalCall): number | Promise<number> {
  const { task, state, argv, io } = call;
  const port = Number((optionValue(argv, '-p') ?? '80').replace(/^.*:/, ''));
  const home = state.path(optionValue(argv, '-h') ?? '.');
  const { files } = task.world.context;
  const answer = (path: string): HttpAnswer => {
    const clean = path.split('?')[0] ?? path;
    const read = files.read(`${home}${clean.endsWith('/') ? `${clean}index.html` : clean}`);
    return 'text' in read ? { status: 200, body: read.text } : { status: 404, body: '404 Not Found\n' };
  };
  return listen(call, port, { http: ({ path }) => answer(path) }) ?? fail(io, `httpd: bind: Address already in use\n`);
}

/** `nc -l -p PORT` takes connections; `nc -z HOST PORT` tries one. */
async function nc(call: ExternalCall): Promise<number> {
  const { task, argv, io } = call;
  if (argv.some((argument) => /^-[a-z]*l/.test(argument))) {
    const port = Number(optionValue(argv, '-p') ?? argv.find((argument) => /^\d+$/.test(argument)) ?? 0);
    return listen(call, port, {}) ?? fail(io, 'nc: bind: Address already in use\n');
  }
  const [host = '', port = ''] = argv
    .slice(1)
    .filter((argument) => !argument.startsWith('-'))
    .slice(-2);
  const { outcome } = await task.world.context.outgoing.request({ host, port: Number(port) });
  if (outcome === 'answered') return 0;
  if (outcome === 'no such name') return fail(io, `nc: bad address '${host}'\n`);
  return fail(io, `nc: ${host} (${host}:${port}): ${outcome === 'refused' ? 'Connection refused' : 'Connection timed out'}\n`);
}

/** Serves until it is killed; in the background, where the command asks for it. Undefined when the port is taken. */
function listen({ task, argv }: ExternalCall, port: number, service: Service): Promise<number> | number | undefined {
  const { network } = task.world.context;
  if (!network.listen(port, service)) return undefined;
  const background = argv[0] === 'httpd' && !argv.includes('-f') && !argv.some((argument) => /^-[a-z]*f/.test(argument));
  const owner = background ? rootOf(task) : task;
  owner.onEnd(() => network.close(service));
  return background ? 0 : task.forever();
}

function rootOf(task: ExternalCall['task']): ExternalCall['task'] {
  return task.parent ? rootOf(task.parent) : task;
}

function fail(io: ExternalCall['io'], message: string): number {
  io.stderr(message);
  return 1;
}

/** `nslookup NAME` */
function nslookup({ task, argv, io }: ExternalCall): number {
  const name = argv[1] ?? '';
  const addresses = task.world.context.outgoing.lookUp(name);
  if (addresses.length === 0) {
    io.stdout(`** server can't find ${name}: NXDOMAIN\n`);
    return 1;
  }
  io.stdout(`Name:\t${name}\n${addresses.map((address) => `Address: ${address}\n`).join('')}`);
  return 0;
}

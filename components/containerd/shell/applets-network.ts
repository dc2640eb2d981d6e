import type { HttpAnswer } from '../../../src/api/cri.ts';
import type { Service } from '../process.ts';
import type { Applet, ExternalCall } from './external-call.ts';

/** Commands that serve, and commands that ask others on the same node. */
export const NETWORK_APPLETS: Record<string, Applet> = {
  httpd: serveFiles,
  nc,
  wget: (call) => fetchUrl(call, 'wget'),
  curl: (call) => fetchUrl(call, 'curl'),
  nslookup: ({ argv, io }) => {
    io.stderr(`nslookup: can't resolve '${argv[1] ?? ''}': name resolution is not simulated in containers\n`);
    return 1;
  },
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
function nc(call: ExternalCall): number | Promise<number> {
  const { task, argv, io } = call;
  if (argv.some((argument) => /^-[a-z]*l/.test(argument))) {
    const port = Number(optionValue(argv, '-p') ?? argv.find((argument) => /^\d+$/.test(argument)) ?? 0);
    return listen(call, port, {}) ?? fail(io, 'nc: bind: Address already in use\n');
  }
  const [host = '', port = ''] = argv
    .slice(1)
    .filter((argument) => !argument.startsWith('-'))
    .slice(-2);
  const service = task.world.context.lookUp(host)?.at(Number(port));
  return service ? 0 : fail(io, `nc: ${host} (${host}:${port}): Connection refused\n`);
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

/** Addresses of pods and nodes are reached on the same node; names and services are not. */
function fetchUrl({ task, state, argv, io }: ExternalCall, name: 'wget' | 'curl'): number {
  const url = argv.slice(1).find((argument) => /^(https?:\/\/|[\w.-]+(:\d+)?(\/|$))/.test(argument) && !argument.startsWith('-'));
  const match = /^(?:(https?):\/\/)?([\w.-]+)(?::(\d+))?(\/.*)?$/.exec(url ?? '');
  const [, scheme = 'http', host = '', given, path = '/'] = match ?? [];
  const port = Number(given ?? (scheme === 'https' ? 443 : 80));
  const network = task.world.context.lookUp(host);
  if (!network)
    return failure(
      io,
      name,
      { wget: `wget: bad address '${host}'`, curl: `curl: (6) Could not resolve host: ${host}` },
      name === 'curl' ? 6 : 1,
    );
  const service = network.at(port);
  if (!service?.http) {
    return failure(
      io,
      name,
      {
        wget: `wget: can't connect to remote host (${network.ip}): Connection refused`,
        curl: `curl: (7) Failed to connect to ${host} port ${port}: Connection refused`,
      },
      name === 'curl' ? 7 : 1,
    );
  }
  const answer = service.http({ method: 'GET', path, host, port, headers: {} });
  const failing = answer.status >= 400 && (name === 'wget' || argv.some((argument) => /^-[a-zA-Z]*f/.test(argument)));
  if (failing)
    return failure(
      io,
      name,
      {
        wget: `wget: server returned error: HTTP/1.1 ${answer.status}`,
        curl: `curl: (22) The requested URL returned error: ${answer.status}`,
      },
      name === 'curl' ? 22 : 1,
    );
  const target =
    optionValue(argv, name === 'wget' ? '-O' : '-o') ?? argv.find((argument) => /^-[a-z]*O-$/.test(argument))?.replace(/^.*O/, '');
  if (argv.includes('--spider')) return 0;
  if (name === 'curl' ? !target : target === '-' || argv.some((argument) => /^-[a-z]*O-?$/.test(argument) && argument.endsWith('-')))
    io.stdout(answer.body);
  else task.world.context.files.write(state.path(target === '-' || !target ? 'index.html' : target), answer.body);
  return 0;
}

function failure(io: ExternalCall['io'], name: 'wget' | 'curl', messages: Record<'wget' | 'curl', string>, status: number): number {
  io.stderr(`${messages[name]}\n`);
  return status;
}

import { statusText } from '../../../src/api/http-status.ts';
import type { OutgoingResult } from '../cluster-network.ts';
import type { ExternalCall } from './external-call.ts';

interface Target {
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

/** Options that take a value: they are not taken for the address. */
const WITH_VALUE = new Set([
  '-O',
  '-o',
  '-T',
  '-t',
  '-H',
  '-X',
  '-d',
  '-m',
  '-w',
  '-u',
  '-A',
  '--header',
  '--timeout',
  '--tries',
  '--max-time',
  '--connect-timeout',
  '--retry',
  '--output',
  '--request',
  '--data',
  '--write-out',
]);

function parse(argv: readonly string[]): { target: Target | undefined; options: Map<string, string> } {
  const options = new Map<string, string>();
  let target: Target | undefined;
  const rest = argv.slice(1);
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    if (!argument.startsWith('-')) target ??= parseUrl(argument);
    else if (WITH_VALUE.has(argument)) options.set(argument, rest.shift() ?? '');
    else if (argument.startsWith('--')) options.set(argument.replace(/=.*$/, ''), argument.replace(/^[^=]*=?/, ''));
    else readLetters(argument, options, rest);
  }
  return { target, options };
}

/** `-qO-` is `-q -O -`. */
function readLetters(argument: string, options: Map<string, string>, rest: string[]): void {
  for (let at = 1; at < argument.length; at++) {
    const option = `-${argument[at]}`;
    if (!WITH_VALUE.has(option)) options.set(option, '');
    else {
      options.set(option, argument.slice(at + 1) || (rest.shift() ?? ''));
      return;
    }
  }
}

function parseUrl(url: string): Target | undefined {
  const match = /^(?:(https?):\/\/)?([\w.-]+)(?::(\d+))?(\/.*)?$/.exec(url);
  if (!match) return undefined;
  const [, scheme = 'http', host = '', port, path = '/'] = match;
  return { host, port: Number(port ?? (scheme === 'https' ? 443 : 80)), path };
}

/** busybox wget: `-O FILE`, `-q`, `--spider`, `-S`. */
export async function wget({ task, state, argv, io }: ExternalCall): Promise<number> {
  const { target, options } = parse(argv);
  const fail = (message: string): number => {
    io.stderr(`wget: ${message}\n`);
    return 1;
  };
  if (!target) return fail('bad address');
  const { host, port } = target;
  const quiet = options.has('-q') || options.has('--quiet');
  const answer = await task.world.context.outgoing.request(target);
  if (answer.outcome === 'no such name') return fail(`bad address '${host}'`);
  if (!quiet) io.stderr(`Connecting to ${host}${port === 80 ? '' : `:${port}`}\n`);
  if (answer.outcome === 'refused') return fail(`can't connect to remote host (${host}): Connection refused`);
  if (answer.outcome === 'timeout') return fail('download timed out');
  if (options.has('-S') || options.has('--server-response')) io.stderr(`  HTTP/1.1 ${answer.status} ${statusText(answer.status)}\n`);
  if ((answer.status ?? 0) >= 400) return fail(`server returned error: HTTP/1.1 ${answer.status} ${statusText(answer.status)}`);
  if (options.has('--spider')) return 0;
  const file = options.get('-O') ?? (target.path.split('/').at(-1) || 'index.html');
  if (file === '-') io.stdout(answer.body ?? '');
  else {
    const failure = task.world.context.files.write(state.path(file), answer.body ?? '');
    if (failure) return fail(`can't open '${file}': ${failure}`);
  }
  return 0;
}

/** curl: `-s`, `-f`, `-I`, `-o FILE`, `-w FORMAT`. */
export async function curl(call: ExternalCall): Promise<number> {
  const { task, state, argv, io } = call;
  const { target, options } = parse(argv);
  if (!target) {
    io.stderr('curl: no URL specified\n');
    return 2;
  }
  const answer = await task.world.context.outgoing.request({ ...target, method: options.get('-X') ?? 'GET' });
  const silent = options.has('-s') && !options.has('-S');
  const failure = curlFailure(target, answer);
  if (failure) {
    if (!silent) io.stderr(`curl: (${failure.code}) ${failure.message}\n`);
    return failure.code;
  }
  const failing = (answer.status ?? 0) >= 400 && (options.has('-f') || options.has('--fail'));
  if (failing && !silent) io.stderr(`curl: (22) The requested URL returned error: ${answer.status}\n`);
  const head = options.has('-I') || options.has('-i') ? `HTTP/1.1 ${answer.status} ${statusText(answer.status)}\r\n\r\n` : '';
  const text = head + (options.has('-I') || failing ? '' : (answer.body ?? ''));
  const file = options.get('-o') ?? options.get('--output');
  if (file === undefined) io.stdout(text);
  else task.world.context.files.write(state.path(file), text);
  const format = options.get('-w') ?? options.get('--write-out');
  if (format) io.stdout(format.replace(/%\{(http_code|response_code)\}/g, String(answer.status ?? 0)).replace(/\\n/g, '\n'));
  return failing ? 22 : 0;
}

function curlFailure({ host, port }: Target, { outcome }: OutgoingResult): { code: number; message: string } | undefined {
  if (outcome === 'no such name') return { code: 6, message: `Could not resolve host: ${host}` };
  if (outcome === 'refused') return { code: 7, message: `Failed to connect to ${host} port ${port}: Connection refused` };
  if (outcome === 'timeout') return { code: 28, message: `Failed to connect to ${host} port ${port}: Connection timed out` };
  return undefined;
}

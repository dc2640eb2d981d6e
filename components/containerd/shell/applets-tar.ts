import { normalize } from '../container-files.ts';
import type { Applet, ExternalCall } from './external-call.ts';
import { packTar, type TarMember, unpackTar } from './tar-archive.ts';

interface TarOptions {
  readonly action: 'c' | 'x' | 't' | undefined;
  readonly file: string;
  readonly directory: string | undefined;
  readonly operands: readonly string[];
}

/** `tar c`, `tar x` and `tar t` without compression, as busybox has it: what `kubectl cp` calls. */
export const TAR_APPLETS: Readonly<Record<string, Applet>> = { tar: runTar };

function runTar(call: ExternalCall): number {
  const options = parseOptions(call.argv.slice(1));
  const base = options.directory === undefined ? call.state.workingDir : call.state.path(options.directory);
  if (options.action === 'c') return create(call, options, base);
  if (options.action === 'x' || options.action === 't') return extract(call, options, base);
  call.io.stderr('tar: must specify one of c, x or t\n');
  return 1;
}

function parseOptions(args: readonly string[]): TarOptions {
  const rest = [...args];
  const operands: string[] = [];
  let letters = '';
  let [file, directory]: [string, string | undefined] = ['-', undefined];
  for (let word = rest.shift(), first = true; word !== undefined; word = rest.shift(), first = false) {
    if (word.startsWith('--')) continue;
    if (word === '-' || !(word.startsWith('-') || first)) {
      operands.push(word);
      continue;
    }
    const flags = word.replace(/^-/, '');
    letters += flags;
    for (const flag of flags) {
      if (flag === 'f') file = rest.shift() ?? '-';
      if (flag === 'C') directory = rest.shift();
    }
  }
  const action = (['c', 'x', 't'] as const).find((letter) => letters.includes(letter));
  return { action, file, directory, operands };
}

function create({ task, state, io }: ExternalCall, { file, operands }: TarOptions, base: string): number {
  const { context } = task.world;
  const members: TarMember[] = [];
  let status = 0;
  const add = (path: string, name: string): void => {
    const read = context.files.read(path);
    if ('text' in read) members.push({ name, text: read.text });
    else if (context.files.isDirectory(path)) {
      if (name) members.push({ name, text: undefined });
      for (const entry of context.files.list(path)) add(`${path}/${entry}`, `${name}${name ? '/' : ''}${entry}`);
    } else {
      io.stderr(`tar: ${name}: ${read.failure}\n`);
      status = 1;
    }
  };
  if (operands.some((operand) => operand.startsWith('/'))) io.stderr("tar: removing leading '/' from member names\n");
  for (const operand of operands)
    add(operand.startsWith('/') ? operand : `${base}/${operand}`, operand.replace(/^\/+/, '').replace(/\/+$/, ''));
  if (status) io.stderr('tar: error exit delayed from previous errors\n');
  const archive = packTar(members, Math.floor(context.actor.wallTime / 1000));
  if (file === '-') io.stdout(archive);
  else context.files.write(state.path(file), archive);
  return status;
}

function extract({ task, state, io }: ExternalCall, { action, file, operands }: TarOptions, base: string): number {
  const { files } = task.world.context;
  const read = file === '-' ? { text: io.stdin.readAll() } : files.read(state.path(file));
  const members = 'text' in read ? unpackTar(read.text) : undefined;
  if (!members) {
    io.stderr('text' in read ? 'tar: invalid tar magic\n' : `tar: can't open '${file}': ${read.failure}\n`);
    return 1;
  }
  for (const { name, text } of members) {
    if (operands.length > 0 && !operands.includes(name)) continue;
    if (action === 't') {
      io.stdout(`${name}\n`);
      continue;
    }
    const path = normalize(`${base}/${name}`);
    files.makeDirectory(text === undefined ? path : normalize(`${path}/..`), true);
    const failure = text === undefined ? undefined : files.write(path, text);
    if (!failure) continue;
    io.stderr(`tar: can't open '${name}': ${failure}\n`);
    return 1;
  }
  return 0;
}

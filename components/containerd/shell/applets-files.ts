import type { Applet, ExternalCall } from './external-call.ts';
import { evaluateTest } from './test-command.ts';

/** Commands about files. */
export const FILE_APPLETS: Record<string, Applet> = {
  cat,
  ls,
  touch,
  rm,
  rmdir: (call) => removeAll(call, { recursive: true, force: false }),
  mkdir,
  cp: (call) => copy(call, false),
  mv: (call) => copy(call, true),
  ln: (call) => copy(call, false),
  test: (call) => test(call, call.argv.slice(1)),
  '[': bracket,
  tee,
  stat: ({ task, state, argv, io }) => {
    const missing = operands(argv).filter((path) => !task.world.context.files.exists(state.path(path)));
    for (const path of missing) io.stderr(`stat: can't stat '${path}': No such file or directory\n`);
    return missing.length > 0 ? 1 : 0;
  },
  mktemp: ({ task, io }) => {
    const path = `/tmp/tmp.${task.world.random.name(6)}`;
    task.world.context.files.write(path, '');
    io.stdout(`${path}\n`);
    return 0;
  },
  readlink: (call) => printPath(call),
  realpath: (call) => printPath(call),
  basename: ({ argv, io }) => {
    const base = (argv[1] ?? '').replace(/\/+$/, '').replace(/^.*\//, '');
    io.stdout(`${argv[2] && base.endsWith(argv[2]) ? base.slice(0, -argv[2].length) : base}\n`);
    return 0;
  },
  dirname: ({ argv, io }) => {
    const path = (argv[1] ?? '').replace(/\/+$/, '');
    const slash = path.lastIndexOf('/');
    io.stdout(`${slash < 0 ? '.' : slash === 0 ? '/' : path.slice(0, slash)}\n`);
    return 0;
  },
};

/** What is left of the arguments without options. */
export function operands(argv: readonly string[]): string[] {
  return argv.slice(1).filter((argument) => !/^-./.test(argument));
}

function hasFlag(argv: readonly string[], letter: string): boolean {
  return argv.slice(1).some((argument) => /^-[A-Za-z]+$/.test(argument) && argument.includes(letter));
}

function printPath({ state, argv, io }: ExternalCall): number {
  for (const path of operands(argv)) io.stdout(`${state.path(path)}\n`);
  return 0;
}

function cat({ task, state, argv, io }: ExternalCall): number {
  const paths = operands(argv);
  if (paths.length === 0) io.stdout(io.stdin.readAll());
  let status = 0;
  for (const path of paths) {
    const read = path === '-' ? { text: io.stdin.readAll() } : task.world.context.files.read(state.path(path));
    if ('text' in read) io.stdout(read.text);
    else {
      io.stderr(read.failure === 'Is a directory' ? `cat: read error: Is a directory\n` : `cat: can't open '${path}': ${read.failure}\n`);
      status = 1;
    }
  }
  return status;
}

/** Files first, then what is in directories: each under its name when there are several. */
function ls({ task, state, argv, io }: ExternalCall): number {
  const { files } = task.world.context;
  const given = operands(argv);
  const paths = given.length > 0 ? given : ['.'];
  const all = hasFlag(argv, 'a') || hasFlag(argv, 'A');
  const isListed = (path: string): boolean => files.isDirectory(state.path(path)) && !hasFlag(argv, 'd');
  const missing = paths.filter((path) => !files.exists(state.path(path)));
  for (const path of missing) io.stderr(`ls: ${path}: No such file or directory\n`);
  const present = paths.filter((path) => !missing.includes(path));
  const blocks = present.filter(isListed).map((path) => {
    const names = files.list(state.path(path)).filter((name) => all || !name.startsWith('.'));
    return [...(paths.length > 1 ? [`${path}:`] : []), ...names].map((line) => `${line}\n`).join('');
  });
  const plain = present.filter((path) => !isListed(path)).map((path) => `${path}\n`);
  if (plain.length > 0) blocks.unshift(plain.join(''));
  io.stdout(blocks.join('\n'));
  return missing.length > 0 ? 1 : 0;
}

function touch({ task, state, argv, io }: ExternalCall): number {
  const { files } = task.world.context;
  let status = 0;
  for (const path of operands(argv)) {
    const full = state.path(path);
    const failure = files.exists(full) ? undefined : files.write(full, '');
    if (!failure) continue;
    io.stderr(`touch: ${path}: ${failure}\n`);
    status = 1;
  }
  return status;
}

function rm(call: ExternalCall): number {
  const { argv } = call;
  return removeAll(call, { recursive: hasFlag(argv, 'r') || hasFlag(argv, 'R'), force: hasFlag(argv, 'f') });
}

function removeAll({ task, state, argv, io }: ExternalCall, { recursive, force }: { recursive: boolean; force: boolean }): number {
  let status = 0;
  for (const path of operands(argv)) {
    const failure = task.world.context.files.remove(state.path(path), recursive);
    if (!failure || (force && failure === 'No such file or directory')) continue;
    io.stderr(`${argv[0]}: ${failure === 'Is a directory' ? `'${path}' is a directory` : `can't remove '${path}': ${failure}`}\n`);
    status = 1;
  }
  return status;
}

function mkdir({ task, state, argv, io }: ExternalCall): number {
  let status = 0;
  for (const path of operands(argv)) {
    const failure = task.world.context.files.makeDirectory(state.path(path), hasFlag(argv, 'p'));
    if (!failure) continue;
    io.stderr(`mkdir: can't create directory '${path}': ${failure}\n`);
    status = 1;
  }
  return status;
}

function copy({ task, state, argv, io }: ExternalCall, move: boolean): number {
  const { files } = task.world.context;
  const paths = operands(argv);
  const target = paths.pop() ?? '';
  const directory = files.isDirectory(state.path(target));
  let status = 0;
  for (const path of paths) {
    const source = state.path(path);
    const to = directory ? `${state.path(target)}/${path.replace(/\/+$/, '').replace(/^.*\//, '')}` : state.path(target);
    const failure = copyTree(files, source, to) ?? (move ? files.remove(source, true) : undefined);
    if (!failure) continue;
    io.stderr(`${argv[0]}: can't ${move ? 'rename' : 'stat'} '${path}': ${failure}\n`);
    status = 1;
  }
  return status;
}

function copyTree(files: ExternalCall['task']['world']['context']['files'], source: string, to: string): string | undefined {
  if (!files.isDirectory(source)) {
    const read = files.read(source);
    return 'failure' in read ? read.failure : files.write(to, read.text);
  }
  const failure = files.makeDirectory(to, true);
  if (failure) return failure;
  for (const name of files.list(source)) {
    const failed = copyTree(files, `${source}/${name}`, `${to}/${name}`);
    if (failed) return failed;
  }
  return undefined;
}

function test({ task, state, argv, io }: ExternalCall, args: readonly string[]): number {
  const verdict = evaluateTest(args, { tree: task.world.context.files, path: (path) => state.path(path) });
  if (typeof verdict === 'number') return verdict;
  io.stderr(`${state.name}: ${argv[0]}: ${verdict}\n`);
  return 2;
}

function bracket(call: ExternalCall): number {
  if (call.argv.at(-1) === ']') return test(call, call.argv.slice(1, -1));
  call.io.stderr(`${call.state.name}: [: missing ]\n`);
  return 2;
}

function tee({ task, state, argv, io }: ExternalCall): number {
  const text = io.stdin.readAll();
  const { files } = task.world.context;
  io.stdout(text);
  let status = 0;
  for (const path of operands(argv)) {
    const full = state.path(path);
    const before = hasFlag(argv, 'a') ? files.read(full) : undefined;
    const failure = files.write(full, (before && 'text' in before ? before.text : '') + text);
    if (!failure) continue;
    io.stderr(`tee: ${path}: ${failure}\n`);
    status = 1;
  }
  return status;
}

import type { ExternalCall } from './external-call.ts';

/** `sed` with substitutions (`s/a/b/g`), `p`, `d` and line numbers; more is refused. */
export function runSed({ task, state, argv, io }: ExternalCall): number {
  const { files } = task.world.context;
  const args = argv.slice(1);
  const flags = args.filter((argument) => /^-[niEr]+$/.test(argument)).join('');
  const [first = '', ...paths] = args.filter((argument) => !/^-[niEre]+$/.test(argument));
  const commands = first.split(';').map((text) => parseCommand(text.trim(), flags));
  const wrong = commands.indexOf(undefined);
  if (wrong >= 0) {
    io.stderr(`sed: ${first.split(';')[wrong]}: not supported by this simulated sed\n`);
    return 1;
  }
  const edit = (text: string): string => editText(text, commands as SedCommand[], flags.includes('n'));
  if (paths.length === 0) io.stdout(edit(io.stdin.readAll()));
  for (const path of paths) {
    const read = files.read(state.path(path));
    if ('failure' in read) {
      io.stderr(`sed: ${path}: ${read.failure}\n`);
      return 1;
    }
    if (flags.includes('i')) files.write(state.path(path), edit(read.text));
    else io.stdout(edit(read.text));
  }
  return 0;
}

interface SedCommand {
  readonly line: number | undefined;
  readonly apply: (line: string) => { readonly line: string | undefined; readonly print: boolean };
}

function parseCommand(text: string, flags: string): SedCommand | undefined {
  const address = /^(\d+)/.exec(text)?.[1];
  const line = address === undefined ? undefined : Number(address);
  const rest = text.slice(address?.length ?? 0);
  if (rest === 'p') return { line, apply: (current) => ({ line: current, print: true }) };
  if (rest === 'd') return { line, apply: () => ({ line: undefined, print: false }) };
  const separator = rest[1] ?? '';
  if (!rest.startsWith('s') || !separator) return undefined;
  const [, from = '', to = '', options = ''] = rest.split(separator);
  const source = /[Er]/.test(flags)
    ? from
    : from.replace(/\\([|+?(){}])|([|+?(){}])/g, (_, escaped: string, plain: string) => escaped ?? `\\${plain}`);
  const expression = new RegExp(source, `${options.includes('g') ? 'g' : ''}${options.includes('i') ? 'i' : ''}`);
  const replacement = to
    .replace(/\$/g, '$$$$')
    .replace(/\\(\d)/g, '$$$1')
    .replace(/(^|[^\\])&/g, '$1$$&');
  return {
    line,
    apply: (current) => ({ line: current.replace(expression, replacement), print: options.includes('p') && expression.test(current) }),
  };
}

function editText(text: string, commands: readonly SedCommand[], quiet: boolean): string {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  let out = '';
  for (const [index, original] of lines.entries()) {
    let line: string | undefined = original;
    for (const command of commands) {
      if (line === undefined || (command.line !== undefined && command.line !== index + 1)) continue;
      const result = command.apply(line);
      line = result.line;
      if (result.print && line !== undefined) out += `${line}\n`;
    }
    if (line !== undefined && !quiet) out += `${line}\n`;
  }
  return out;
}

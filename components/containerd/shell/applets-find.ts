import type { Applet, ExternalCall } from './external-call.ts';
import { patternToExpression } from './pattern.ts';

/** `find`: lists trees, with `-type`, `-name`, `-maxdepth` and `-print`. */
export const FIND_APPLETS: Readonly<Record<string, Applet>> = { find };

interface Wanted {
  type?: string;
  name?: RegExp;
  maxDepth?: number;
}

function find({ task, state, argv, io }: ExternalCall): number {
  const { files } = task.world.context;
  const first = argv.findIndex((argument, index) => index > 0 && argument.startsWith('-'));
  const paths = argv.slice(1, first < 0 ? undefined : first);
  const wanted = wantedOf(first < 0 ? [] : argv.slice(first));
  if (typeof wanted === 'string') {
    io.stderr(`find: ${wanted}: not supported by this simulated find\n`);
    return 1;
  }
  let status = 0;
  const walk = (path: string, depth: number): void => {
    const full = state.path(path);
    const directory = files.isDirectory(full);
    const fits =
      (!wanted.type || wanted.type === (directory ? 'd' : 'f')) && (wanted.name?.test(path.slice(path.lastIndexOf('/') + 1)) ?? true);
    if (fits) io.stdout(`${path}\n`);
    if (!directory || depth >= (wanted.maxDepth ?? Number.POSITIVE_INFINITY)) return;
    for (const name of files.list(full)) walk(`${path.replace(/\/$/, '')}/${name}`, depth + 1);
  };
  for (const path of paths.length > 0 ? paths : ['.']) {
    if (files.exists(state.path(path))) walk(path, 0);
    else {
      io.stderr(`find: ${path}: No such file or directory\n`);
      status = 1;
    }
  }
  return status;
}

/** What is looked for; the first expression that is not known. */
function wantedOf(expressions: readonly string[]): Wanted | string {
  const wanted: Wanted = {};
  for (let at = 0; at < expressions.length; at++) {
    const [expression = '', value = ''] = expressions.slice(at);
    if (expression === '-print') continue;
    if (expression === '-type') wanted.type = value;
    else if (expression === '-name') wanted.name = patternToExpression(value);
    else if (expression === '-maxdepth') wanted.maxDepth = Number(value);
    else return expression;
    at++;
  }
  return wanted;
}

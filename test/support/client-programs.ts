import { type ExecFileOptions, execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const EXAMPLES = join(dirname(fileURLToPath(import.meta.url)), '../../examples/operators');
/** What is downloaded and built stays outside the repository. */
const CACHE = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'bottleship');
/** A first build of client-go takes minutes. */
const BUILD_MS = 400_000;
const LOOK_MS = 10_000;

/** A command line that runs a program, or why it cannot be had here. */
export type ClientProgram = { readonly command: readonly [string, ...string[]] } | { readonly missing: string };

export const typescriptOperator = async (): Promise<ClientProgram> => ({
  command: [process.execPath, join(EXAMPLES, 'typescript/main.ts')],
});

/** A program of examples/operators/go, built when needed. */
export async function goProgram(name: 'operator' | 'follow'): Promise<ClientProgram> {
  const found = await attempt('go', ['version'], { timeout: LOOK_MS });
  if (found.problem) return { missing: `no Go: ${found.problem}` };
  mkdirSync(CACHE, { recursive: true });
  const binary = join(CACHE, `go-${name}`);
  const source = name === 'operator' ? '.' : `./${name}`;
  const built = await attempt('go', ['build', '-o', binary, source], { cwd: join(EXAMPLES, 'go'), timeout: BUILD_MS });
  return built.problem ? { missing: `it cannot be built: ${built.problem}` } : { command: [binary] };
}

/** The operator of examples/operators/python in an environment of its own. */
export async function pythonOperator(): Promise<ClientProgram> {
  const environment = join(CACHE, 'python');
  const [pip, kopf] = ['pip', 'kopf'].map((program) => join(environment, 'bin', program)) as [string, string];
  if (!existsSync(pip)) {
    const made = await attempt('python3', ['-m', 'venv', environment], { timeout: BUILD_MS });
    if (made.problem) return { missing: `no Python: ${made.problem}` };
  }
  const install = ['install', '--quiet', '--disable-pip-version-check', '--retries', '1', '-r', join(EXAMPLES, 'python/requirements.txt')];
  const installed = await attempt(pip, install, { timeout: BUILD_MS });
  if (installed.problem) return { missing: `its libraries cannot be had: ${installed.problem}` };
  return { command: [kopf, 'run', '--all-namespaces', join(EXAMPLES, 'python/operator_of_databases.py')] };
}

function attempt(command: string, args: readonly string[], options: ExecFileOptions): Promise<{ problem?: string }> {
  return new Promise((resolve) => {
    execFile(command, args, options, (error, _, stderr) => {
      resolve(error ? { problem: String(stderr).trim().split('\n').at(-1) || error.message } : {});
    });
  });
}

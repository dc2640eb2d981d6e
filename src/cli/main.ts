#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { canRunTui } from '../tui/can-run-tui.ts';
import { VERSION } from '../version.ts';
import type { CliCommand } from './command.ts';
import { compileAhead } from './compile-cache.ts';
import { fileProblem } from './files.ts';
import { wrapLines } from './wrap-lines.ts';

/** Loaded when asked for, so that `--help` stays quick. */
const COMMANDS: Readonly<Record<string, () => Promise<CliCommand>>> = {
  learn: async () => (await import('./learn.ts')).learn,
  play: async () => (await import('./play.ts')).play,
  replay: async () => (await import('./replay.ts')).replay,
  why: async () => (await import('./why.ts')).why,
  sandbox: async () => (await import('./sandbox.ts')).sandbox,
  serve: async () => (await import('./serve.ts')).serve,
  lint: async () => (await import('./lint.ts')).lint,
  truth: async () => (await import('./truth.ts')).truth,
};

const SUMMARIES: Readonly<Record<string, string>> = {
  learn: 'an interactive lesson; without a name it lists the lessons',
  play: 'plays a scenario, or applies manifests, and tells what happens',
  replay: 'runs a recording again; fails when it does not come out the same',
  why: 'tells what led to an event of a recorded run, or why a pod is where it is',
  sandbox: 'an empty cluster to try things in, with a kubectl line',
  serve: 'serves the API over HTTP(S): kubectl, client libraries and operators connect',
  lint: 'checks lessons, scenario files and manifests; tells what operators did wrong in a recording',
  truth: 'lists where bottleship is simpler than the real thing',
};

const HELP = `bottleship ${VERSION}: a Kubernetes cluster in a bottle

usage: bottleship [COMMAND]

Without a command there is a menu: where you were, lessons, a sandbox, scenarios. Where there is no terminal, it tells what happens when a Pod is deleted.

${Object.entries(SUMMARIES)
  .map(([name, summary]) => `  ${name.padEnd(8)} ${summary}`)
  .join('\n')}

bottleship COMMAND --help tells more.  exit codes: 0 done, 1 the thing itself failed, 2 wrong use
`;

/** Errors of people, not of the program: their message is all there is to say. */
const WRONG_USE = new Set(['UsageError', 'DocumentError', 'ManifestError', 'RecordingError']);

async function main(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv;
  if (name === '--help' || name === '-h' || name === 'help') return print(HELP);
  if (name === '--version') return print(`${VERSION}\n`);
  compileAhead();
  if (name === undefined && canRunTui(process.stdin, process.stdout, process.env)) return (await import('./start.ts')).start.run([], {});
  if (name === undefined || name.startsWith('-'))
    return runCommand('play', process.stdout.isTTY && process.stdin.isTTY ? ['--tui', ...argv] : argv);
  if (!Object.hasOwn(COMMANDS, name)) return complain(`there is no command "${name}"; there are ${Object.keys(COMMANDS).join(', ')}`);
  return runCommand(name, rest);
}

async function runCommand(name: string, words: readonly string[]): Promise<number> {
  const command = await (COMMANDS[name] as () => Promise<CliCommand>)();
  if (words.includes('--help') || words.includes('-h')) return print(help(name, command));
  try {
    const { values, positionals } = parseArgs({ args: [...words], options: command.options, allowPositionals: true });
    return await command.run(positionals, values);
  } catch (error) {
    const { name: kind, message, code } = error as Error & { code?: unknown };
    if (WRONG_USE.has(kind) || (typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS')))
      return complain(message.split('. To specify a positional')[0] ?? message);
    if (kind === 'ScenarioError') {
      process.stderr.write(`bottleship: ${message}\n`);
      return 1;
    }
    throw error;
  }
}

function help(name: string, command: CliCommand): string {
  const options = Object.entries(command.options).map(([option, { type, short }]) => {
    const left = `${short ? `-${short}, ` : ''}--${option}${type === 'string' ? ` ${option === 'filename' ? 'FILE' : 'VALUE'}` : ''}`;
    return `  ${left.padEnd(26)} ${command.optionHelp[option] ?? ''}`;
  });
  return `bottleship ${name}: ${command.summary}\n\nusage: bottleship ${name} ${command.usage}\n${options.length ? `\n${options.join('\n')}\n` : ''}\nexample: ${command.example}\n`;
}

function print(text: string): number {
  process.stdout.write(wrapLines(text, process.stdout.columns));
  return 0;
}

function complain(message: string): number {
  process.stderr.write(`bottleship: ${message}\nbottleship --help tells more.\n`);
  return 2;
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`bottleship: standard output: ${fileProblem(error)}\n`);
  process.exit(1);
});
process.exitCode = await main(process.argv.slice(2));

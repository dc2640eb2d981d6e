import { ManifestError, parseManifest } from '../api/manifest.ts';
import { DocumentError } from '../scenario/document-error.ts';
import { parseScenario } from '../scenario/scenario.ts';
import type { CliCommand } from './command.ts';
import { besides, readText } from './files.ts';
import { isLesson, lintLesson } from './lint-lesson.ts';
import { UsageError } from './usage-error.ts';

export const lint: CliCommand = {
  summary: 'checks lessons, scenario files and manifests, with line and column',
  usage: 'FILE...',
  example: 'bottleship lint my-scenario.yaml my-lesson/',
  options: {},
  optionHelp: {},
  async run(args) {
    if (!args.length) throw new UsageError('give the files to check');
    let problems = 0;
    for (const file of args) {
      const found = isLesson(file) ? await lintLesson(file) : [check(file)].filter((problem) => problem !== undefined);
      problems += found.length;
      process.stdout.write(`${found.join('\n') || `${file}: ok`}\n`);
    }
    return problems ? 1 : 0;
  },
};

/** A file with a top-level `steps` is a scenario; everything else is manifests. */
function check(file: string): string | undefined {
  const text = readText(file);
  try {
    if (/^steps:/m.test(text)) parseScenario(text, file, besides(file));
    else parseManifest(text, file);
    return undefined;
  } catch (error) {
    if (error instanceof DocumentError || error instanceof ManifestError) return error.message;
    throw error;
  }
}

import { ManifestError, parseManifest } from '../api/manifest.ts';
import { DocumentError } from '../scenario/document-error.ts';
import { parseScenario } from '../scenario/scenario.ts';
import type { CliCommand } from './command.ts';
import { besides, readText } from './files.ts';
import { isLesson, lintLesson } from './lint-lesson.ts';
import { lintRecording } from './lint-recording.ts';
import { UsageError } from './usage-error.ts';

export const lint: CliCommand = {
  summary: 'checks lessons, scenario files and manifests, with line and column; tells what operators did wrong in a recording',
  usage: 'FILE...',
  example: 'bottleship lint my-scenario.yaml my-lesson/',
  options: {},
  optionHelp: {},
  async run(args) {
    if (!args.length) throw new UsageError('give the files to check');
    let problems = 0;
    for (const file of args) {
      const found = isLesson(file) ? await lintLesson(file) : await check(file);
      problems += found.length;
      process.stdout.write(`${found.join('\n') || `${file}: ok`}\n`);
    }
    return problems ? 1 : 0;
  },
};

/** A file with a top-level `steps` is a scenario, one that a run was recorded in is run again; everything else is manifests. */
async function check(file: string): Promise<string[]> {
  const text = readText(file);
  if (/^\{\s*"bottleship":/.test(text)) return lintRecording(text, file);
  try {
    if (/^steps:/m.test(text)) parseScenario(text, file, besides(file));
    else parseManifest(text, file);
    return [];
  } catch (error) {
    if (error instanceof DocumentError || error instanceof ManifestError) return [error.message];
    throw error;
  }
}

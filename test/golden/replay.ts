// Plays recorded cases in process and prints how they differ.
//
//   tsx --conditions=bottleship-source test/golden/replay.ts [--relaxed] [--verbose] SUITE[/FOLDER[/CASE]]...
//   e.g. workloads/deployment, workloads/deployment/create, api-requests
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GoldenCase } from './compare.mjs';
import { RECORDED_AFTER } from './known-differences.ts';
import { playCase } from './play-case.ts';

const here = dirname(fileURLToPath(import.meta.url));
const args = process.argv.slice(2);
const [relaxed, verbose] = [args.includes('--relaxed'), args.includes('--verbose')];
const wanted = args.filter((word) => !word.startsWith('--')).map((word) => word.replace(/\.json$/, '').replace(/^.*golden\//, ''));

const files = readdirSync(here, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json')).sort();
let [passed, failed] = [0, 0];
for (const file of files) {
  const folder = relative(here, join(here, file)).replace(/\.json$/, '');
  const chosen = wanted.filter((word) => folder === word || folder.startsWith(`${word}/`) || word.startsWith(`${folder}/`));
  if (!chosen.length) continue;
  const cases = JSON.parse(readFileSync(join(here, file), 'utf8')) as Record<string, GoldenCase>;
  for (const [name, testCase] of Object.entries(cases)) {
    if (!chosen.some((word) => `${folder}/${name}`.startsWith(word))) continue;
    const after = cases[RECORDED_AFTER[`${folder}/${name}`] ?? ''];
    const problems = await playCase(testCase, { relaxed, ...(after ? { after } : {}), ...(verbose ? { log: (line: string) => console.error(`  ${line}`) } : {}) })
      .then((played) => played.problems)
      .catch((error: unknown) => [String((error as Error).stack ?? error)]);
    if (problems.length) failed++;
    else passed++;
    if (problems.length) console.log(`FAIL ${folder}/${name}: ${testCase.title}\n${problems.slice(0, verbose ? 200 : 8).map((line) => `     ${line}`).join('\n')}`);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);

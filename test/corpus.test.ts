// Goal: manifests that real projects publish are accepted, refused and stored as a real cluster did. Method: they and what was recorded of them are other people's files, so
// the folder comes from BOTTLESHIP_CORPUS (without it this skips); every answer is compared, all against one cluster.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { GoldenCase } from './golden/compare.mjs';
import { playCases } from './golden/play-case.ts';

const folder = process.env['BOTTLESHIP_CORPUS'];

/** What must be equal in full. */
const BAR = 0.98;

const readCase = (name: string): GoldenCase => JSON.parse(readFileSync(join(folder ?? '', name), 'utf8')) as GoldenCase;

/** Differences of a case, of each of its steps that has an answer. */
function byStep(testCase: GoldenCase, problems: readonly string[]): string[][] {
  const labels = [...testCase.steps.keys()].filter((index) => testCase.steps[index]?.['response'] !== undefined);
  return labels.map((index) => problems.filter((problem) => new RegExp(`^step ${index + 1}\\b`).test(problem)));
}

describe.skipIf(!folder)('the corpus (skipped without BOTTLESHIP_CORPUS)', () => {
  it('every status is as recorded, and nearly every body', async () => {
    const names = readdirSync(folder ?? '').filter((name) => name.endsWith('.json'));
    const answers: { readonly id: string; readonly problems: readonly string[] }[] = [];
    for await (const { testCase, problems } of playCases(names.sort().map(readCase)))
      for (const step of byStep(testCase, problems)) answers.push({ id: testCase.id, problems: step });
    const differing = answers.filter(({ problems }) => problems.length > 0);
    const report = differing.map(({ id, problems }) => `${id}: ${problems.join('\n  ')}`);
    expect(report.filter((text) => /: status \S+ recorded /.test(text))).toEqual([]);
    expect(answers.length).toBeGreaterThan(500);
    expect(1 - differing.length / answers.length, report.join('\n')).toBeGreaterThanOrEqual(BAR);
  });
});

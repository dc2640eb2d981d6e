// Goal: what comes out of the simulator is what a real cluster did, write for write. Method: every recorded case of the suites below is played in process; those that
// are known to differ are listed with their reason, and a case on the list that matches fails too.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { GoldenCase } from './compare.mjs';
import { KNOWN_DIFFERENCES } from './known-differences.ts';
import { playCase } from './play-case.ts';

const SUITES = ['workloads/deployment', 'workloads/replicaset', 'workloads/pod'];

const here = dirname(fileURLToPath(import.meta.url));

describe.each(SUITES)('%s', (suite) => {
  const cases = JSON.parse(readFileSync(join(here, `${suite}.json`), 'utf8')) as Record<string, GoldenCase>;
  for (const [name, testCase] of Object.entries(cases)) {
    const reason = KNOWN_DIFFERENCES[`${suite}/${name}`];
    it(reason ? `${name} is known to differ: ${reason}` : `${name}: ${testCase.title}`, async () => {
      const { problems } = await playCase(testCase).catch((error: unknown) => ({ problems: [String(error)] }));
      if (reason) expect(problems, 'matches now: take it off the list').not.toEqual([]);
      else expect(problems).toEqual([]);
    });
  }
});

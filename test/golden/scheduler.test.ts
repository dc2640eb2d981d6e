import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { playSchedulerStory, type SchedulerStory } from './play-scheduler-steps.ts';
import { playSchedulerCase } from './play-scheduler-case.ts';
import type { SchedulerCase } from './scheduler-world.ts';

// Goal: kube-scheduler's framework decides as the real one did: node or equals, message, filter results, scores, preemption.
// Method: each recorded case that schedules pods one after the other is played on a snapshot, without an API server; stories are played on kube-apiserver and kube-scheduler.

for (const file of ['cases', 'random']) {
  const cases = JSON.parse(readFileSync(new URL(`./scheduler/${file}.json`, import.meta.url), 'utf8')) as Record<string, SchedulerCase | SchedulerStory>;
  describe(`recorded decisions: ${file}`, () => {
    for (const testCase of Object.values(cases)) {
      it(`${testCase.id}: ${testCase.title}`, async () => {
        const differences = 'steps' in testCase ? await playSchedulerStory(testCase) : playSchedulerCase(testCase);
        expect(differences.join('\n')).toBe('');
      });
    }
  });
}

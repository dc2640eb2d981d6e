// Goal: the kubectl inside prints what a real kubectl 1.34 prints. Method: transcripts of a real one are played with it; steps that are known to differ are listed with
// their reason, and a step on the list that is equal fails too.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { KUBECTL_DIFFERENCES } from './kubectl-differences.ts';
import { TranscriptPlayer } from './play-transcript.ts';
import { compareCase, type Transcript } from './transcript.mjs';

const FILE = join(dirname(fileURLToPath(import.meta.url)), 'kubectl/transcripts.json');
const transcripts = Object.values(JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Transcript>);

const stepOf = (problem: string): number => Number(/^step (\d+)/.exec(problem)?.[1]);

it.each(transcripts)('$id: $title', async (transcript) => {
  const problems = compareCase(transcript, await TranscriptPlayer.play(transcript));
  const known = new Set(Object.values(KUBECTL_DIFFERENCES).flatMap((cases) => cases[transcript.id] ?? []));
  const differing = new Set(problems.map(stepOf));
  expect(
    problems.filter((problem) => !known.has(stepOf(problem))),
    'what differs and is not listed',
  ).toEqual([]);
  expect(
    [...known].filter((step) => !differing.has(step)),
    'what is listed and does not differ',
  ).toEqual([]);
});

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseRecording } from '../scenario/recording.ts';
import { replay } from '../scenario/replay.ts';
import { simplificationLines } from '../simplifications.ts';
import { LiveRun } from '../tui/live/live-run.ts';
import type { TuiOptions } from '../tui/run-tui.tsx';
import { lessonNames } from './lesson-files.ts';
import { NODE_FILES } from './node-files.ts';
import { progressPath } from './progress-file.ts';

/** Beside the learner's progress. */
function lastRunPath(): string {
  return join(dirname(progressPath()), 'last-run.json');
}

/** Opens a running cluster in the terminal UI; afterwards prints where the person was, and keeps the run for next time. */
export async function openInTui(live: LiveRun, options: Omit<TuiOptions, 'live' | 'run' | 'title'>): Promise<void> {
  const { runTui } = await import('../tui/run-tui.tsx');
  const given = { live, title: live.title, truth: simplificationLines(), lessons: lessonNames(), files: NODE_FILES };
  const { lines, live: last, next, lang } = await runTui({ ...given, ...options });
  for (const line of lines) process.stdout.write(`${line}\n`);
  try {
    mkdirSync(dirname(lastRunPath()), { recursive: true });
    writeFileSync(lastRunPath(), (last ?? live).record());
  } catch {
    // Only a convenience is lost where nothing can be written.
  }
  if (next === undefined) return;
  const { learn } = await import('./learn.ts');
  await learn.run([next], { lang });
}

/** The title of the run that was left last; undefined when there is none, or another version made it. */
export function lastRunTitle(): string | undefined {
  try {
    return parseRecording(readFileSync(lastRunPath(), 'utf8'), lastRunPath()).title;
  } catch {
    return undefined;
  }
}

/** The run that was left last, run again up to where it was left. */
export async function lastRun(): Promise<LiveRun> {
  const recording = parseRecording(readFileSync(lastRunPath(), 'utf8'), lastRunPath());
  const { cluster } = await replay(recording);
  return new LiveRun(cluster, recording.title);
}

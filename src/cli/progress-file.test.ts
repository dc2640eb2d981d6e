import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { NO_PROGRESS } from '../lesson/progress.ts';
import { ProgressFile, progressPath } from './progress-file.ts';

test('a corrupt file is set aside, not overwritten', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bottleship-'));
  const path = join(folder, 'progress.json');
  writeFileSync(path, '{"version": 1, "less');
  const file = new ProgressFile(path);
  expect(file.progress).toEqual(NO_PROGRESS);
  expect(file.problem).toMatch(/this is not JSON: .*; it was set aside as .*progress\.json\.corrupt/);
  file.save(NO_PROGRESS);
  expect(readdirSync(folder).sort()).toEqual(['progress.json', 'progress.json.corrupt']);
  expect(readFileSync(`${path}.corrupt`, 'utf8')).toBe('{"version": 1, "less');
  expect(new ProgressFile(path).problem).toBeUndefined();
});

test('the file is where XDG says', () => {
  expect(progressPath({ XDG_STATE_HOME: '/state' })).toBe('/state/bottleship/progress.json');
});

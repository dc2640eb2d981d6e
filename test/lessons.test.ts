// Proves every lesson that comes with the package: schema, texts in both languages and at every size, every way through it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { LESSON_SCHEMAS } from '../scripts/lesson-schema.ts';
import { packageFolder } from '../src/cli/files.ts';
import { lessonFolders, shippedLessons } from '../src/cli/lesson-files.ts';
import { lintLesson } from '../src/cli/lint-lesson.ts';
import { schemaProblems } from './schema-problems.ts';

const names = lessonFolders();
const pathOf = (name: string): string => join(packageFolder('lessons'), name);

describe('lessons', () => {
  it('are numbered, each once, and require only what comes before', () => {
    const known = new Set<string>();
    const lessons = shippedLessons();
    for (const { name, lesson } of lessons) {
      expect(name).toMatch(new RegExp(`^\\d\\d-${lesson.id}$`));
      expect(
        lesson.requires.filter((id) => !known.has(id)),
        `${name} requires what does not come before it`,
      ).toEqual([]);
      known.add(lesson.id);
    }
    expect(known.size).toBe(lessons.length);
  });

  for (const name of names) {
    it(`${name} holds what it promises`, { timeout: 60_000 }, async () => {
      expect(await lintLesson(pathOf(name))).toEqual([]);
    });
  }
});

describe('schemas for editors', () => {
  for (const [name, schema] of Object.entries(LESSON_SCHEMAS)) {
    it(`lessons/${name} is fresh`, () => {
      const published = readFileSync(join(packageFolder('lessons'), name), 'utf8');
      expect(JSON.parse(published), 'run: npx tsx scripts/generate-lesson-schema.ts').toEqual(schema);
    });
  }

  for (const name of names) {
    it(`${name} is what the schemas say`, () => {
      const problems = [
        ['lesson.yaml', 'lesson.schema.json'],
        ['en.yaml', 'text.schema.json'],
        ['ja.yaml', 'text.schema.json'],
      ].flatMap(([file = '', schema = '']) =>
        schemaProblems(LESSON_SCHEMAS[schema] ?? {}, parse(readFileSync(join(pathOf(name), file), 'utf8'))),
      );
      expect(problems).toEqual([]);
    });
  }
});

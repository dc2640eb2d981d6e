// Writes the JSON Schemas of lessons. Run with: npx tsx scripts/generate-lesson-schema.ts
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LESSON_SCHEMAS } from './lesson-schema.ts';

for (const [name, schema] of Object.entries(LESSON_SCHEMAS))
  writeFileSync(fileURLToPath(new URL(`../lessons/${name}`, import.meta.url)), `${JSON.stringify(schema, null, 2)}\n`);

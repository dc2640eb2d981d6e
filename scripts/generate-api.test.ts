import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { generateApi } from './generate-api.ts';

test('what is generated is up to date; `npm run generate` writes it anew', () => {
  const stale = Object.entries(generateApi()).filter(
    ([path, text]) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8') !== text,
  );
  expect(stale.map(([path]) => path)).toEqual([]);
});

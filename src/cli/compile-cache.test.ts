// Goal: whoever loads modules after `compileAhead` finds all of their functions in Node's compile cache the next time, and V8 compiles lazily again afterwards. Method: two
// processes, one after the other, load the same module; how much of it was kept shows in the size of the cache.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

const compileCache = join(dirname(fileURLToPath(import.meta.url)), 'compile-cache.ts');
const folder = mkdtempSync(join(tmpdir(), 'bottleship-compile-cache-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const functions = Array.from(
  { length: 200 },
  (_, index) => `export function f${index}(a) { return a.map((each) => each + ${index}).filter(Boolean).join(', '); }`,
);
writeFileSync(join(folder, 'library.mjs'), functions.join('\n'));
writeFileSync(
  join(folder, 'plain.mjs'),
  `import { enableCompileCache } from 'node:module'; enableCompileCache(); await import('./library.mjs');`,
);
writeFileSync(
  join(folder, 'ahead.mjs'),
  `import { compileAhead } from ${JSON.stringify(compileCache)}; const done = compileAhead(); const { f3 } = await import('./library.mjs').finally(done); console.log(f3([1, 2]));`,
);

const run = (program: string, env: NodeJS.ProcessEnv): string =>
  execFileSync(process.execPath, ['--no-warnings', join(folder, program)], { encoding: 'utf8', env: { ...process.env, ...env } });

/** Bytes of the largest file that a program leaves in a compile cache of its own. */
function kept(program: string, cache: string): number {
  run(program, { NODE_COMPILE_CACHE: join(folder, cache) });
  const [version = ''] = readdirSync(join(folder, cache));
  return Math.max(...readdirSync(join(folder, cache, version)).map((file) => statSync(join(folder, cache, version, file)).size));
}

it('keeps functions that nobody has called yet, and only then', () => {
  expect(kept('ahead.mjs', 'ahead')).toBeGreaterThan(2 * kept('plain.mjs', 'plain'));
});

it.each([{}, { NODE_DISABLE_COMPILE_CACHE: '1' }])('loads what there is to load, with %j', (env) => {
  expect(run('ahead.mjs', { NODE_COMPILE_CACHE: join(folder, 'ahead'), ...env })).toBe('4, 5\n');
});

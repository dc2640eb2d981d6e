// Writes the program into dist/: few files, since Node takes about a third of a millisecond for each that it loads. What every program needs of its dependencies is
// taken in; what only the terminal UI and the server need stays outside. What is imported on demand (commands, the terminal UI) stays in files of its own.
// Declarations come from tsc: `npm run build` does both.
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

rmSync(join(root, 'dist'), { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: ['src/index.ts', 'src/testing/index.ts', 'src/cli/main.ts'],
  outdir: 'dist',
  outbase: '.',
  bundle: true,
  splitting: true,
  external: ['ink', 'react', 'react/*', 'ws', '@peculiar/*', 'reflect-metadata'],
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  platform: 'node',
  format: 'esm',
  target: 'node22',
  jsx: 'automatic',
  conditions: ['bottleship-source'],
  // Node has to read all of it at every start.
  minifySyntax: true,
  chunkNames: 'chunks/[name]-[hash]',
  logLevel: 'warning',
});

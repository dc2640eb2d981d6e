// Writes the program into dist/: few files, since Node takes about a third of a millisecond for each that it loads. What every program needs of its dependencies is
// taken in; what only the terminal UI and the server need stays outside. What is imported on demand (commands, the terminal UI) stays in files of its own.
// What Node imports is a small module that loads the library by way of Node's compile cache; `require`, which cannot wait, and browsers get the library itself.
// Declarations come from tsc: `npm run build` does both.
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** What the package exports. */
const LIBRARIES = ['src/index', 'src/testing/index'];
const COMPILE_CACHE = 'src/cli/compile-cache';

rmSync(join(root, 'dist'), { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: [...LIBRARIES, COMPILE_CACHE, 'src/cli/main'].map((name) => `${name}.ts`),
  outdir: 'dist',
  outbase: '.',
  metafile: true,
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

for (const library of LIBRARIES) {
  const { exports } = metafile.outputs[`dist/${library}.js`] as { exports: string[] };
  const lines = [
    `import { compileAhead } from '${relative(dirname(library), COMPILE_CACHE).replace(/^(?!\.)/, './')}.js';`,
    'const done = compileAhead();',
    `export const { ${exports.join(', ')} } = await import('./index.js').finally(done);`,
  ];
  writeFileSync(join(root, 'dist', `${library}.node.js`), `${lines.join('\n')}\n`);
}

// Copies recordings of a real cluster into test/golden/: compact JSON, one file a folder (an object: file name → case).
//
//   tsx scripts/import-golden.ts FOLDER_OF_RECORDINGS
//
// The folders `corpus` (other people's published files) and `kubectl` (transcripts, read as they are) are left out.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const LEFT_OUT = new Set(['corpus', 'kubectl']);
const source = process.argv[2];
if (!source) {
  process.stderr.write('usage: tsx scripts/import-golden.ts FOLDER_OF_RECORDINGS\n');
  process.exit(2);
}
const target = join(dirname(fileURLToPath(import.meta.url)), '../test/golden');

function importFolder(folder: string): void {
  const cases: Record<string, unknown> = {};
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) {
      if (!(folder === source && LEFT_OUT.has(name))) importFolder(path);
    } else if (name.endsWith('.json')) cases[name.replace(/\.json$/, '')] = JSON.parse(readFileSync(path, 'utf8'));
  }
  if (Object.keys(cases).length === 0) return;
  const file = join(target, `${relative(source as string, folder)}.json`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    `{\n${Object.entries(cases)
      .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
      .join(',\n')}\n}\n`,
  );
}

importFolder(source);

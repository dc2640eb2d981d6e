// Goal: nothing that README.md shows can rot. Method: its commands exist, its scenario parses, its example runs, its lists are complete.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { loadScenario, shippedScenarios } from '../src/cli/play.ts';
import { KUBECTL_COMMANDS } from '../src/kubectl/kubectl.ts';
import { parseScenario } from '../src/scenario/scenario.ts';
import { splitWords } from '../src/scenario/words.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');

const blocks = (language: string): string[] =>
  [...readme.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, 'g'))].map(([, text = '']) => text);

it('lists the scenarios that come with it, by their titles', () => {
  const rows = shippedScenarios().map((name) => `| \`${name}\` | ${loadScenario(name).title} |`);
  for (const row of rows) expect(readme).toContain(row);
  expect(readme.match(/^\| `[a-z-]+` \|/gm)).toHaveLength(rows.length);
});

it('shows scenarios that can be read', () => {
  for (const text of blocks('yaml')) expect(parseScenario(text, 'README.md', () => 'kind: Pod').steps.length).toBeGreaterThan(0);
});

it('names only commands and options that exist', async () => {
  const commands = blocks('sh')
    .flatMap((text) => text.split('\n'))
    .map((line) => line.replace(/\s+#.*$/, ''))
    .filter((line) => line.startsWith('bottleship '));
  expect(commands.length).toBeGreaterThan(3);
  for (const line of commands) {
    const [, name = '', ...words] = splitWords(line) ?? [];
    const module = (await import(`../src/cli/${name}.ts`)) as Record<string, { options: Record<string, { short?: string }> }>;
    const { options } = module[name] ?? { options: {} };
    const known = Object.entries(options).flatMap(([option, { short }]) => [`--${option}`, ...(short ? [`-${short}`] : [])]);
    expect(
      words.filter((word) => /^--?[a-z]/.test(word) && !known.includes(word)),
      line,
    ).toEqual([]);
  }
});

it('lists the kubectl commands that are offered', () => {
  expect(readme).toContain(
    `kubectl commands in scenarios: ${Object.keys(KUBECTL_COMMANDS)
      .sort()
      .map((name) => `\`${name}\``)
      .join(', ')}.`,
  );
});

it('shows an example that is the one in examples/', () => {
  const [example = ''] = blocks('ts');
  const tests = readFileSync(join(root, 'examples/website-controller/website-controller.test.ts'), 'utf8');
  for (const line of example.split('\n').filter((text) => text.trim() && !text.startsWith('import'))) expect(tests).toContain(line.trim());
});

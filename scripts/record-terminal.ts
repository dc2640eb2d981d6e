// Records the terminal UI as a picture (SVG) and as text for the README: npm run record-terminal. The same every time: seed, size and keys are fixed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { Cluster } from '../src/cluster/cluster.ts';
import { type StyledText, TestTerminal } from '../src/tui/fixtures/terminal.ts';
import { LiveRun } from '../src/tui/live/live-run.ts';

const [COLUMNS, ROWS] = [120, 36];
const [CELL, LINE, MARGIN] = [8.4, 18, 14];
const FOLDER = process.argv[2] ?? 'docs';
const LEVELS = [0, 95, 135, 175, 215, 255];
const BASIC = ['#000000', '#cd3131', '#0dbc79', '#e5e510', '#2472c8', '#bc3fbc', '#11a8cd', '#e5e5e5'];

/** What is shown: a Pod of three is deleted, and we look at the moment at which its successor is created. */
const KEYS = ['/', ...'created Pod', '\r', '.', '.'];

/** A picture of what the terminal shows. */
function toSvg(rows: readonly (readonly StyledText[])[]): string {
  const [width, height] = [COLUMNS * CELL + 2 * MARGIN, rows.length * LINE + 2 * MARGIN];
  const body = rows.flatMap((row, index) => row.filter(({ text }) => text.trim()).map((piece) => textOf(piece, index)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace,Menlo,Consolas,monospace" font-size="14">`,
    '<title>The terminal UI of bottleship: the stage, the objects, what a step changed, and why</title>',
    `<rect width="100%" height="100%" rx="8" fill="#1e1e1e"/>`,
    ...body,
    '</svg>',
    '',
  ].join('\n');
}

function textOf({ text, column, color, bold, inverse }: StyledText, row: number): string {
  const [x, y] = [MARGIN + column * CELL, MARGIN + row * LINE + 13];
  const shown = text.trimEnd();
  const length = ` textLength="${(shown.length * CELL).toFixed(1)}" lengthAdjust="spacingAndGlyphs"`;
  const back = inverse ? `<rect x="${x}" y="${y - 13}" width="${shown.length * CELL}" height="${LINE}" fill="#d4d4d4"/>` : '';
  const fill = inverse ? '#1e1e1e' : colorOf(color);
  return `${back}<text x="${x.toFixed(1)}" y="${y}" fill="${fill}"${bold ? ' font-weight="bold"' : ''}${length} xml:space="preserve">${escapeXml(shown)}</text>`;
}

function colorOf(index: number | undefined): string {
  if (index === undefined) return '#d4d4d4';
  if (index < 16) return BASIC[index % 8] ?? '#d4d4d4';
  if (index >= 232) return hex(Array.from({ length: 3 }, () => 8 + (index - 232) * 10));
  const cube = index - 16;
  return hex([Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((level) => LEVELS[level] ?? 0));
}

function hex(rgb: readonly number[]): string {
  return `#${rgb.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function escapeXml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}

async function record(): Promise<void> {
  // Ink draws only the last frame where it believes to run in continuous integration.
  delete process.env['CI'];
  const cluster = new Cluster({ nodes: 2, digest: true });
  await cluster.settle();
  await cluster.kubectl(['create', 'deployment', 'web', '--image=nginx', '--replicas=3']);
  await cluster.settle();
  const pod = (await cluster.kubectl(['get', 'pods', '-o', 'name'])).stdout[0] ?? '';
  await cluster.kubectl(['delete', pod, '--wait=false']);
  await cluster.settle();
  const terminal = new TestTerminal(COLUMNS, ROWS);
  const env = { TERM: 'xterm-256color', LANG: 'en_US.UTF-8' };
  const last = cluster.simulation.trace.entries.findLast((entry) => entry.kind === 'input')?.seq;
  await terminal.mount({ live: new LiveRun(cluster, 'Delete a pod'), title: 'Delete a pod', at: last, env });
  await terminal.type(...KEYS);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${FOLDER}/terminal.svg`, toSvg(terminal.styled));
  writeFileSync(`${FOLDER}/terminal.txt`, `${terminal.screen.join('\n')}\n`);
  terminal.dispose();
}

await record();
process.exit(0);

import { COMMANDS } from '../app/commands.ts';
import { KEY_GROUPS, KEY_TABLE } from '../app/keys.ts';
import { padCells, wrap } from '../text/cells.ts';
import type { Words } from '../words/en.ts';
import { keyName } from './bars-view.ts';
import { type Line, span } from './span.ts';

const KEY_COLUMN = 18;
const COMMAND_COLUMN = 34;

/** Every key and every command, from the tables that also carry them out. */
export function helpLines(width: number, words: Words): Line[] {
  const lines: Line[] = [];
  for (const group of KEY_GROUPS) {
    lines.push([span(` ${words.groups[group]}`, 'title')]);
    for (const { keys, id } of KEY_TABLE.filter((binding) => binding.group === group))
      lines.push(...entry(`   ${keys.map(keyName).join('  ')}`, words.keys[id], { column: KEY_COLUMN, width }));
  }
  lines.push([span(` ${words.views.helpCommands}`, 'title')]);
  for (const { usage, name } of COMMANDS) lines.push(...entry(`   ${usage}`, words.commands[name], { column: COMMAND_COLUMN, width }));
  lines.push([span(` ${words.views.helpMarks}`, 'title')]);
  for (const text of words.views.marks) for (const part of wrap(text, width - 6)) lines.push([span(`   ${part}`)]);
  return lines;
}

function entry(left: string, help: string, { column, width }: { column: number; width: number }): Line[] {
  return wrap(help, width - column - 1).map((part, index): Line => [span(padCells(index ? '' : left, column), 'key'), span(part)]);
}

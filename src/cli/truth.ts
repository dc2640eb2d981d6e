import { simplificationLines } from '../simplifications.ts';
import type { CliCommand } from './command.ts';

export const truth: CliCommand = {
  summary: 'lists where bottleship is simpler than the real thing',
  usage: '',
  example: 'bottleship truth',
  options: {},
  optionHelp: {},
  async run() {
    process.stdout.write(`${simplificationLines().join('\n')}\n`);
    return 0;
  },
};

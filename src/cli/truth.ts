import { simplificationLines } from '../simplifications.ts';
import type { CliCommand } from './command.ts';
import { UsageError } from './usage-error.ts';
import { wrapLines } from './wrap-lines.ts';

export const truth: CliCommand = {
  summary: 'lists where bottleship is simpler than the real thing',
  usage: '',
  example: 'bottleship truth',
  options: {},
  optionHelp: {},
  async run(args) {
    if (args.length) throw new UsageError(`truth takes no arguments, not ${args.join(' ')}`);
    process.stdout.write(wrapLines(`${simplificationLines().join('\n')}\n`, process.stdout.columns));
    return 0;
  },
};

import { SIMPLIFICATIONS } from '../simplifications.ts';
import type { CliCommand } from './command.ts';

export const truth: CliCommand = {
  summary: 'lists where bottleship is simpler than the real thing',
  usage: '',
  example: 'bottleship truth',
  options: {},
  optionHelp: {},
  async run() {
    for (const [component, items] of Object.entries(SIMPLIFICATIONS)) {
      process.stdout.write(`${component}\n${items.map((item) => `  - ${item}\n`).join('')}`);
    }
    return 0;
  },
};

import { readFileSync, writeFileSync } from 'node:fs';
import type { Files } from '../tui/app/workbench.ts';

/** The files of this machine, for the kubectl line and for what is written. */
export const NODE_FILES: Files = {
  read(path) {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return undefined;
    }
  },
  write: (path, text) => writeFileSync(path, text),
};

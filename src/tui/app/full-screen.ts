import { type Instance, render } from 'ink';
import type { ReactElement } from 'react';
import { type AskedLook, chooseLook, type Look, needsProbe } from '../view/look.ts';
import { probeWidth } from './probe-width.ts';

/** Frames a second: a step that comes right after another is drawn within 33 ms. */
const MAX_FPS = 30;

/** Where the terminal is. */
export interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
}

/** How the terminal is to be drawn on, which it may have to be asked for. @throws RangeError for names that do not exist */
export async function lookFor(asked: AskedLook, terminal: Terminal, env: Readonly<Record<string, string | undefined>>): Promise<Look> {
  return chooseLook(asked, env, needsProbe(asked, env) ? await probeWidth(terminal) : undefined);
}

/** Takes the whole terminal for an app, and gives it back when that leaves. */
export function renderFullScreen(app: ReactElement, { stdin, stdout }: Terminal): Instance {
  // Before the first frame, not after it: keys that are pressed at once must neither be taken for signals nor be echoed.
  if (stdin.isTTY) stdin.setRawMode(true);
  // What was echoed before that has moved the cursor, and the alternate screen begins at its column.
  stdout.write('\r');
  return render(app, {
    stdin,
    stdout,
    alternateScreen: true,
    incrementalRendering: true,
    exitOnCtrlC: false,
    patchConsole: false,
    interactive: true,
    maxFps: MAX_FPS,
    isScreenReaderEnabled: false,
  });
}

/** Stops this process as Ctrl-Z would in a cooked terminal, and goes on after `fg`. */
export function suspendProcess(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGCONT', () => resolve());
    process.kill(process.pid, 'SIGTSTP');
  });
}

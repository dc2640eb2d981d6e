import { type Instance, render } from 'ink';
import type { ReactElement } from 'react';

/** Frames a second: a step that comes right after another is drawn within 33 ms. */
const MAX_FPS = 30;

/** Where the terminal is. */
export interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
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

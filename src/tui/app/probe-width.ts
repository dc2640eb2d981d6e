import type { Terminal } from './full-screen.ts';

/** A character that some fonts draw two cells wide, a question where the cursor is, and what takes both away again. */
const QUESTION = '\r─\u001B[6n';
const ERASE = '\r\u001B[K';
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is how terminals answer
const ANSWER = /\u001B\[\d+;(\d+)R/;
/** A terminal that knows the question answers within this, also one at the other end of a slow line. */
const PATIENCE_MS = 250;

/**
 * How many cells the terminal takes for a character of ambiguous width: it is asked, before anything is drawn. Keys that are pressed meanwhile are given back.
 * Resolves with undefined when there is no answer.
 */
export async function probeWidth({ stdin, stdout }: Terminal, patienceMs = PATIENCE_MS): Promise<number | undefined> {
  stdin.setRawMode(true);
  let heard = '';
  const answer = await new Promise<number | undefined>((resolve) => {
    const done = (cells: number | undefined): void => {
      clearTimeout(timer);
      stdin.off('readable', listen);
      resolve(cells);
    };
    const listen = (): void => {
      for (let chunk = stdin.read(); chunk !== null; chunk = stdin.read()) heard += String(chunk);
      const column = ANSWER.exec(heard)?.[1];
      if (column !== undefined) done(Number(column) - 1);
    };
    const timer = setTimeout(() => done(undefined), patienceMs);
    stdin.on('readable', listen);
    stdout.write(QUESTION);
  });
  stdout.write(ERASE);
  const keys = heard.replace(ANSWER, '');
  if (keys) stdin.unshift(Buffer.from(keys));
  return answer;
}

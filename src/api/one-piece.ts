/** V8 copies shorter concatenations at once. */
const SHORTEST_CHAIN = 13;

/** Taken so that the read below is not optimized away. */
let read = 0;

/**
 * The same text in one piece. V8 keeps what was concatenated as a chain of its parts, several times as large, until somebody reads a character; for texts that are kept
 * by the hundred thousand.
 */
export function inOnePiece(text: string): string {
  if (text.length >= SHORTEST_CHAIN) read = text.charCodeAt(0) + (read & 1);
  return text;
}

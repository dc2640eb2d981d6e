import { Digest } from '../../../src/sim/digest.ts';

/** A short text that changes when `text` does: what clients compare to see whether they know a document already. */
export function digestOf(text: string): string {
  const digest = new Digest();
  digest.update(text);
  return digest.hex().toUpperCase();
}

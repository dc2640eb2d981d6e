import type { DocumentReader } from '../scenario/document-reader.ts';
import { type ReadFile, readStep } from '../scenario/scenario.ts';

const WITHIN_MS = 600_000;

/** What happens in a fork: actions as in scenarios; until all is settled if nothing is said. @throws DocumentError */
export function readFuture(reader: DocumentReader, readFile: ReadFile) {
  if (!reader.exists) return [{ line: 'future', step: 'settle', withinMs: WITHIN_MS } as const];
  return reader.items().map((item) => readStep(item, readFile));
}

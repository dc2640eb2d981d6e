import { canonicalJson } from '../../../src/api/hash.ts';
import { safeEncodeString } from '../controller/pod-template-hash.ts';

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * A short name for the content of a revision: FNV-1 (not FNV-1a), 32 bits, over its JSON and the decimal collision count.
 * pkg/controller/history/controller_history.go HashControllerRevision
 */
export function hashControllerRevision(data: unknown, collisionCount: number | undefined): string {
  const text = `${goJson(data)}${collisionCount ?? ''}`;
  let hash = FNV_OFFSET;
  for (const byte of new TextEncoder().encode(text)) hash = (Math.imul(hash, FNV_PRIME) ^ byte) >>> 0;
  return safeEncodeString(String(hash));
}

/** encoding/json of a map: sorted keys, and what HTML would take for its own escaped. */
function goJson(value: unknown): string {
  return canonicalJson(value).replace(/[<>&\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

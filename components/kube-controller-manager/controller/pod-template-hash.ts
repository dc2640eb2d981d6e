import type { PodTemplateSpec } from '../../../src/api/kinds/core-v1.ts';
import { dumpForHash } from './dump.ts';

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
/** apimachinery pkg/util/rand: the characters of generated names. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * A short name for the content of a template, the same as in a real cluster: pkg/controller/controller_utils.go ComputeHash
 * (FNV-1a, 32 bits, over a dump of the Go value, in safe characters).
 */
export function computeHash(template: PodTemplateSpec, collisionCount: number | undefined): string {
  let hash = fnv1a(FNV_OFFSET, new TextEncoder().encode(dumpForHash('PodTemplateSpec', template)));
  if (collisionCount !== undefined) hash = fnv1a(hash, collisionBytes(collisionCount));
  return safeEncodeString(String(hash));
}

/** apimachinery pkg/util/rand SafeEncodeString */
export function safeEncodeString(text: string): string {
  return Array.from(text, (character) => ALPHABET[character.charCodeAt(0) % ALPHABET.length]).join('');
}

function fnv1a(seed: number, bytes: Uint8Array): number {
  let hash = seed;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, FNV_PRIME) >>> 0;
  return hash;
}

/** Eight bytes, little endian. */
function collisionBytes(count: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setUint32(0, count, true);
  return bytes;
}

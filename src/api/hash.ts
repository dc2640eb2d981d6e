const SAFE_ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';

/** Go's hash/fnv New32a over UTF-8 bytes. */
export function fnv32a(text: string, seed = 0x811c9dc5): number {
  let hash = seed;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}

/** Go's hash/fnv New32 over UTF-8 bytes: as `fnv32a`, but it multiplies first. */
export function fnv32(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = (Math.imul(hash, 0x01000193) ^ byte) >>> 0;
  return hash;
}

/** apimachinery pkg/util/rand SafeEncodeString: no vowels and no look-alikes, so that no bad words come out. */
export function safeEncodeString(text: string): string {
  let out = '';
  for (let index = 0; index < text.length; index++) out += SAFE_ALPHABET[text.charCodeAt(index) % SAFE_ALPHABET.length];
  return out;
}

/**
 * The hash of a pod template that names ReplicaSets and ControllerRevisions: kubernetes pkg/controller ComputeHash. Differs from the real
 * one in its input (canonical JSON instead of a dump of Go structs), so the values are others, with the same shape and the same inequality.
 */
export function computeHash(template: unknown, collisionCount?: number): string {
  const hash = fnv32a(canonicalJson(template));
  const salted = collisionCount === undefined ? hash : saltWith(hash, collisionCount);
  return safeEncodeString(String(salted));
}

/** The count as 4 bytes, little end first, and 4 zero bytes. */
function saltWith(hash: number, count: number): number {
  let salted = hash;
  for (let index = 0; index < 8; index++) {
    const byte = index < 4 ? (count >>> (8 * index)) & 0xff : 0;
    salted = Math.imul(salted ^ byte, 0x01000193) >>> 0;
  }
  return salted;
}

/** JSON with sorted keys and without absent ones: equal for equal values. */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const record = value as Record<string, unknown>;
  return `{${Object.keys(record)
    .filter((key) => record[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(record[key])}`)
    .join(',')}}`;
}

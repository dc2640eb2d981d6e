import { sha256 } from '@noble/hashes/sha2.js';
import { bytesOfBase64Url } from './base64-url.ts';

/** RFC 8017 section 9.2: what stands before a SHA-256 in a signature. */
const SHA256_PREFIX = '3031300d060960864801650304020105000420';

/** The public half of an RSA key, as a JSON Web Key has it. */
export interface RsaPublicKey {
  /** The modulus, in base64url. */
  readonly n: string;
  /** The exponent, in base64url. */
  readonly e: string;
}

/** Whether the signature is that of the text: RS256 of RFC 7518, RSASSA-PKCS1-v1_5 with SHA-256. */
export function verifiesRs256(text: string, signature: string, key: RsaPublicKey): boolean {
  const [bytes, n, e] = [signature, key.n, key.e].map(bytesOfBase64Url);
  if (!bytes || !n || !e || bytes.length !== n.length) return false;
  return modularPower({ base: numberOf(bytes), exponent: numberOf(e), modulus: numberOf(n) }) === encodedMessage(text, n.length);
}

/** RFC 8017 section 9.2, EMSA-PKCS1-v1_5 */
export function encodedMessage(text: string, length: number): bigint {
  const digest = SHA256_PREFIX + hexOf(sha256(new TextEncoder().encode(text)));
  const padding = 'f'.repeat(length * 2 - '0001'.length - '00'.length - digest.length);
  return BigInt(`0x0001${padding}00${digest}`);
}

export function modularPower(parts: { readonly base: bigint; readonly exponent: bigint; readonly modulus: bigint }): bigint {
  const { base, exponent, modulus } = parts;
  let result = 1n;
  let square = base % modulus;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${hexOf(bytes) || '0'}`);
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

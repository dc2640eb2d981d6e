import { type ECDSA, ecdsa, weierstrass } from '@noble/curves/abstract/weierstrass.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { CertificateRequest } from '../../../../src/api/x509/certificate-request.ts';
import { type DerValue, der, derOid, derTime, isOid, partsOf, readDer, TAG, timeOf } from '../../../../src/api/x509/der.ts';
import { decodePem, encodePem } from '../../../../src/api/x509/pem.ts';
import type { Random } from '../../../../src/sim/random.ts';
import { extendedKeyUsages, keyUsageBits } from './key-usages.ts';

const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2';
const EXTENSION = {
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
} as const;
const MINUTE_MS = 60_000;
const BACKDATE_MS = 5 * MINUTE_MS;
/** Certificates that live shorter than this are given their whole time from now on. */
const SHORT_MS = 8 * 60 * MINUTE_MS;

/** What the issuer certificate says, and the key that belongs to it. */
interface Issuer {
  readonly name: Uint8Array;
  readonly keyId: Uint8Array;
  readonly notAfter: number;
  readonly key: Uint8Array;
}

export interface SigningOptions {
  readonly usages: readonly string[];
  readonly ttlMs: number;
  readonly wallTime: number;
  readonly random: Random;
}

/** Signs certificates, with ECDSA on P-256, whose signatures are the same each time (RFC 6979). pkg/controller/certificates/authority/authority.go CertificateAuthority */
export class CertificateAuthority {
  readonly #issuer: Issuer;

  /** @param certificate PEM @param key the private number, hexadecimal */
  constructor(certificate: string, key: string) {
    const fields = fieldsOf(decodePem(certificate, 'CERTIFICATE') ?? new Uint8Array());
    const keyId = fields.extension(EXTENSION.subjectKeyId);
    this.#issuer = {
      name: fields.subject?.whole ?? new Uint8Array(),
      keyId: (keyId && readDer(keyId)?.[0]?.content) ?? new Uint8Array(),
      notAfter: fields.notAfter,
      key: bytesOfHex(key),
    };
  }

  /** Undefined when the authority's own certificate has expired. authority.go Sign */
  sign(request: CertificateRequest, options: SigningOptions): string | undefined {
    const { ttlMs, wallTime, random } = options;
    const { notAfter: last, name, key } = this.#issuer;
    if (wallTime > last) return undefined;
    const notBefore = wallTime - BACKDATE_MS;
    const notAfter = Math.min(ttlMs < SHORT_MS ? wallTime + ttlMs : notBefore + ttlMs, last);
    const algorithm = der(TAG.sequence, derOid(ECDSA_WITH_SHA256));
    const tbs = der(
      TAG.sequence,
      der(0xa0, der(TAG.integer, Uint8Array.of(2))),
      der(TAG.integer, positive(bytesOfHex(random.uuid().replaceAll('-', '')))),
      algorithm,
      name,
      der(TAG.sequence, derTime(notBefore), derTime(notAfter)),
      request.subject,
      request.publicKey,
      der(0xa3, der(TAG.sequence, ...this.#extensions(request, options.usages))),
    );
    const signature = p256().sign(tbs, key, { format: 'der' });
    return encodePem(der(TAG.sequence, tbs, algorithm, der(TAG.bitString, Uint8Array.of(0), signature)), 'CERTIFICATE');
  }

  #extensions(request: CertificateRequest, usages: readonly string[]): Uint8Array[] {
    const extensions: Uint8Array[] = [];
    const bits = keyUsageBits(usages);
    if (bits) extensions.push(extension(EXTENSION.keyUsage, der(TAG.bitString, bits), { critical: true }));
    const purposes = extendedKeyUsages(usages).map(derOid);
    if (purposes.length > 0) extensions.push(extension(EXTENSION.extendedKeyUsage, der(TAG.sequence, ...purposes)));
    extensions.push(extension(EXTENSION.basicConstraints, der(TAG.sequence), { critical: true }));
    extensions.push(extension(EXTENSION.authorityKeyId, der(TAG.sequence, der(0x80, this.#issuer.keyId))));
    if (request.altNames) extensions.push(extension(EXTENSION.subjectAltName, request.altNames));
    return extensions;
  }
}

/** Wall time at which a certificate (PEM) expires; undefined when it cannot be read. */
export function expiryOf(certificate: string): number | undefined {
  const bytes = decodePem(certificate, 'CERTIFICATE');
  const { notAfter } = fieldsOf(bytes ?? new Uint8Array());
  return Number.isNaN(notAfter) ? undefined : notAfter;
}

let curve: ECDSA | undefined;

/** Made on first use: few clusters sign anything. The numbers are those of FIPS 186-5, P-256. */
function p256(): ECDSA {
  const number = (hex: string): bigint => BigInt(`0x${hex}`);
  curve ??= ecdsa(
    weierstrass({
      p: number('ffffffff00000001000000000000000000000000ffffffffffffffffffffffff'),
      n: number('ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551'),
      h: 1n,
      a: number('ffffffff00000001000000000000000000000000fffffffffffffffffffffffc'),
      b: number('5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b'),
      Gx: number('6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296'),
      Gy: number('4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5'),
    }),
    sha256,
  );
  return curve;
}

interface CertificateFields {
  readonly subject: DerValue | undefined;
  readonly notAfter: number;
  /** The value of an extension. */
  extension(oid: string): Uint8Array | undefined;
}

function fieldsOf(bytes: Uint8Array): CertificateFields {
  // version, serial, algorithm, issuer, validity, subject, key, extensions
  const tbs = partsOf(partsOf(readDer(bytes)?.[0])[0]);
  const [, notAfter] = partsOf(tbs[4]);
  const extensions = partsOf(partsOf(tbs.find(({ tag }) => tag === 0xa3))[0]).map(partsOf);
  return {
    subject: tbs[5],
    notAfter: notAfter ? timeOf(notAfter) : Number.NaN,
    extension: (oid) => extensions.find(([type]) => isOid(type, oid))?.find(({ tag }) => tag === TAG.octetString)?.content,
  };
}

function extension(oid: string, value: Uint8Array, { critical = false } = {}): Uint8Array {
  const flag = critical ? [der(TAG.boolean, Uint8Array.of(0xff))] : [];
  return der(TAG.sequence, derOid(oid), ...flag, der(TAG.octetString, value));
}

function bytesOfHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** An integer whose first bit says that it is not negative. */
function positive(bytes: Uint8Array): Uint8Array {
  const out = Uint8Array.from(bytes);
  out[0] = ((out[0] ?? 0) & 0x7f) | 0x40;
  return out;
}

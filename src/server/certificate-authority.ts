import 'reflect-metadata';
import { KeyObject, randomBytes, webcrypto } from 'node:crypto';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  type PublicKeyType,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** A certificate with its private key, both as PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

type Keys = webcrypto.CryptoKeyPair;

interface Issued {
  readonly keys: Keys;
  readonly subject: Record<string, string[]>[];
  readonly extensions: (ExtendedKeyUsageExtension | SubjectAlternativeNameExtension)[];
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
/** What kubeadm gives users. There are clients that take every key for one of this kind, in its old form. */
const RSA = { name: 'RSASSA-PKCS1-v1_5', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' };
const YEAR_MS = 365 * 24 * 3600_000;

/** The authority that a server and its users trust; made anew for each server. Its clock is the wall's: certificates are outside of the simulation. */
export class CertificateAuthority {
  readonly #certificate: X509Certificate;
  readonly #keys: Keys;

  private constructor(certificate: X509Certificate, keys: Keys) {
    this.#certificate = certificate;
    this.#keys = keys;
  }

  static async create(): Promise<CertificateAuthority> {
    const keys = await newKeys(ALGORITHM);
    const certificate = await X509CertificateGenerator.createSelfSigned(
      {
        ...validity(),
        // A name of its own: a certificate of another authority that is called the same would be taken for a broken one of this, and the connection would end.
        name: `CN=bottleship-${randomBytes(8).toString('hex')}`,
        keys: keys as CryptoKeyPair,
        signingAlgorithm: ALGORITHM,
        extensions: [
          new BasicConstraintsExtension(true, undefined, true),
          new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.digitalSignature, true),
        ],
      },
      webcrypto as Crypto,
    );
    return new CertificateAuthority(certificate, keys);
  }

  get certificate(): string {
    return this.#certificate.toString('pem');
  }

  /** For a server that is reached by these names and addresses. */
  async issueServer(hosts: readonly string[]): Promise<KeyPair> {
    const names = hosts.map((value) => ({ type: /^[\d.]+$|:/.test(value) ? ('ip' as const) : ('dns' as const), value }));
    return this.#issue({
      keys: await newKeys(ALGORITHM),
      subject: [{ CN: ['kube-apiserver'] }],
      extensions: [new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]), new SubjectAlternativeNameExtension(names)],
    });
  }

  /** For a user: the common name is the user's, organizations are groups. */
  async issueClient({ username, groups }: { readonly username: string; readonly groups: readonly string[] }): Promise<KeyPair> {
    return this.#issue({
      keys: await newKeys(RSA),
      subject: [...groups.map((group) => ({ O: [group] })), { CN: [username] }],
      extensions: [new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth])],
    });
  }

  async #issue({ keys, subject, extensions }: Issued): Promise<KeyPair> {
    const certificate = await X509CertificateGenerator.create(
      {
        ...validity(),
        subject,
        issuer: this.#certificate.subject,
        publicKey: keys.publicKey as PublicKeyType,
        signingKey: this.#keys.privateKey as CryptoKey,
        signingAlgorithm: ALGORITHM,
        extensions: [new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment, true), ...extensions],
      },
      webcrypto as Crypto,
    );
    return { certificate: certificate.toString('pem'), key: pemOf(keys.privateKey) };
  }
}

function newKeys(algorithm: typeof ALGORITHM | typeof RSA): Promise<Keys> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']) as Promise<Keys>;
}

function validity(): { serialNumber: string; notBefore: Date; notAfter: Date } {
  const now = Date.now();
  return { serialNumber: `01${randomBytes(8).toString('hex')}`, notBefore: new Date(now - 60_000), notAfter: new Date(now + YEAR_MS) };
}

function pemOf(key: webcrypto.CryptoKey): string {
  const type = key.algorithm.name === RSA.name ? 'pkcs1' : 'sec1';
  return KeyObject.from(key).export({ type, format: 'pem' }).toString();
}

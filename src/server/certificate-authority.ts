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

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
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
    const keys = await newKeys();
    const certificate = await X509CertificateGenerator.createSelfSigned(
      {
        ...validity(),
        name: 'CN=kubernetes',
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
  issueServer(hosts: readonly string[]): Promise<KeyPair> {
    const names = hosts.map((value) => ({ type: /^[\d.]+$|:/.test(value) ? ('ip' as const) : ('dns' as const), value }));
    return this.#issue(
      [{ CN: ['kube-apiserver'] }],
      [new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]), new SubjectAlternativeNameExtension(names)],
    );
  }

  /** For a user: the common name is the user's, organizations are groups. */
  issueClient({ username, groups }: { readonly username: string; readonly groups: readonly string[] }): Promise<KeyPair> {
    return this.#issue(
      [...groups.map((group) => ({ O: [group] })), { CN: [username] }],
      [new ExtendedKeyUsageExtension([ExtendedKeyUsage.clientAuth])],
    );
  }

  async #issue(
    subject: Record<string, string[]>[],
    extensions: (ExtendedKeyUsageExtension | SubjectAlternativeNameExtension)[],
  ): Promise<KeyPair> {
    const keys = await newKeys();
    const certificate = await X509CertificateGenerator.create(
      {
        ...validity(),
        subject,
        issuer: this.#certificate.subject,
        publicKey: keys.publicKey as PublicKeyType,
        signingKey: this.#keys.privateKey as CryptoKey,
        signingAlgorithm: ALGORITHM,
        extensions: [new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true), ...extensions],
      },
      webcrypto as Crypto,
    );
    return { certificate: certificate.toString('pem'), key: pemOf(keys.privateKey) };
  }
}

function newKeys(): Promise<Keys> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

function validity(): { serialNumber: string; notBefore: Date; notAfter: Date } {
  const now = Date.now();
  return { serialNumber: `01${randomBytes(8).toString('hex')}`, notBefore: new Date(now - 60_000), notAfter: new Date(now + YEAR_MS) };
}

function pemOf(key: webcrypto.CryptoKey): string {
  return KeyObject.from(key).export({ type: 'pkcs8', format: 'pem' }).toString();
}

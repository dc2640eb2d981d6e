import { type DerValue, isOid, partsOf, readDer, TAG } from './der.ts';
import { decodePem } from './pem.ts';

const COMMON_NAME = '2.5.4.3';
const ORGANIZATION = '2.5.4.10';
const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';
const SUBJECT_ALT_NAME = '2.5.29.17';
/** The attributes of a request are an implicitly tagged set. */
const ATTRIBUTES_TAG = 0xa0;

/** Who a request (PKCS #10) is for. */
export interface CertificateRequest {
  readonly commonName: string;
  readonly organization: readonly string[];
  /** As they are in the request, to be copied. */
  readonly subject: Uint8Array;
  readonly publicKey: Uint8Array;
  /** The value of the extension; absent when the request has none. */
  readonly altNames?: Uint8Array;
  readonly dnsNames: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly uris: readonly string[];
  /** How many IP addresses. */
  readonly ipAddresses: number;
}

/** Reads what a CertificateSigningRequest has in `spec.request`; undefined when it is none. pkg/apis/certificates.ParseCSR */
export function parseCsr(base64: string): CertificateRequest | undefined {
  const bytes = decodePem(atob(base64), 'CERTIFICATE REQUEST');
  const info = partsOf(partsOf(bytes && readDer(bytes)?.[0])[0]);
  const [, subject, publicKey] = info;
  if (!subject || !publicKey) return undefined;
  const altNames = altNamesOf(info.find(({ tag }) => tag === ATTRIBUTES_TAG));
  const names = altNames && readDer(altNames)?.[0];
  return {
    commonName: namesOf(subject, COMMON_NAME).at(-1) ?? '',
    organization: namesOf(subject, ORGANIZATION),
    subject: subject.whole,
    publicKey: publicKey.whole,
    ...(altNames ? { altNames } : {}),
    emailAddresses: generalNames(names, 0x81).map(textOf),
    dnsNames: generalNames(names, 0x82).map(textOf),
    uris: generalNames(names, 0x86).map(textOf),
    ipAddresses: generalNames(names, 0x87).length,
  };
}

/** The values of an attribute of a distinguished name. */
function namesOf(name: DerValue, oid: string): string[] {
  const attributes = partsOf(name).flatMap((relative) => partsOf(relative).map(partsOf));
  return attributes.filter(([type]) => isOid(type, oid)).flatMap(([, value]) => (value ? [textOf(value)] : []));
}

function altNamesOf(attributes: DerValue | undefined): Uint8Array | undefined {
  const asked = partsOf(attributes)
    .map(partsOf)
    .find(([type]) => isOid(type, EXTENSION_REQUEST));
  const extensions = partsOf(partsOf(asked?.[1])[0]).map(partsOf);
  const extension = extensions.find(([type]) => isOid(type, SUBJECT_ALT_NAME));
  return extension?.find(({ tag }) => tag === TAG.octetString)?.content;
}

function generalNames(names: DerValue | undefined, tag: number): DerValue[] {
  return partsOf(names).filter((name) => name.tag === tag);
}

function textOf({ content }: DerValue): string {
  return new TextDecoder().decode(content);
}

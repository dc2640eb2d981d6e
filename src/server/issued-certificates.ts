import { X509Certificate } from 'node:crypto';
import type { CertificateSigningRequest } from '../api/kinds/certificates-v1.ts';
import type { Cluster } from '../cluster/cluster.ts';
import { ROOT_CA } from '../cluster/root-ca.ts';

const AUTHORITY = new X509Certificate(ROOT_CA);
const REQUESTS = '/registry/certificatesigningrequests/';
const FOR_CLIENTS = 'kubernetes.io/kube-apiserver-client';

/**
 * The certificates by which the cluster itself has said who somebody is: those of approved CertificateSigningRequests. They are known one by one, since the key that the
 * cluster signs with is no secret; and their time is that of the cluster.
 */
export class IssuedCertificates {
  readonly #cluster: Cluster;
  readonly #fingerprints = new Set<string>();

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    const requests = cluster.etcd.keyspace<CertificateSigningRequest>(REQUESTS);
    for (const { value } of requests.range(REQUESTS).versions) this.#take(value);
    requests.watch(({ value }) => this.#take(value));
  }

  /** Whether the cluster has issued it, and it counts at this moment. */
  vouchFor(certificate: X509Certificate | undefined): boolean {
    if (!certificate || !this.#fingerprints.has(certificate.fingerprint256)) return false;
    const { wallTime } = this.#cluster.simulation;
    return Date.parse(certificate.validFrom) <= wallTime && wallTime <= Date.parse(certificate.validTo);
  }

  #take(request: CertificateSigningRequest | undefined): void {
    const { certificate } = request?.status ?? {};
    if (!certificate || !request?.spec.signerName.startsWith(FOR_CLIENTS)) return;
    const signed = new X509Certificate(Buffer.from(certificate, 'base64'));
    if (signed.verify(AUTHORITY.publicKey)) this.#fingerprints.add(signed.fingerprint256);
  }
}

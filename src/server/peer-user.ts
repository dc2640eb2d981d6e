import type { PeerCertificate, TLSSocket } from 'node:tls';
import type { UserInfo } from '../api/request.ts';
import type { IssuedCertificates } from './issued-certificates.ts';

/**
 * Whom a client certificate names: apiserver pkg/authentication/request/x509.CommonNameUserConversion. Null: none that the server's authority signed, nor the cluster itself.
 */
export function peerUser(socket: TLSSocket, issued: IssuedCertificates): UserInfo | null {
  if (!socket.authorized && !issued.vouchFor(socket.getPeerX509Certificate())) return null;
  const { subject, fingerprint256 = '' } = socket.getPeerCertificate() as Partial<PeerCertificate>;
  const username = single(subject?.CN);
  if (!username) return null;
  const organizations = [subject?.O ?? []].flat() as string[];
  return {
    username,
    groups: [...organizations, 'system:authenticated'],
    extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint256.replaceAll(':', '').toLowerCase()}`] },
  };
}

function single(name: string | string[] | undefined): string {
  return (Array.isArray(name) ? name[0] : name) ?? '';
}

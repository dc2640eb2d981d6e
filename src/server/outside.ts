import { request as httpsRequest, type RequestOptions } from 'node:https';
import { checkServerIdentity } from 'node:tls';
import type { OutboundRequest } from '../api/outbound.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { OutboundOutcome } from '../cluster/outbound-calls.ts';
import type { Pump } from './pump.ts';

/** Sends what leaves the cluster over HTTPS; the answers enter as inputs, so that a replay needs no network. */
export function answerOutside(cluster: Cluster, pump: Pump): void {
  cluster.onOutbound((call, request) => {
    const release = pump.hold();
    send(request)
      .then((outcome) =>
        pump.enter(() => {
          release();
          cluster.answerOutbound(call, outcome);
        }),
      )
      .catch(release);
  });
}

/** The answer, or why there is none. */
function send(outbound: OutboundRequest): Promise<OutboundOutcome> {
  return new Promise((resolve) => {
    const url = new URL(outbound.url);
    const request = httpsRequest(url, optionsOf(outbound, url), (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', (error) => resolve({ error: reasonOf(error, url) }));
      response.on('end', () => {
        const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value = '']) => [name, [value].flat().join(', ')]));
        resolve({ status: response.statusCode ?? 0, headers, body: Buffer.concat(chunks).toString('utf8') });
      });
    });
    const timer = setTimeout(() => {
      resolve({ error: 'context deadline exceeded' });
      request.destroy();
    }, outbound.timeoutMs);
    request.on('close', () => clearTimeout(timer));
    request.on('error', (error) => resolve({ error: reasonOf(error, url) }));
    request.end(outbound.body);
  });
}

function optionsOf({ method, headers, caBundle, insecure, serverName, body }: OutboundRequest, url: URL): RequestOptions {
  const name = serverName ?? url.hostname.replace(/^\[|\]$/g, '');
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return {
    method,
    headers: { ...(headers as Record<string, string | string[]>), ...length },
    agent: false,
    rejectUnauthorized: !insecure,
    ...(caBundle ? { ca: Buffer.from(caBundle, 'base64') } : {}),
    ...(serverName ? { servername: serverName } : {}),
    checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate),
  };
}

const UNTRUSTED = new Set([
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
]);
const BAD_CERTIFICATE = 'tls: failed to verify certificate: x509:';

/** In the words of Go's net and crypto/tls. */
function reasonOf(error: Error & { code?: string; address?: string; port?: number }, url: URL): string {
  const { code = '', address, port = Number(url.port || 443) } = error;
  if (UNTRUSTED.has(code)) return `${BAD_CERTIFICATE} certificate signed by unknown authority`;
  switch (code) {
    case 'ECONNREFUSED':
      return `dial tcp ${address?.includes(':') ? `[${address}]` : (address ?? url.hostname)}:${port}: connect: connection refused`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `dial tcp: lookup ${url.hostname}: no such host`;
    case 'ECONNRESET':
      return 'EOF';
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return `${BAD_CERTIFICATE} certificate has expired or is not yet valid`;
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return `${BAD_CERTIFICATE} certificate is not valid for ${url.hostname}`;
    default:
      return error.message;
  }
}

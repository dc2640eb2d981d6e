import { expect, test } from 'vitest';
import { TestApiserver } from '../../../test/support/apiserver.ts';

/** Requests as openssl makes them, for /O=system:masters/CN=root and /O=system:nodes/CN=system:node:n1. */
const ROOT =
  'MIHiMIGKAgEAMCgxFzAVBgNVBAoMDnN5c3RlbTptYXN0ZXJzMQ0wCwYDVQQDDARyb290MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEreVuUMa3ZsX/P2zr' +
  'cM0ckgaAFiMV1v3T799rPiZlcr6l5DfDwRgf7z3gW0KmdR6+QDVc1hcbXeF7hDI8tptn2aAAMAoGCCqGSM49BAMCA0cAMEQCIHqIo6sFSnaMKYV9WWMZV03j' +
  'EItnu+wTUjm8GSDMfgUmAiA8gPzolTg4KcSkyOHkDKsvtiUr2fcxgXStjTGYUIr7Iw==';
const NODE =
  'MIHrMIGSAgEAMDAxFTATBgNVBAoMDHN5c3RlbTpub2RlczEXMBUGA1UEAwwOc3lzdGVtOm5vZGU6bjEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASt5W5Q' +
  'xrdmxf8/bOtwzRySBoAWIxXW/dPv32s+JmVyvqXkN8PBGB/vPeBbQqZ1Hr5ANVzWFxtd4XuEMjy2m2fZoAAwCgYIKoZIzj0EAwIDSAAwRQIhAPWTVbYwV0f6' +
  'GdwdTeSuOQ6TVBD+YN+rSExdjDe5boFbAiAEh0FGPLNdB+U31wX/QenLxYp5k7RFm6847IIoFZ6oyQ==';

const requestOf = (base64: string): string => btoa(`-----BEGIN CERTIFICATE REQUEST-----\n${base64}\n-----END CERTIFICATE REQUEST-----\n`);

/** What is answered when somebody asks a signer for a certificate. */
async function ask(request: string, signerName: string, headers?: Record<string, string>): Promise<string> {
  const spec = { request: requestOf(request), signerName: `kubernetes.io/${signerName}`, usages: ['client auth'] };
  const line = 'POST /apis/certificates.k8s.io/v1/certificatesigningrequests';
  const { code, body } = await new TestApiserver().send(line, { metadata: { name: 'r' }, spec }, headers);
  return code === 201 ? '201' : `${code} ${body.message}`;
}

const REFUSED = '403 certificatesigningrequests.certificates.k8s.io "r" is forbidden: ';

test('nobody becomes a superuser by certificate', async () => {
  expect(await ask(ROOT, 'kube-apiserver-client')).toBe(
    `${REFUSED}use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed`,
  );
  expect(await ask(NODE, 'kube-apiserver-client')).toBe('201');
  expect(await ask(ROOT, 'kubelet-serving')).toBe('201');
});

test('a kubelet asks for certificates in its own name', async () => {
  const kubelet = (node: string) => ({ 'impersonate-user': `system:node:${node}`, 'impersonate-group': 'system:nodes' });
  expect(await ask(NODE, 'kube-apiserver-client-kubelet', kubelet('n1'))).toBe('201');
  expect(await ask(NODE, 'kube-apiserver-client-kubelet', kubelet('n2'))).toBe(
    `${REFUSED}can only create a node CSR with CN=system:node:n2`,
  );
});

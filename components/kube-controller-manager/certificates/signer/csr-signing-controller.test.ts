import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import type { CertificateSigningRequest } from '../../../../src/api/kinds/certificates-v1.ts';
import { certificatesigningrequests, clusterrolebindings } from '../../../../src/api/resources.ts';
import { ControlPlane } from '../../../../test/support/control-plane.ts';
import { ROOT_CA } from '../rootcacertpublisher/root-ca.ts';

/** openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/O=system:nodes/CN=system:node:n1" [-addext subjectAltName=DNS:n1,IP:10.0.0.1] */
const PLAIN =
  'MIHrMIGSAgEAMDAxFTATBgNVBAoMDHN5c3RlbTpub2RlczEXMBUGA1UEAwwOc3lzdGVtOm5vZGU6bjEwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQDAU3mWSl9CnYthU' +
  '07C4pZyV2oY9Q4LMWFdWbnmoMKozI9eMvMbUBA+cznO8ykv+sInf7Dh7WDw9YuubLrDkimoAAwCgYIKoZIzj0EAwIDSAAwRQIgSjljbggwBT0NtVWmaiK6cc05O9pGTVAX' +
  'dEhpE4xt/y8CIQDPVuNYwpcXGYdPGxKnLWZCSo4G9xDBLGOg0/cq79A6xg==';
const WITH_NAMES =
  'MIIBEjCBuAIBADAwMRUwEwYDVQQKDAxzeXN0ZW06bm9kZXMxFzAVBgNVBAMMDnN5c3RlbTpub2RlOm4xMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEtgPBg2w3YZ7mfU' +
  '13HV7eyAf8KkIiJw81LAJLLybVQVMl5ivS1kzCdW25RyYWPe1GtrpSsdKl7t/m6TxbLI2QH6AmMCQGCSqGSIb3DQEJDjEXMBUwEwYDVR0RBAwwCoICbjGHBAoAAAEwCgYI' +
  'KoZIzj0EAwIDSQAwRgIhAL6YUQSyJtawY2xfmo7y8GE+OhormJBnKJKewksAXjZIAiEA8oabqJyYNgja78AEYd/viP8POk+5xenIH1c11aNzvyc=';

const SELF_NODE_CLIENT = 'system:certificates.k8s.io:certificatesigningrequests:selfnodeclient';
const NODE = { username: 'system:node:n1', groups: ['system:nodes', 'system:authenticated'] };

async function request(plane: ControlPlane, csr: string, spec: Partial<CertificateSigningRequest['spec']>): Promise<void> {
  const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${csr}\n-----END CERTIFICATE REQUEST-----\n`;
  const whole = { request: btoa(pem), signerName: 'kubernetes.io/kubelet-serving', ...spec };
  await plane.act((client) =>
    client
      .as(NODE)
      .resource(certificatesigningrequests)
      .create({ metadata: { name: 'r' }, spec: whole }),
  );
  await plane.simulation.settle();
}

const find = (plane: ControlPlane): Promise<CertificateSigningRequest> =>
  plane.act((client) => client.resource(certificatesigningrequests).get({ name: 'r' }));

test('a kubelet gets a certificate for itself without asking anybody, signed by the authority that pods know', async () => {
  const plane = new ControlPlane(['certificatesigningrequest-approving-controller', 'certificatesigningrequest-signing-controller']);
  await plane.simulation.settle();
  // As kubeadm does: kubeadm:node-autoapprove-certificate-rotation
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: SELF_NODE_CLIENT };
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'system:nodes' }];
  await plane.act((client) => client.resource(clusterrolebindings).create({ metadata: { name: 'rotation' }, roleRef, subjects }));
  await request(plane, PLAIN, { signerName: 'kubernetes.io/kube-apiserver-client-kubelet', usages: ['client auth', 'digital signature'] });
  const { status } = await find(plane);
  expect(status?.conditions?.map(({ type, reason, message }) => [type, reason, message])).toEqual([
    ['Approved', 'AutoApproved', 'Auto approving self kubelet client certificate after SubjectAccessReview.'],
  ]);
  const certificate = new X509Certificate(atob(status?.certificate ?? ''));
  expect(certificate.subject).toBe('O=system:nodes\nCN=system:node:n1');
  expect(certificate.issuer).toBe('CN=kubernetes');
  expect(certificate.verify(new X509Certificate(ROOT_CA).publicKey)).toBe(true);
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
  expect(certificate.ca).toBe(false);
  const [from, to] = [certificate.validFrom, certificate.validTo].map((text) => Date.parse(text));
  expect((to ?? 0) - (from ?? 0)).toBe(365 * 24 * 3_600_000);
});

test('alternative names are copied, and a short time is kept', async () => {
  const plane = new ControlPlane(['certificatesigningrequest-approving-controller', 'certificatesigningrequest-signing-controller']);
  await plane.simulation.settle();
  await request(plane, WITH_NAMES, { usages: ['digital signature', 'server auth'], expirationSeconds: 3600 });
  const approved = await find(plane);
  const status = { conditions: [{ type: 'Approved', status: 'True', reason: 'Test', message: 'by hand' }] };
  await plane.act((client) => client.resource(certificatesigningrequests).update({ ...approved, status }, { subresource: 'approval' }));
  await plane.simulation.settle();
  const certificate = new X509Certificate(atob((await find(plane)).status?.certificate ?? ''));
  expect(certificate.subjectAltName).toBe('DNS:n1, IP Address:10.0.0.1');
  expect(Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)).toBe(3_900_000);
});

test('what a signer does not sign fails, and says why', async () => {
  const plane = new ControlPlane(['certificatesigningrequest-signing-controller']);
  await plane.simulation.settle();
  await request(plane, PLAIN, { usages: ['digital signature', 'server auth'] });
  const found = await find(plane);
  const status = { conditions: [{ type: 'Approved', status: 'True', reason: 'Test', message: 'by hand' }] };
  await plane.act((client) => client.resource(certificatesigningrequests).update({ ...found, status }, { subresource: 'approval' }));
  await plane.simulation.settle();
  const failed = (await find(plane)).status?.conditions?.find(({ type }) => type === 'Failed');
  expect(failed).toMatchObject({ reason: 'SignerValidationFailure', message: 'DNS or IP subjectAltName is required' });
});

import type { CertificateRequest } from '../../../../src/api/x509/certificate-request.ts';

export const KUBE_APISERVER_CLIENT = 'kubernetes.io/kube-apiserver-client';
export const KUBE_APISERVER_CLIENT_KUBELET = 'kubernetes.io/kube-apiserver-client-kubelet';
export const KUBELET_SERVING = 'kubernetes.io/kubelet-serving';
export const LEGACY_UNKNOWN = 'kubernetes.io/legacy-unknown';

const CLIENT_USAGES = new Set(['digital signature', 'key encipherment', 'client auth']);
const KUBELET_CLIENT_USAGES = ['client auth', 'digital signature', 'key encipherment'];
const KUBELET_SERVING_USAGES = ['digital signature', 'key encipherment', 'server auth'];
const NOT_A_NODE = 'subject organization is not system:nodes';

type Validate = (request: CertificateRequest, usages: readonly string[]) => string | undefined;

/** What a signer has against a request; undefined when it signs it. pkg/controller/certificates/signer/signer.go getCSRVerificationFuncForSignerName */
export const VALIDATORS: ReadonlyMap<string, Validate> = new Map<string, Validate>([
  [KUBE_APISERVER_CLIENT, (_, usages) => validateApiserverClientUsages(usages)],
  [KUBE_APISERVER_CLIENT_KUBELET, validateKubeletClientRequest],
  [KUBELET_SERVING, validateKubeletServingRequest],
  [LEGACY_UNKNOWN, () => undefined],
]);

/** signer.go validAPIServerClientUsages */
function validateApiserverClientUsages(usages: readonly string[]): string | undefined {
  const other = usages.find((usage) => !CLIENT_USAGES.has(usage));
  if (other !== undefined) return `invalid usage for client certificate: ${other}`;
  return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth';
}

/** pkg/apis/certificates/helpers.go ValidateKubeletClientCSR */
export function validateKubeletClientRequest(request: CertificateRequest, usages: readonly string[]): string | undefined {
  if (!isNodeOrganization(request)) return NOT_A_NODE;
  if (request.dnsNames.length > 0) return 'DNS subjectAltNames are not allowed';
  if (request.emailAddresses.length > 0) return 'Email subjectAltNames are not allowed';
  if (request.ipAddresses > 0) return 'IP subjectAltNames are not allowed';
  if (request.uris.length > 0) return 'URI subjectAltNames are not allowed';
  return whyNotNodeName(request) ?? whyNotUsages(usages, KUBELET_CLIENT_USAGES);
}

/** pkg/apis/certificates/helpers.go ValidateKubeletServingCSR */
function validateKubeletServingRequest(request: CertificateRequest, usages: readonly string[]): string | undefined {
  if (!isNodeOrganization(request)) return NOT_A_NODE;
  if (request.dnsNames.length === 0 && request.ipAddresses === 0) return 'DNS or IP subjectAltName is required';
  if (request.emailAddresses.length > 0) return 'Email subjectAltNames are not allowed';
  if (request.uris.length > 0) return 'URI subjectAltNames are not allowed';
  return whyNotUsages(usages, KUBELET_SERVING_USAGES) ?? whyNotNodeName(request);
}

function isNodeOrganization({ organization }: CertificateRequest): boolean {
  return organization.length === 1 && organization[0] === 'system:nodes';
}

function whyNotNodeName({ commonName }: CertificateRequest): string | undefined {
  return commonName.startsWith('system:node:') ? undefined : 'subject common name does not begin with system:node:';
}

/** Key encipherment may be left out: not every kind of key can do it. */
function whyNotUsages(usages: readonly string[], all: readonly string[]): string | undefined {
  const given = [...new Set(usages)].sort();
  const isSame = (wanted: readonly string[]): boolean =>
    given.length === wanted.length && given.every((usage, index) => usage === wanted[index]);
  if (isSame(all) || isSame(all.filter((usage) => usage !== 'key encipherment'))) return undefined;
  return `usages did not match [${all.join(' ')}]`;
}

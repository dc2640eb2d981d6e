import { deepEqual } from '../../../src/api/deep-equal.ts';
import type { CertificateSigningRequest } from '../../../src/api/kinds/certificates-v1.ts';
import { parseCsr } from '../../../src/api/x509/certificate-request.ts';
import type { AdmissionAttributes, AdmissionPlugin } from './chain.ts';
import { admissionForbidden } from './forbidden.ts';

/** plugin/pkg/admission/certificates/approval */
export const certificateApproval: AdmissionPlugin = {
  name: 'CertificateApproval',
  resources: ['certificatesigningrequests'],
  validate: (attributes) => {
    const { context, operation, oldObject } = attributes;
    if (operation !== 'UPDATE' || context.subresource !== 'approval') return undefined;
    const signer = (oldObject as CertificateSigningRequest).spec.signerName;
    if (!mayUseSigner(attributes, 'approve', signer))
      throw admissionForbidden(attributes, `user not permitted to approve requests with signerName "${signer}"`);
    return undefined;
  },
};

/** plugin/pkg/admission/certificates/signing */
export const certificateSigning: AdmissionPlugin = {
  name: 'CertificateSigning',
  resources: ['certificatesigningrequests'],
  validate: (attributes) => {
    const { context, operation, object, oldObject } = attributes;
    if (operation !== 'UPDATE' || context.subresource !== 'status') return undefined;
    const { status } = object as CertificateSigningRequest;
    const old = oldObject as CertificateSigningRequest;
    if (status?.certificate === old.status?.certificate && deepEqual(status?.conditions, old.status?.conditions)) return undefined;
    const signer = old.spec.signerName;
    if (!mayUseSigner(attributes, 'sign', signer))
      throw admissionForbidden(attributes, `user not permitted to sign requests with signerName "${signer}"`);
    return undefined;
  },
};

const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client';
const SUPERUSERS = 'system:masters';

/** plugin/pkg/admission/certificates/subjectrestriction */
export const certificateSubjectRestriction: AdmissionPlugin = {
  name: 'CertificateSubjectRestriction',
  resources: ['certificatesigningrequests'],
  validate: (attributes) => {
    if (attributes.operation !== 'CREATE' || attributes.context.subresource !== '') return undefined;
    const { spec } = attributes.object as CertificateSigningRequest;
    if (spec.signerName === CLIENT_SIGNER && parseCsr(spec.request)?.organization.includes(SUPERUSERS))
      throw admissionForbidden(attributes, `use of ${CLIENT_SIGNER} signer with ${SUPERUSERS} group is not allowed`);
    return undefined;
  },
};

/** plugin/pkg/admission/certificates.IsAuthorizedForSignerName: by the name, or by the domain of the signer. */
function mayUseSigner({ context }: AdmissionAttributes, verb: string, signer: string): boolean {
  const base = {
    isResourceRequest: true,
    verb,
    path: '',
    group: 'certificates.k8s.io',
    version: '*',
    resource: 'signers',
    subresource: '',
    namespace: '',
  };
  const names = [signer, `${signer.split('/')[0]}/*`];
  return names.some((name) => context.server.authorizer.authorize({ ...base, name, user: context.user }).decision === 'allow');
}

import type { SubjectAccessReview } from '../../../../src/api/kinds/authorization-v1.ts';
import type { CertificateSigningRequest } from '../../../../src/api/kinds/certificates-v1.ts';
import { certificatesigningrequests, subjectaccessreviews } from '../../../../src/api/resources.ts';
import { type CertificateRequest, parseCsr } from '../../../../src/api/x509/certificate-request.ts';
import { SyncError } from '../../controller/sync-error.ts';
import type { ControllerContext } from '../../controller-context.ts';
import { ACCOUNT, hasTrueCondition, runCertificateController } from '../certificate-controller.ts';
import { KUBE_APISERVER_CLIENT_KUBELET, validateKubeletClientRequest } from '../signer/validate-request.ts';

const NAME = 'certificatesigningrequest-approving-controller';

/** sarapprove.go recognizers: whose requests are approved, if they may make them. */
const RECOGNIZERS = [
  {
    recognize: (request: CertificateSigningRequest, parsed: CertificateRequest): boolean => request.spec.username === parsed.commonName,
    subresource: 'selfnodeclient',
    message: 'Auto approving self kubelet client certificate after SubjectAccessReview.',
  },
  {
    recognize: (): boolean => true,
    subresource: 'nodeclient',
    message: 'Auto approving kubelet client certificate after SubjectAccessReview.',
  },
] as const;

/** Approves what kubelets ask for themselves. pkg/controller/certificates/approver/sarapprove.go sarApprover */
export function startCertificateSigningRequestApprovingController(context: ControllerContext): void {
  const client = context.clientFor(ACCOUNT);

  /** sarapprove.go handle */
  async function handle(request: CertificateSigningRequest): Promise<void> {
    if (hasTrueCondition(request, 'Approved') || hasTrueCondition(request, 'Denied')) return;
    const parsed = parseCsr(request.spec.request);
    if (!parsed) throw new SyncError(`unable to parse csr "${request.metadata.name}"`);
    if (request.spec.signerName !== KUBE_APISERVER_CLIENT_KUBELET) return;
    if (validateKubeletClientRequest(parsed, request.spec.usages ?? []) !== undefined) return;
    for (const { recognize, subresource, message } of RECOGNIZERS) {
      if (!recognize(request, parsed) || !(await isAllowed(request, subresource))) continue;
      const condition = { type: 'Approved', status: 'True', reason: 'AutoApproved', message };
      const status = { ...request.status, conditions: [...(request.status?.conditions ?? []), condition] };
      await client.resource(certificatesigningrequests).update({ ...request, status }, { subresource: 'approval' });
      return;
    }
    throw new SyncError(
      `recognized csr "${request.metadata.name}" as [selfnodeclient nodeclient] but subject access review was not approved`,
    );
  }

  /** sarapprove.go authorize */
  async function isAllowed({ spec }: CertificateSigningRequest, subresource: string): Promise<boolean> {
    const { username, uid, groups, extra } = spec;
    const attributes = { group: 'certificates.k8s.io', version: '*', resource: 'certificatesigningrequests', subresource, verb: 'create' };
    const review: SubjectAccessReview = {
      metadata: {},
      spec: {
        ...(username ? { user: username } : {}),
        ...(uid ? { uid } : {}),
        ...(groups ? { groups } : {}),
        ...(extra ? { extra } : {}),
        resourceAttributes: attributes,
      },
    };
    return (await client.resource(subjectaccessreviews).create(review)).status?.allowed ?? false;
  }

  runCertificateController(context, NAME, handle);
}

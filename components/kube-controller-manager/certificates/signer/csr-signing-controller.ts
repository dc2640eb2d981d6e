import type { CertificateSigningRequest, CertificateSigningRequestStatus } from '../../../../src/api/kinds/certificates-v1.ts';
import { certificatesigningrequests } from '../../../../src/api/resources.ts';
import { formatTime } from '../../../../src/api/time.ts';
import { type CertificateRequest, parseCsr } from '../../../../src/api/x509/certificate-request.ts';
import { SyncError } from '../../controller/sync-error.ts';
import type { ControllerContext } from '../../controller-context.ts';
import { CertificateAuthority } from '../authority/certificate-authority.ts';
import { ACCOUNT, hasTrueCondition, runCertificateController } from '../certificate-controller.ts';
import { VALIDATORS } from './validate-request.ts';

const NAME = 'certificatesigningrequest-signing-controller';
/** --cluster-signing-duration */
const CLUSTER_SIGNING_DURATION_MS = 365 * 24 * 3_600_000;
const MIN_DURATION_MS = 600_000;

/** Signs what was approved, for the four signers of Kubernetes. pkg/controller/certificates/signer/signer.go CSRSigningController */
export function startCertificateSigningRequestSigningController(context: ControllerContext): void {
  const { config, actor } = context;
  const { simulation } = actor;
  const client = context.clientFor(ACCOUNT).resource(certificatesigningrequests);
  const random = simulation.random.fork(`${NAME}/${actor.incarnation}`);
  let authority: CertificateAuthority | undefined;

  /** signer.go handle */
  async function handle(request: CertificateSigningRequest): Promise<void> {
    if (!hasTrueCondition(request, 'Approved') || hasTrueCondition(request, 'Failed')) return;
    const { signerName, usages = [] } = request.spec;
    const validate = VALIDATORS.get(signerName);
    if (!validate) return;
    const parsed = parseCsr(request.spec.request);
    if (!parsed) throw new SyncError(`unable to parse csr "${request.metadata.name}"`);
    const why = validate(parsed, usages);
    const status = why === undefined ? { ...request.status, certificate: sign(request, parsed) } : failedStatus(request, why);
    await client.updateStatus({ ...request, status });
  }

  function failedStatus({ status }: CertificateSigningRequest, message: string): CertificateSigningRequestStatus {
    const lastUpdateTime = formatTime(simulation.wallTime);
    const condition = { type: 'Failed', status: 'True', reason: 'SignerValidationFailure', message, lastUpdateTime };
    return { ...status, conditions: [...(status?.conditions ?? []), condition] };
  }

  function sign(request: CertificateSigningRequest, parsed: CertificateRequest): string {
    const { expirationSeconds, usages = [] } = request.spec;
    authority ??= new CertificateAuthority(config.clusterSigningCert, config.clusterSigningKey);
    const ttlMs = durationOf(expirationSeconds);
    const certificate = authority.sign(parsed, { usages, ttlMs, wallTime: simulation.wallTime, random });
    if (certificate === undefined) throw new SyncError('error auto signing csr: the signer has expired');
    return btoa(certificate);
  }

  runCertificateController(context, NAME, handle);
}

/** signer.go duration */
function durationOf(expirationSeconds: number | undefined): number {
  if (expirationSeconds === undefined) return CLUSTER_SIGNING_DURATION_MS;
  return Math.min(Math.max(expirationSeconds * 1000, MIN_DURATION_MS), CLUSTER_SIGNING_DURATION_MS);
}

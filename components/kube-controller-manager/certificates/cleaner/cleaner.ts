import type { CertificateSigningRequest } from '../../../../src/api/kinds/certificates-v1.ts';
import { certificatesigningrequests } from '../../../../src/api/resources.ts';
import { isNotFound } from '../../../../src/api/status-error.ts';
import { parseTime } from '../../../../src/api/time.ts';
import { rethrowPanic } from '../../controller/sync-error.ts';
import type { ControllerContext } from '../../controller-context.ts';
import { expiryOf } from '../authority/certificate-authority.ts';
import { ACCOUNT } from '../certificate-controller.ts';

const HOUR_MS = 3_600_000;
const POLLING_INTERVAL_MS = HOUR_MS;
const DECIDED_EXPIRATION_MS = HOUR_MS;
const PENDING_EXPIRATION_MS = 24 * HOUR_MS;

/** Deletes requests that nobody needs any more. pkg/controller/certificates/cleaner/cleaner.go CSRCleanerController */
export function startCertificateSigningRequestCleanerController(context: ControllerContext): void {
  const { actor, informers } = context;
  const client = context.clientFor(ACCOUNT).resource(certificatesigningrequests);
  const { store } = informers.forResource(certificatesigningrequests);

  /** cleaner.go worker */
  async function clean(): Promise<void> {
    for (;;) {
      for (const request of store.list()) if (isObsolete(request, actor.simulation.wallTime)) await remove(request.metadata.name ?? '');
      await actor.sleep(POLLING_INTERVAL_MS, 'background');
    }
  }

  async function remove(name: string): Promise<void> {
    try {
      await client.delete({ name });
    } catch (error) {
      if (!isNotFound(error)) rethrowPanic(error);
    }
  }

  context.onceSynced(() => void actor.schedule(0, clean));
}

/** cleaner.go handle */
function isObsolete({ metadata, status }: CertificateSigningRequest, wallTime: number): boolean {
  const conditions = status?.conditions ?? [];
  const age = (time: string | undefined): number => wallTime - (parseTime(time) ?? wallTime);
  if (conditions.length === 0 && age(metadata.creationTimestamp) > PENDING_EXPIRATION_MS) return true;
  const certificate = status?.certificate;
  for (const { type, lastUpdateTime } of conditions) {
    const decided = type === 'Denied' || type === 'Failed' || (type === 'Approved' && certificate);
    if (decided && age(lastUpdateTime) > DECIDED_EXPIRATION_MS) return true;
  }
  const expiry = certificate ? expiryOf(atob(certificate)) : undefined;
  return expiry !== undefined && wallTime > expiry;
}

import type { CertificateSigningRequest } from '../../../src/api/kinds/certificates-v1.ts';
import { keyOf } from '../../../src/api/object.ts';
import { certificatesigningrequests } from '../../../src/api/resources.ts';
import { runWorkers } from '../../../src/client/controller.ts';
import { BucketRateLimiter, ItemExponentialFailureRateLimiter, MaxOfRateLimiter } from '../../../src/client/rate-limiters.ts';
import { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import type { ControllerContext } from '../controller-context.ts';

/** The account of all controllers of certificates. */
export const ACCOUNT = 'certificate-controller';

/** Calls `handle` for each request that has no certificate yet. pkg/controller/certificates/certificate_controller.go CertificateController */
export function runCertificateController(
  context: ControllerContext,
  name: string,
  handle: (request: CertificateSigningRequest) => Promise<void>,
): void {
  const { actor, config, informers } = context;
  const rateLimiter = new MaxOfRateLimiter([
    new ItemExponentialFailureRateLimiter(200, 1_000_000),
    new BucketRateLimiter({ qps: 10, burst: 100, now: () => actor.simulation.now }),
  ]);
  const queue = new RateLimitingQueue({ actor, rateLimiter });
  const enqueue = (request: CertificateSigningRequest): void => queue.add(keyOf(request));
  const informer = informers.forResource(certificatesigningrequests);
  informer.addEventHandler({ onAdd: enqueue, onUpdate: (_, request) => enqueue(request), onDelete: enqueue });
  const reconcile = (key: string): Promise<void> | undefined => {
    const request = informer.store.get(key);
    return request && !request.status?.certificate ? handle(request) : undefined;
  };
  context.onceSynced(() => runWorkers({ actor, name, queue, workers: config.concurrentSyncs, reconcile }));
}

/** pkg/controller/certificates/certificate_controller_utils.go HasTrueCondition */
export function hasTrueCondition({ status }: CertificateSigningRequest, type: string): boolean {
  return (
    status?.conditions?.some((condition) => condition.type === type && (condition.status === '' || condition.status === 'True')) ?? false
  );
}

import type { ValidatingAdmissionPolicy } from '../../../src/api/kinds/admissionregistration-v1.ts';
import { keyOf } from '../../../src/api/object.ts';
import { validatingadmissionpolicies } from '../../../src/api/resources.ts';
import { runWorkers } from '../../../src/client/controller.ts';
import { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import type { ControllerContext } from '../controller-context.ts';
import { checkTypes } from './type-checker.ts';

const NAME = 'validatingadmissionpolicy-status-controller';
const FIELD_MANAGER = 'validatingadmissionpolicy-status';

/** Says of each policy what of its expressions does not fit the kinds that it is for. pkg/controller/validatingadmissionpolicystatus/controller.go Controller */
export function startValidatingAdmissionPolicyStatusController(context: ControllerContext): void {
  const { actor, config, informers } = context;
  const client = context.clientFor(NAME).resource(validatingadmissionpolicies);
  const informer = informers.forResource(validatingadmissionpolicies);
  const queue = new RateLimitingQueue({ actor });
  const enqueue = (policy: ValidatingAdmissionPolicy): void => queue.add(keyOf(policy));
  informer.addEventHandler({ onAdd: enqueue, onUpdate: (_, policy) => enqueue(policy) });

  /** controller.go reconcile */
  async function reconcile(name: string): Promise<void> {
    const policy = informer.store.get(name);
    const { generation = 0 } = policy?.metadata ?? {};
    if (!policy || generation <= (policy.status?.observedGeneration ?? 0)) return;
    const expressionWarnings = checkTypes(policy);
    const apply = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name },
      status: { observedGeneration: generation, typeChecking: expressionWarnings.length > 0 ? { expressionWarnings } : {} },
    };
    await client.patch({ name }, apply, { type: 'apply', subresource: 'status', fieldManager: FIELD_MANAGER, force: true });
  }

  context.onceSynced(() => runWorkers({ actor, name: NAME, queue, workers: config.concurrentSyncs, reconcile }));
}

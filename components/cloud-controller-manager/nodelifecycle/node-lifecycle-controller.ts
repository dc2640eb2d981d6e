import { CloudError } from '../../../src/api/cloud-provider.ts';
import { getCondition } from '../../../src/api/conditions.ts';
import type { Node, ObjectReference, Taint } from '../../../src/api/kinds/core-v1.ts';
import { nodes } from '../../../src/api/resources.ts';
import { ApiStatusError } from '../../../src/api/status-error.ts';
import { matchTaint } from '../../../src/api/taints.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import { ActorUnavailable } from '../../../src/sim/actor-unavailable.ts';
import { type ControllerContext, recorderFor, repeat } from '../controller-context.ts';

const NAME = 'cloud-node-lifecycle-controller';
/** k8s.io/cloud-provider/api TaintNodeShutdown */
const SHUTDOWN: Taint = { key: 'node.cloudprovider.kubernetes.io/shutdown', effect: 'NoSchedule' };

/** Deletes nodes whose machines are gone, and taints those whose machines are off. k8s.io/cloud-provider controllers/nodelifecycle CloudNodeLifecycleController */
export function startCloudNodeLifecycleController(context: ControllerContext): void {
  const controller = new CloudNodeLifecycleController(context);
  const { actor, config } = context;
  context.informers.forResource(nodes);
  context.onceSynced(() => void repeat(actor, config.nodeMonitorPeriodMs, () => controller.monitorNodes()));
}

class CloudNodeLifecycleController {
  readonly #context: ControllerContext;
  readonly #recorder: EventRecorder;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#recorder = recorderFor(context, NAME);
  }

  /** node_lifecycle_controller.go MonitorNodes: what fails is tried again in the next round. */
  async monitorNodes(): Promise<void> {
    for (const node of this.#context.informers.forResource(nodes).store.list()) {
      try {
        await this.#monitor(node);
      } catch (error) {
        const isOfOthers = error instanceof ApiStatusError || error instanceof CloudError || error instanceof ActorUnavailable;
        if (!isOfOthers) throw error;
      }
    }
  }

  /** A Ready node is left alone, whatever the cloud says of it. */
  async #monitor(node: Node): Promise<void> {
    const { instances } = this.#context.config.cloud;
    const isReady = getCondition(node.status?.conditions, 'Ready')?.status === 'True';
    if (isReady)
      await this.#setTaints(
        node,
        (node.spec?.taints ?? []).filter((taint) => !matchTaint(taint, SHUTDOWN)),
      );
    else if (!(await instances.instanceExists(node))) await this.#delete(node);
    else if (await instances.instanceShutdown(node)) await this.#addTaint(node);
  }

  async #delete(node: Node): Promise<void> {
    const { name = '', uid = '' } = node.metadata;
    const reference: ObjectReference = { kind: 'Node', name, uid };
    this.#recorder.event(reference, 'Normal', 'DeletingNode', `Deleting node ${name} because it does not exist in the cloud provider`);
    await this.#context.client.resource(nodes).delete({ name });
  }

  async #addTaint(node: Node): Promise<void> {
    const taints = node.spec?.taints ?? [];
    if (!taints.some((taint) => matchTaint(taint, SHUTDOWN))) await this.#setTaints(node, [...taints, SHUTDOWN]);
  }

  /** k8s.io/cloud-provider node/helpers PatchNodeTaints: the list is replaced as a whole, so that the patch names the version that it was made from. */
  async #setTaints(node: Node, taints: readonly Taint[]): Promise<void> {
    if ((node.spec?.taints ?? []).length === taints.length) return;
    const { name = '', resourceVersion } = node.metadata;
    const patch = { metadata: { resourceVersion }, spec: { taints: taints.length > 0 ? taints : null } };
    await this.#context.client.resource(nodes).patch({ name }, patch, { type: 'strategic' });
  }
}

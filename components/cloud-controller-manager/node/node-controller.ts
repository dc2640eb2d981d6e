import { produce } from 'immer';
import type { InstanceMetadata } from '../../../src/api/cloud-provider.ts';
import type { Node, Taint } from '../../../src/api/kinds/core-v1.ts';
import { nodes } from '../../../src/api/resources.ts';
import { ApiStatusError } from '../../../src/api/status-error.ts';
import { runWorkers } from '../../../src/client/controller.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import { retryOnConflict } from '../../../src/client/retry.ts';
import { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import { type ControllerContext, recorderFor, repeat } from '../controller-context.ts';
import { wantedAddresses } from './node-addresses.ts';
import { patchNodeStatus } from './patch-node-status.ts';

const NAME = 'cloud-node-controller';
/** What a kubelet with `--cloud-provider=external` registers its node with. k8s.io/cloud-provider/api TaintExternalCloudProvider */
const UNINITIALIZED = 'node.cloudprovider.kubernetes.io/uninitialized';
/** k8s.io/cloud-provider controllers/node UpdateNodeSpecBackoff */
const UPDATE_NODE_SPEC_BACKOFF = { steps: 20, durationMs: 50, factor: 1, jitter: 1 };

/** Fills in what only the cloud knows of new nodes, and keeps their addresses. k8s.io/cloud-provider controllers/node/node_controller.go CloudNodeController */
export function startCloudNodeController(context: ControllerContext): void {
  new CloudNodeController(context).start();
}

class CloudNodeController {
  readonly #context: ControllerContext;
  readonly #recorder: EventRecorder;
  readonly #queue: RateLimitingQueue;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#recorder = recorderFor(context, NAME);
    this.#queue = new RateLimitingQueue({ actor: context.actor });
  }

  start(): void {
    const { actor, config, informers, onceSynced } = this.#context;
    const enqueue = (node: Node): void => this.#queue.add(node.metadata.name ?? '');
    informers.forResource(nodes).addEventHandler({ onAdd: enqueue, onUpdate: (_, node) => enqueue(node) });
    const reconcile = (name: string) => this.#syncNode(name);
    onceSynced(() => runWorkers({ actor, name: NAME, queue: this.#queue, workers: config.concurrentNodeSyncs, reconcile }));
    onceSynced(() => void repeat(actor, config.nodeStatusUpdateFrequencyMs, () => this.#updateNodeStatus()));
  }

  /** node_controller.go syncNode */
  async #syncNode(name: string): Promise<void> {
    const { actor, client, config, informers } = this.#context;
    const cached = informers.forResource(nodes).store.get(name);
    if (!cached || !cloudTaintOf(cached)) return;
    const metadata = await config.cloud.instances.instanceMetadata(cached);
    await retryOnConflict({ actor, backoff: UPDATE_NODE_SPEC_BACKOFF }, async () => {
      const current = await client.resource(nodes).get({ name });
      if (!cloudTaintOf(current)) return;
      const updated = await client.resource(nodes).update(initialized(current, metadata));
      await this.#updateNodeAddress(updated, metadata);
      this.#recorder.event(updated, 'Normal', 'Synced', 'Node synced successfully');
    });
  }

  /** node_controller.go UpdateNodeStatus: the addresses of a machine may change. One that the cloud does not answer for is left as it is. */
  async #updateNodeStatus(): Promise<void> {
    const { config, informers } = this.#context;
    for (const node of informers.forResource(nodes).store.list()) {
      if (cloudTaintOf(node)) continue;
      try {
        await this.#updateNodeAddress(node, await config.cloud.instances.instanceMetadata(node));
      } catch (error) {
        if (error instanceof TypeError) throw error;
      }
    }
  }

  /** node_controller.go updateNodeAddress: what fails here is tried again in the next round. */
  async #updateNodeAddress(node: Node, metadata: InstanceMetadata): Promise<void> {
    const addresses = wantedAddresses(node, metadata.nodeAddresses);
    if (!addresses) return;
    try {
      await patchNodeStatus(this.#context.client, node, { ...node.status, addresses });
    } catch (error) {
      if (!(error instanceof ApiStatusError)) throw error;
    }
  }
}

function cloudTaintOf(node: Node): Taint | undefined {
  return node.spec?.taints?.find(({ key }) => key === UNINITIALIZED);
}

/** node_controller.go getNodeModifiersFromCloudProvider: labels, provider ID, and the taint gone; all of it in one update. */
function initialized(node: Node, { providerID, instanceType, zone, region, additionalLabels }: InstanceMetadata): Node {
  const labels = {
    ...(instanceType && { 'beta.kubernetes.io/instance-type': instanceType, 'node.kubernetes.io/instance-type': instanceType }),
    ...(zone && { 'failure-domain.beta.kubernetes.io/zone': zone, 'topology.kubernetes.io/zone': zone }),
    ...(region && { 'failure-domain.beta.kubernetes.io/region': region, 'topology.kubernetes.io/region': region }),
    ...additionalLabels,
  };
  return produce(node, (draft) => {
    draft.metadata.labels = { ...draft.metadata.labels, ...labels };
    draft.spec ??= {};
    draft.spec.providerID ||= providerID;
    draft.spec.taints = draft.spec.taints?.filter(({ key }) => key !== UNINITIALIZED) ?? [];
  });
}

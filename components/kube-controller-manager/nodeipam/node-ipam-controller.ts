import type { Node } from '../../../src/api/kinds/core-v1.ts';
import { keyOf } from '../../../src/api/object.ts';
import { nodes } from '../../../src/api/resources.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import { runWorkers } from '../../../src/client/controller.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import type { Indexer } from '../../../src/client/indexer.ts';
import { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import { messageOf, rethrowPanic, SyncError } from '../controller/sync-error.ts';
import type { ControllerContext } from '../controller-context.ts';
import { type Cidr, CidrSet, formatCidr, parseCidr } from './cidr-set.ts';

const ACCOUNT = 'node-controller';
const WORKERS = 30;
const UPDATE_RETRIES = 3;
/** --node-cidr-mask-size-ipv4 and --node-cidr-mask-size-ipv6 */
const NODE_PREFIX = { 32: 24, 128: 64 } as const;

/** Gives each node its range of pod addresses. pkg/controller/nodeipam/ipam/range_allocator.go rangeAllocator */
class RangeAllocator {
  readonly #client: ResourceClient<Node>;
  readonly #recorder: EventRecorder;
  readonly #nodes: Indexer<Node>;
  readonly #sets: readonly CidrSet[];
  readonly #queue: RateLimitingQueue;

  constructor(context: ControllerContext, clusterCidrs: readonly Cidr[]) {
    const { actor, informers } = context;
    const informer = informers.forResource(nodes);
    this.#client = context.clientFor(ACCOUNT).resource(nodes);
    this.#recorder = context.recorderFor('cidrAllocator', ACCOUNT);
    this.#nodes = informer.store;
    this.#sets = clusterCidrs.map((range) => new CidrSet(range, NODE_PREFIX[range.bits]));
    this.#queue = new RateLimitingQueue({ actor });
    const onNode = (node: Node): void => {
      if (node.spec?.podCIDRs?.length) this.#occupy(node);
      else this.#queue.add(keyOf(node));
    };
    informer.addEventHandler({
      onAdd: onNode,
      onUpdate: (before, node) => {
        if (!node.spec?.podCIDRs?.length || !before.spec?.podCIDRs?.length) onNode(node);
      },
      onDelete: (node) => this.#release(node.spec?.podCIDRs),
    });
    const reconcile = (name: string): Promise<void> => this.#syncNode(name);
    context.onceSynced(() => runWorkers({ actor, name: 'node-ipam-controller', queue: this.#queue, workers: WORKERS, reconcile }));
  }

  #occupy(node: Node): void {
    for (const [index, text] of (node.spec?.podCIDRs ?? []).entries()) {
      const range = parseCidr(text);
      if (range) this.#sets[index]?.occupy(range);
    }
  }

  #release(podCidrs: readonly string[] = []): void {
    for (const [index, text] of podCidrs.entries()) {
      const range = parseCidr(text);
      if (range) this.#sets[index]?.release(range);
    }
  }

  /** range_allocator.go AllocateOrOccupyCIDR */
  async #syncNode(name: string): Promise<void> {
    const node = this.#nodes.get(name);
    if (!node || node.metadata.deletionTimestamp) return;
    if (node.spec?.podCIDRs?.length) {
      this.#occupy(node);
      return;
    }
    const podCidrs: string[] = [];
    for (const set of this.#sets) {
      const range = set.allocateNext();
      if (!range) {
        this.#release(podCidrs);
        this.#recordStatusChange(node, 'CIDRNotAvailable');
        throw new SyncError('CIDR allocation failed; there are no remaining CIDRs left to allocate in the accepted range');
      }
      podCidrs.push(formatCidr(range));
    }
    await this.#updateCidrsAllocation(node, podCidrs);
  }

  async #updateCidrsAllocation(node: Node, podCidrs: readonly string[]): Promise<void> {
    const { name = '' } = node.metadata;
    const { trace } = this.#client.actor.simulation;
    let failure: unknown;
    for (let tries = 0; tries < UPDATE_RETRIES; tries++) {
      try {
        await this.#client.patch({ name }, { spec: { podCIDR: podCidrs[0], podCIDRs: podCidrs } }, { type: 'strategic' });
        const object = { group: '', resource: 'nodes', kind: 'Node', name };
        trace.record({
          kind: 'decision',
          component: 'node-ipam-controller',
          object,
          message: `node ${name} gets the pod range ${podCidrs.join(', ')}`,
        });
        return;
      } catch (error) {
        rethrowPanic(error);
        failure = error;
      }
    }
    this.#recordStatusChange(node, 'CIDRAssignmentFailed');
    this.#release(podCidrs);
    throw new SyncError(`failed to update node ${name}: ${messageOf(failure)}`, { cause: failure });
  }

  /** pkg/controller/util/node RecordNodeStatusChange */
  #recordStatusChange({ metadata: { name = '', uid = '' } }: Node, status: string): void {
    this.#recorder.event({ apiVersion: 'v1', kind: 'Node', name, uid }, 'Normal', status, `Node ${name} status is now: ${status}`);
  }
}

/** Does nothing unless the process is told to allocate node ranges. cmd/kube-controller-manager/app/core.go startNodeIpamController */
export function startNodeIpamController(context: ControllerContext): void {
  const { allocateNodeCIDRs, clusterCIDR } = context.config;
  const ranges = clusterCIDR.split(',').flatMap((text) => parseCidr(text.trim()) ?? []);
  if (allocateNodeCIDRs && ranges.length > 0) new RangeAllocator(context, ranges);
}

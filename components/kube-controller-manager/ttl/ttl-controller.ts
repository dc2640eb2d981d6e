import type { Node } from '../../../src/api/kinds/core-v1.ts';
import { keyOf } from '../../../src/api/object.ts';
import { nodes } from '../../../src/api/resources.ts';
import { runWorkers } from '../../../src/client/controller.ts';
import { RateLimitingQueue } from '../../../src/client/workqueue.ts';
import type { ControllerContext } from '../controller-context.ts';

const ANNOTATION = 'node.alpha.kubernetes.io/ttl';

/** For how long kubelets may keep what they have read, by the size of the cluster; the ranges overlap, so that the value does not swing. ttlBoundaries */
const BOUNDARIES: readonly { readonly min: number; readonly max: number; readonly seconds: number }[] = [
  { min: 0, max: 100, seconds: 0 },
  { min: 90, max: 500, seconds: 15 },
  { min: 450, max: 1_000, seconds: 30 },
  { min: 900, max: 2_000, seconds: 60 },
  { min: 1_800, max: Number.POSITIVE_INFINITY, seconds: 300 },
];

/** Says on each node how long its kubelet may cache Secrets and ConfigMaps. pkg/controller/ttl/ttl_controller.go Controller */
export function startTTLController(context: ControllerContext): void {
  const { actor, config, informers } = context;
  const client = context.clientFor('ttl-controller').resource(nodes);
  const { store } = informers.forResource(nodes);
  const queue = new RateLimitingQueue({ actor });
  let step = 0;
  let count = 0;
  const wanted = (): string => String(BOUNDARIES[step]?.seconds ?? 0);
  const enqueue = (node: Node): void => {
    if (node.metadata.annotations?.[ANNOTATION] !== wanted()) queue.add(keyOf(node));
  };
  informers.forResource(nodes).addEventHandler({
    onAdd: (node) => {
      count++;
      if (count > (BOUNDARIES[step]?.max ?? 0)) step++;
      enqueue(node);
    },
    onUpdate: (_, node) => enqueue(node),
    // The rest is told of the new value as its nodes change, as upstream does.
    onDelete: () => {
      count--;
      if (count < (BOUNDARIES[step]?.min ?? 0)) step--;
    },
  });

  /** ttl_controller.go updateNodeIfNeeded */
  async function updateNodeIfNeeded(name: string): Promise<void> {
    const node = store.get(name);
    if (!node || node.metadata.annotations?.[ANNOTATION] === wanted()) return;
    await client.patch({ name }, { metadata: { annotations: { [ANNOTATION]: wanted() } } }, { type: 'strategic' });
  }

  const options = { actor, name: 'ttl-controller', queue, workers: config.concurrentSyncs, reconcile: updateNodeIfNeeded };
  context.onceSynced(() => runWorkers(options));
}

import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import type { CycleState } from '../framework/cycle-state.ts';
import { type Handle, MAX_NODE_SCORE, type Plugin } from '../framework/interface.ts';
import type { NodeInfo } from '../framework/node-info.ts';

const MB = 1024 * 1024;
/** Images that are smaller do not matter. */
const MIN_THRESHOLD = 23 * MB;
const MAX_CONTAINER_THRESHOLD = 1000 * MB;

/** Favours nodes that have the images already: pkg/scheduler/framework/plugins/imagelocality ImageLocality. */
export class ImageLocality implements Plugin {
  readonly name = 'ImageLocality';
  readonly #handle: Pick<Handle, 'snapshot'>;

  constructor(handle: Pick<Handle, 'snapshot'>) {
    this.#handle = handle;
  }

  score(_state: CycleState, pod: Pod, nodeInfo: NodeInfo): number {
    if (nodeInfo.imageStates.size === 0) return 0;
    const images = imagesOf(pod);
    const allNodes = this.#handle.snapshot.list.length;
    let sum = 0;
    for (const image of images) {
      const state = nodeInfo.imageStates.get(image);
      // An image that few nodes have must not draw all pods to these.
      if (state) sum += Math.trunc(state.size * (state.nodes.size / allNodes));
    }
    return calculatePriority(sum, images.length);
  }

  /** A score changes with the images of all nodes, and with their number. */
  scoreKey(pod: Pod): string {
    const { imagesVersion, list } = this.#handle.snapshot;
    return `${imagesVersion} ${list.length} ${imagesOf(pod).join(' ')}`;
  }
}

/** Names as nodes report them. */
function imagesOf(pod: Pod): readonly string[] {
  return [...(pod.spec?.initContainers ?? []), ...(pod.spec?.containers ?? [])].map(({ image = '' }) => normalizedImageName(image));
}

function calculatePriority(sum: number, containers: number): number {
  const max = MAX_CONTAINER_THRESHOLD * containers;
  const clamped = Math.min(Math.max(sum, MIN_THRESHOLD), max);
  return Math.trunc((MAX_NODE_SCORE * (clamped - MIN_THRESHOLD)) / (max - MIN_THRESHOLD));
}

function normalizedImageName(name: string): string {
  return name.lastIndexOf(':') <= name.lastIndexOf('/') ? `${name}:latest` : name;
}

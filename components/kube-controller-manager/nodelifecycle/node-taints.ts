import { deepEqual } from '../../../src/api/deep-equal.ts';
import type { Node, Taint } from '../../../src/api/kinds/core-v1.ts';
import { matchTaint } from '../../../src/api/taints.ts';
import { formatTime } from '../../../src/api/time.ts';
import type { ResourceClient } from '../../../src/client/client.ts';
import { retryOnConflict } from '../../../src/client/retry.ts';

/** pkg/controller/controller_utils.go UpdateTaintBackoff */
const BACKOFF = { steps: 5, durationMs: 100, factor: 1, jitter: 1 };

/** A taint by its key and effect. */
export type TaintKey = Pick<Taint, 'key' | 'effect'>;

/** pkg/util/taints TaintExists */
export function taintExists(taints: readonly Taint[] | undefined, taint: TaintKey): boolean {
  return (taints ?? []).some((other) => matchTaint(other, taint));
}

/**
 * Puts taints on a node and takes others off, each in a patch of its own and only where something changes.
 * pkg/controller/util/node/controller_utils.go SwapNodeControllerTaint
 */
export async function swapNodeControllerTaint(
  client: ResourceClient<Node>,
  node: Node,
  { add, remove }: { add: readonly TaintKey[]; remove: readonly TaintKey[] },
): Promise<void> {
  const timeAdded = formatTime(client.actor.simulation.wallTime);
  const name = node.metadata.name ?? '';
  if (add.length > 0) {
    await addOrUpdateTaintOnNode(
      client,
      name,
      add.map((taint) => ({ ...taint, timeAdded })),
    );
  }
  await removeTaintOffNode(client, node, remove);
}

/** pkg/controller/controller_utils.go AddOrUpdateTaintOnNode */
function addOrUpdateTaintOnNode(client: ResourceClient<Node>, name: string, taints: readonly Taint[]): Promise<void> {
  return patchTaints(client, name, (before) => {
    let after = [...before];
    for (const taint of taints) {
      const index = after.findIndex((other) => matchTaint(other, taint));
      after = index < 0 ? [...after, taint] : after.with(index, taint);
    }
    return after;
  });
}

/** Takes taints off; asks nobody when the node as given has none of them. pkg/controller/controller_utils.go RemoveTaintOffNode */
export async function removeTaintOffNode(client: ResourceClient<Node>, node: Node, taints: readonly TaintKey[]): Promise<void> {
  if (!taints.some((taint) => taintExists(node.spec?.taints, taint))) return;
  const keep = (other: Taint): boolean => !taints.some((taint) => matchTaint(other, taint));
  await patchTaints(client, node.metadata.name ?? '', (before) => before.filter(keep));
}

/**
 * Reads the node (from the server's cache the first time), and writes its taints if `change` changes them. The list is replaced as a whole, so the patch names the
 * version that it was made from, and is made again when another has written in between. pkg/controller/controller_utils.go PatchNodeTaints
 */
async function patchTaints(client: ResourceClient<Node>, name: string, change: (before: readonly Taint[]) => Taint[]): Promise<void> {
  let firstTry = true;
  await retryOnConflict({ actor: client.actor, backoff: BACKOFF }, async () => {
    const node = await client.get({ name }, firstTry ? { resourceVersion: '0' } : {});
    firstTry = false;
    const before = node.spec?.taints ?? [];
    const after = change(before);
    if (deepEqual(before, after)) return;
    const { resourceVersion } = node.metadata;
    await client.patch(
      { name },
      { metadata: { resourceVersion }, spec: { taints: after.length > 0 ? after : null } },
      { type: 'strategic' },
    );
  });
}

import type { Node, NodeStatus } from '../../../src/api/kinds/core-v1.ts';
import { nodes } from '../../../src/api/resources.ts';
import { schemaOf } from '../../../src/api/schema.ts';
import { createTwoWayMergePatch } from '../../../src/api/two-way-merge-patch.ts';
import type { Client } from '../../../src/client/client.ts';

/** Writes what differs in the status. k8s.io/cloud-provider node/helpers PatchNodeStatus */
export async function patchNodeStatus(client: Client, node: Node, status: NodeStatus): Promise<void> {
  const patch = createTwoWayMergePatch({ status: node.status ?? {} }, { status }, schemaOf('core.v1.Node'));
  if (patch) await client.resource(nodes).patch({ name: node.metadata.name ?? '' }, patch, { type: 'strategic', subresource: 'status' });
}

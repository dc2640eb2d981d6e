import { expect, test } from 'vitest';
import type { Node, Taint } from '../../../src/api/kinds/core-v1.ts';
import { nodes } from '../../../src/api/resources.ts';
import { createCluster } from '../../../src/cluster/cluster.ts';
import { removeTaintOffNode } from './node-taints.ts';

const GOING: Taint = { key: 'going', effect: 'NoSchedule' };
const NEW: Taint = { key: 'new', effect: 'NoSchedule' };

test('a taint that somebody puts on while another is taken off is not lost', async () => {
  const cluster = await createCluster({ nodes: 0, components: [] });
  const made: Node = { metadata: { name: 'n1' }, spec: { taints: [GOING] } };
  const versions: (string | undefined)[] = [];
  await cluster.call(async (client) => {
    const resource = client.resource(nodes);
    const node = await resource.create(made);
    const { patch } = resource;
    let others = 1;
    resource.patch = async (at, change, options) => {
      versions.push((change as Node).metadata.resourceVersion);
      // Just before the first patch arrives somebody else writes.
      if (others-- > 0) {
        const current = await resource.get(at);
        await resource.update({ ...current, spec: { ...current.spec, taints: [...(current.spec?.taints ?? []), NEW] } });
      }
      return patch.call(resource, at, change, options);
    };
    await removeTaintOffNode(resource, node, [GOING]);
  });
  const { spec } = await cluster.call((client) => client.resource(nodes).get({ name: 'n1' }));
  expect(spec?.taints?.map(({ key }) => key)).toEqual(['node.kubernetes.io/not-ready', 'new']);
  expect(new Set(versions).size).toBe(2);
});

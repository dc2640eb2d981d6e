// Goal: a hostPort leads to its pod, from any node, for as long as the pod runs. Method: visits to the address of a node.
import { expect, it } from 'vitest';
import { createCluster } from '../src/cluster/cluster.ts';

const pod = `apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  nodeName: n1
  containers: [{ name: main, image: 'nginx:1.27', ports: [{ containerPort: 80, hostPort: 8080 }] }]
`;

it('leads to the pod and no further', async () => {
  const cluster = await createCluster({ nodes: [{ name: 'n1', ip: '192.168.100.11', podCIDR: '10.9.1.0/24' }, { name: 'n2' }] });
  const visit = async (node: string, port: number) => {
    const { outcome, address } = await cluster.visit({ node, namespace: 'default', host: '192.168.100.11', port, path: '/' });
    return address && outcome === 'answered' ? address : outcome;
  };
  expect(await visit('n2', 8080)).toBe('refused');
  await cluster.kubectl(['apply', '-f', 'a.yaml'], { 'a.yaml': pod });
  await cluster.settle();
  expect([await visit('n2', 8080), await visit('n1', 8080)]).toEqual(['10.9.1.2:80', '10.9.1.2:80']);
  expect(await visit('n2', 8081)).toBe('refused');
  await cluster.kubectl(['delete', 'pod', 'web']);
  await cluster.settle();
  expect(await visit('n2', 8080)).toBe('refused');
});

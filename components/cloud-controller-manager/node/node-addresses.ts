import type { Node, NodeAddress } from '../../../src/api/kinds/core-v1.ts';

/** The address that the kubelet was given by `--node-ip`. k8s.io/cloud-provider/api AnnotationAlphaProvidedIPAddr */
const PROVIDED_NODE_IP = 'alpha.kubernetes.io/provided-node-ip';

/**
 * The addresses that a node is to have: those of the cloud, its own Hostname kept, the one that its kubelet was told first of its type.
 * @returns undefined when they are as they should be, or cannot be: the cloud has none, or not the kubelet's. node_controller.go updateNodeAddress
 */
export function wantedAddresses(node: Node, ofCloud: readonly NodeAddress[]): NodeAddress[] | undefined {
  if (ofCloud.length === 0) return undefined;
  const before = node.status?.addresses ?? [];
  const hostname = before.find(({ type }) => type === 'Hostname');
  const all = hostname && !ofCloud.some(({ type }) => type === 'Hostname') ? [...ofCloud, hostname] : [...ofCloud];
  const nodeIp = node.metadata.annotations?.[PROVIDED_NODE_IP];
  const wanted = nodeIp === undefined ? all : preferNodeIp(all, nodeIp);
  return wanted && isChanged(before, wanted) ? wanted : undefined;
}

/** k8s.io/cloud-provider node/helpers PreferNodeIP: the others of the type that has this address are dropped, and it comes first. */
function preferNodeIp(addresses: readonly NodeAddress[], nodeIp: string): NodeAddress[] | undefined {
  const matching = addresses.filter(({ address }) => address === nodeIp);
  if (matching.length === 0) return undefined;
  const types = new Set(matching.map(({ type }) => type));
  return [...matching, ...addresses.filter(({ type }) => !types.has(type))];
}

/** node_controller.go nodeAddressesChangeDetected: order does not count. */
function isChanged(before: readonly NodeAddress[], wanted: readonly NodeAddress[]): boolean {
  return (
    before.length !== wanted.length ||
    wanted.some(({ type, address }) => !before.some((old) => old.type === type && old.address === address))
  );
}

import type { Cluster } from './cluster.ts';

/** Something that goes wrong with a machine, or with what all machines need, and not with one of its processes. */
export type NodeFault =
  /** The machine is switched off as one should: its kubelet ends the pods first, for as long as its configuration says (by default it does not wait). */
  | { readonly fault: 'shutdown-node'; readonly node: string }
  /** A GPU of the node (0 is the first) breaks, or works again. */
  | { readonly fault: 'break-gpu'; readonly node: string; readonly gpu: number }
  | { readonly fault: 'mend-gpu'; readonly node: string; readonly gpu: number }
  /** The node loses its CNI configuration, or has it back. */
  | { readonly fault: 'remove-cni-config'; readonly node: string }
  | { readonly fault: 'restore-cni-config'; readonly node: string }
  /** Something that is no pod takes this share of the node's disk, or of its process ids, in percent. 0 puts it right. */
  | { readonly fault: 'fill-disk'; readonly node: string; readonly percent: number }
  | { readonly fault: 'fill-pids'; readonly node: string; readonly percent: number }
  /** The clock of the node is ahead by this much, or behind (negative). 0 puts it right. */
  | { readonly fault: 'skew-clock'; readonly node: string; readonly ms: number }
  /** Pulls from a registry (`docker.io`; `*`: from any) fail, or succeed again. */
  | { readonly fault: 'registry-down'; readonly registry: string }
  | { readonly fault: 'registry-up'; readonly registry: string };

export const NODE_FAULTS = [
  'shutdown-node',
  'break-gpu',
  'mend-gpu',
  'remove-cni-config',
  'restore-cni-config',
  'fill-disk',
  'fill-pids',
  'skew-clock',
  'registry-down',
  'registry-up',
] as const;

export function isNodeFault(fault: { readonly fault: string }): fault is NodeFault {
  return (NODE_FAULTS as readonly string[]).includes(fault.fault);
}

/** One sentence for the trace. */
export function describeNodeFault(fault: NodeFault): string {
  switch (fault.fault) {
    case 'shutdown-node':
      return `node ${fault.node} is shut down`;
    case 'break-gpu':
      return `GPU ${fault.gpu} of node ${fault.node} breaks`;
    case 'mend-gpu':
      return `GPU ${fault.gpu} of node ${fault.node} works again`;
    case 'remove-cni-config':
      return `node ${fault.node} loses its CNI configuration`;
    case 'restore-cni-config':
      return `node ${fault.node} has its CNI configuration back`;
    case 'fill-disk':
      return `something takes ${fault.percent} % of the disk of node ${fault.node}`;
    case 'fill-pids':
      return `something takes ${fault.percent} % of the process ids of node ${fault.node}`;
    case 'skew-clock':
      return fault.ms
        ? `the clock of node ${fault.node} is ${Math.abs(fault.ms)} ms ${fault.ms > 0 ? 'ahead' : 'behind'}`
        : `the clock of node ${fault.node} is right again`;
    case 'registry-down':
      return `${registryName(fault.registry)} not answer any more`;
    case 'registry-up':
      return `${fault.registry === '*' ? 'registries' : fault.registry} can be reached again`;
  }
}

const registryName = (registry: string): string => (registry === '*' ? 'registries do' : `registry ${registry} does`);

/** Whether the cluster has what the fault names; else what is wrong with it, in words for a person. */
export function checkNodeFault(cluster: Cluster, fault: NodeFault): string | undefined {
  if ('registry' in fault) return undefined;
  const machine = cluster.machines.get(fault.node);
  if (!machine) return `there is no node "${fault.node}" with a kubelet`;
  const gpus = machine.gpus.ids.length;
  if ('gpu' in fault && machine.gpus.ids[fault.gpu] === undefined) return `node "${fault.node}" has no GPU ${fault.gpu}; it has ${gpus}`;
  if ('percent' in fault && !(fault.percent >= 0 && fault.percent <= 100)) return `${fault.percent} is no percentage`;
  return undefined;
}

/** Does it, now. `stop` switches the machine off. */
export function applyNodeFault(cluster: Cluster, fault: NodeFault, stop: () => void): void {
  if ('registry' in fault) {
    cluster.registries.setDown(fault.registry, fault.fault === 'registry-down');
    return;
  }
  const machine = cluster.machines.get(fault.node);
  switch (fault.fault) {
    case 'shutdown-node':
      machine?.shutdown(stop);
      break;
    case 'break-gpu':
    case 'mend-gpu':
      machine?.setGpuHealth(fault.gpu, fault.fault === 'mend-gpu');
      break;
    case 'remove-cni-config':
      machine?.containerd.removeNetworkConfiguration();
      break;
    case 'restore-cni-config':
      machine?.containerd.configureNetwork();
      break;
    case 'fill-disk':
      if (machine) machine.containerd.load.foreignDisk = fault.percent / 100;
      break;
    case 'fill-pids':
      if (machine) machine.containerd.load.foreignPids = fault.percent / 100;
      break;
    case 'skew-clock':
      for (const [name, actor] of cluster.simulation.actors) if (name.endsWith(`/${fault.node}`)) actor.clockSkewMs = fault.ms;
  }
}

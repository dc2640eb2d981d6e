import type { Container, Pod, ResourceRequirements } from '../../../src/api/kinds/core-v1.ts';

interface ContainerAllocation {
  readonly name: string;
  readonly resources: ResourceRequirements;
}

/** pkg/kubelet/allocation podResizeCompletedMsg: what the containers of a pod have got, as Go writes JSON. */
export function podResizeCompletedMessage({ spec }: Pod): string {
  const { initContainers = [], containers = [] } = spec ?? {};
  const summary = {
    ...(initContainers.length > 0 ? { initContainers: initContainers.map(allocationOf) } : {}),
    containers: containers.map(allocationOf),
  };
  return `Pod resize completed: ${JSON.stringify(summary)}`;
}

/** Limits before requests, names sorted. */
function allocationOf({ name, resources: { limits, requests } = {} }: Container): ContainerAllocation {
  const sorted = (list: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(list).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { name, resources: { ...(limits ? { limits: sorted(limits) } : {}), ...(requests ? { requests: sorted(requests) } : {}) } };
}

import type { ContainerStatus, Pod, PodStatus } from '../../../src/api/kinds/core-v1.ts';

/** pkg/kubelet/container MaxPodTerminationMessageLogLength: bytes that the termination messages of a pod have together */
const MAX_POD_TERMINATION_MESSAGE = 12 * 1024;

const LISTS = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const;

/** pkg/kubelet/status normalizeStatus: each container's message gets its share of what the pod may have. Gives the same object when nothing is too long. */
export function normalizeStatus({ spec }: Pod, status: PodStatus): PodStatus {
  const { containers = [], initContainers = [], ephemeralContainers = [] } = spec ?? {};
  const share = Math.floor(
    MAX_POD_TERMINATION_MESSAGE / Math.max(1, containers.length + initContainers.length + ephemeralContainers.length),
  );
  let normal = status;
  for (const list of LISTS) {
    if (status[list]?.some((container) => isTooLong(container, share)))
      normal = { ...normal, [list]: status[list].map((container) => shortened(container, share)) };
  }
  return normal;
}

function isTooLong({ state, lastState }: ContainerStatus, share: number): boolean {
  return [state, lastState].some((one) => (one?.terminated?.message?.length ?? 0) > share);
}

function shortened(status: ContainerStatus, share: number): ContainerStatus {
  if (!isTooLong(status, share)) return status;
  const cut = (state: ContainerStatus['state']): ContainerStatus['state'] =>
    state?.terminated?.message ? { terminated: { ...state.terminated, message: state.terminated.message.slice(0, share) } } : state;
  const [state, lastState] = [cut(status.state), cut(status.lastState)];
  return { ...status, ...(state ? { state } : {}), ...(lastState ? { lastState } : {}) };
}

import type { Pod } from '../../api/kinds/core-v1.ts';

type ContainerStatuses = NonNullable<NonNullable<Pod['status']>['containerStatuses']>;

/** The STATUS column of `kubectl get pods`: kubernetes pkg/printers/internalversion printPod. */
export function podStatus(pod: Pod): string {
  const { status } = pod;
  let text = status?.reason || status?.phase || 'Pending';
  const init = initStatus(pod);
  if (init) text = init;
  else text = containerReason(status?.containerStatuses ?? []) ?? text;
  if (pod.metadata.deletionTimestamp) return status?.reason === 'NodeLost' ? 'Unknown' : 'Terminating';
  const readyCondition = status?.conditions?.find((condition) => condition.type === 'Ready')?.status === 'True';
  if (text === 'Completed' && status?.containerStatuses?.some((container) => container.state?.running && container.ready))
    return readyCondition ? 'Running' : 'NotReady';
  return text;
}

function initStatus({ spec, status }: Pod): string | undefined {
  const inits = status?.initContainerStatuses ?? [];
  const sidecars = new Set(
    spec?.initContainers?.filter((container) => container.restartPolicy === 'Always').map((container) => container.name),
  );
  for (const [index, { name, state, started }] of inits.entries()) {
    if (state?.terminated?.exitCode === 0 || (sidecars.has(name) && started)) continue;
    if (state?.terminated) return `Init:${state.terminated.reason || `ExitCode:${state.terminated.exitCode}`}`;
    if (state?.waiting?.reason && state.waiting.reason !== 'PodInitializing') return `Init:${state.waiting.reason}`;
    return `Init:${index}/${spec?.initContainers?.length ?? inits.length}`;
  }
  return undefined;
}

/** The reason of the first container that has one, as the last one looked at wins in printPod. */
function containerReason(statuses: ContainerStatuses): string | undefined {
  for (const { state } of statuses) {
    if (state?.waiting?.reason) return state.waiting.reason;
    const { terminated } = state ?? {};
    if (terminated) return terminated.reason || (terminated.signal ? `Signal:${terminated.signal}` : `ExitCode:${terminated.exitCode}`);
  }
  return undefined;
}

export function isPodReady(pod: Pod): boolean {
  return pod.status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True') ?? false;
}

export function podRestarts(pod: Pod): number {
  return (pod.status?.containerStatuses ?? []).reduce((sum, container) => sum + (container.restartCount ?? 0), 0);
}

/** Counts as one of its owner's pods: not finished and not being deleted. kubernetes pkg/controller IsPodActive */
export function isPodActive(pod: Pod): boolean {
  return pod.status?.phase !== 'Succeeded' && pod.status?.phase !== 'Failed' && !pod.metadata.deletionTimestamp;
}

import type { ContainerRuntimeStatus, PodRuntimeState } from '../../src/api/cri.ts';
import type {
  Container,
  ContainerState,
  ContainerStatus,
  Pod,
  PodStatus,
  ResourceRequirements,
  VolumeMountStatus,
} from '../../src/api/kinds/core-v1.ts';
import { formatTime } from '../../src/api/time.ts';
import { type ContainerKind, restartCountOf, shouldContainerBeRestarted } from './container/runtime.ts';
import type { StartFailure } from './kuberuntime/reason-cache.ts';

export interface ConvertParts {
  /** What the runtime was told of a container's resources. */
  readonly actuated: (uid: string, container: string) => ResourceRequirements | undefined;
  readonly startFailure: (uid: string, container: string) => StartFailure | undefined;
}

interface Converting {
  readonly pod: Pod;
  readonly state: PodRuntimeState;
  readonly oldStatus: PodStatus;
}

/** pkg/kubelet/kubelet_pods.go convertToAPIContainerStatuses, for the three kinds of containers. */
export function convertContainerStatuses(
  parts: ConvertParts,
  request: Converting,
): Pick<PodStatus, 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses'> {
  const { spec } = request.pod;
  const hasInit = (spec?.initContainers?.length ?? 0) > 0;
  const convert = (containers: readonly Container[], kind: ContainerKind, old: readonly ContainerStatus[] | undefined): ContainerStatus[] =>
    containers.map((container) =>
      convertOne(parts, request, { container, kind, hasInit, old: old?.find(({ name }) => name === container.name) }),
    );
  const { oldStatus } = request;
  const regular = convert(spec?.containers ?? [], 'regular', oldStatus.containerStatuses);
  if (regular.length > 1) regular.sort(byName);
  const ephemeral = spec?.ephemeralContainers?.length
    ? convert(spec.ephemeralContainers as Container[], 'ephemeral', oldStatus.ephemeralContainerStatuses).sort(byName)
    : undefined;
  return {
    ...(hasInit ? { initContainerStatuses: convert(spec?.initContainers ?? [], 'init', oldStatus.initContainerStatuses) } : {}),
    containerStatuses: regular,
    ...(ephemeral ? { ephemeralContainerStatuses: ephemeral } : {}),
  };
}

const byName = (a: ContainerStatus, b: ContainerStatus): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

interface One {
  readonly container: Container;
  readonly kind: ContainerKind;
  readonly hasInit: boolean;
  readonly old: ContainerStatus | undefined;
}

function convertOne(parts: ConvertParts, { pod, state }: Converting, one: One): ContainerStatus {
  const { container } = one;
  const instances = state.containers.filter(({ name }) => name === container.name);
  const [newest, previous] = instances;
  const status = newest
    ? convertInstance(newest, previous, { ...one, actuated: parts.actuated(pod.metadata.uid ?? '', container.name) })
    : withoutInstance(pod, one);
  const failure = parts.startFailure(pod.metadata.uid ?? '', container.name);
  if (!failure || !isRestartDue(pod, state, one)) return status;
  return waitingFor(status, failure);
}

/** Whether the container is to be started (again), so that the last failure to do so is worth showing. */
function isRestartDue(pod: Pod, state: PodRuntimeState, { container, kind }: One): boolean {
  if (kind !== 'init') return shouldContainerBeRestarted(container, pod, state);
  const newest = state.containers.find(({ name }) => name === container.name);
  if (container.restartPolicy === 'Always') return newest?.state !== 'CONTAINER_RUNNING' && !pod.metadata.deletionTimestamp;
  if (newest?.state === 'CONTAINER_EXITED' && newest.exitCode === 0) return false;
  return shouldContainerBeRestarted(container, pod, state);
}

function waitingFor(status: ContainerStatus, failure: StartFailure): ContainerStatus {
  const waiting = { waiting: { reason: failure.reason, ...(failure.message ? { message: failure.message } : {}) } };
  return { ...status, state: waiting, ...(status.state?.terminated ? { lastState: status.state } : {}) };
}

/** The container never had an instance, or it vanished. */
function withoutInstance(pod: Pod, { container, kind, hasInit, old }: One): ContainerStatus {
  const common = { name: container.name, image: container.image ?? '', imageID: '', ready: false, ...volumeMountsOf(container) };
  const waiting: ContainerState = { waiting: { reason: hasInit ? 'PodInitializing' : 'ContainerCreating' } };
  const started = kind === 'ephemeral' ? {} : { started: false };
  if (!old) return { ...common, state: waiting, lastState: {}, restartCount: 0, ...started };
  if (old.state?.terminated) return { ...old, ...started, ready: kind === 'init' ? old.ready : false };
  if (!old.state?.running) return { ...common, state: waiting, lastState: old.lastState ?? {}, restartCount: old.restartCount, ...started };
  const terminated = {
    reason: 'ContainerStatusUnknown',
    message: 'The container could not be located when the pod was deleted.  The container used to be Running',
    exitCode: 137,
    startedAt: '1970-01-01T00:00:00Z',
    finishedAt: '1970-01-01T00:00:00Z',
  };
  const restartCount = old.restartCount + (pod.metadata.deletionTimestamp ? 0 : 1);
  return { ...common, state: waiting, lastState: { terminated }, restartCount, ...started };
}

function convertInstance(
  newest: ContainerRuntimeStatus,
  previous: ContainerRuntimeStatus | undefined,
  { container, kind, old, actuated }: One & { readonly actuated: ResourceRequirements | undefined },
): ContainerStatus {
  const state = stateOf(newest);
  const last = previous ? stateOf(previous) : undefined;
  const requests = container.resources?.requests;
  return {
    name: container.name,
    state,
    lastState: last?.terminated ? last : lastStateKept(newest, old),
    ready: false,
    restartCount: restartCountOf(newest),
    image: newest.image,
    imageID: newest.imageRef,
    containerID: `containerd://${newest.id}`,
    ...(kind === 'ephemeral' ? {} : { started: false }),
    ...(requests && Object.keys(requests).length > 0 ? { allocatedResources: requests } : {}),
    resources: actuated ?? container.resources ?? {},
    ...volumeMountsOf(container),
  };
}

/** The last state of a container whose former instances were removed from the runtime is not made up again. */
function lastStateKept(newest: ContainerRuntimeStatus, old: ContainerStatus | undefined): ContainerState {
  return newest.state === 'CONTAINER_RUNNING' && old?.containerID === `containerd://${newest.id}` ? (old.lastState ?? {}) : {};
}

const apiStates = new WeakMap<ContainerRuntimeStatus, ContainerState>();

/** A container's state as the API shows it. */
export function stateOf(status: ContainerRuntimeStatus): ContainerState {
  const known = apiStates.get(status);
  if (known) return known;
  const state = makeState(status);
  apiStates.set(status, state);
  return state;
}

function makeState(status: ContainerRuntimeStatus): ContainerState {
  if (status.state === 'CONTAINER_RUNNING') return { running: { startedAt: formatTime(status.startedAt) } };
  if (status.state !== 'CONTAINER_EXITED') return { waiting: {} };
  return {
    terminated: {
      exitCode: status.exitCode,
      reason: status.reason,
      ...(status.message ? { message: status.message } : {}),
      startedAt: formatTime(status.startedAt),
      finishedAt: formatTime(status.finishedAt),
      containerID: `containerd://${status.id}`,
    },
  };
}

const volumeMounts = new WeakMap<Container, { volumeMounts?: VolumeMountStatus[] }>();

function volumeMountsOf(container: Container): { volumeMounts?: VolumeMountStatus[] } {
  if (!container.volumeMounts?.length) return {};
  const known = volumeMounts.get(container);
  if (known) return known;
  const made = {
    volumeMounts: container.volumeMounts.map(({ name, mountPath, readOnly }) => ({
      name,
      mountPath,
      ...(readOnly ? { readOnly: true, recursiveReadOnly: 'Disabled' } : {}),
    })),
  };
  volumeMounts.set(container, made);
  return made;
}

import {
  type ContainerConfig,
  type ContainerRuntimeStatus,
  type LinuxContainerResources,
  type PodRuntimeState,
  RuntimeError,
} from '../../../src/api/cri.ts';
import type { Container, EphemeralContainer, Pod } from '../../../src/api/kinds/core-v1.ts';
import { parseQuantity } from '../../../src/api/quantity.ts';
import { MINIMUM_GRACE_PERIOD_SECONDS } from '../constants.ts';
import {
  fieldPathOf,
  findContainerStatusByName,
  formatPod,
  HASH_ANNOTATION,
  hashContainer,
  RESTART_COUNT_ANNOTATION,
  restartCountOf,
  TERMINATION_PATH_ANNOTATION,
  TERMINATION_POLICY_ANNOTATION,
} from '../container/runtime.ts';
import { HandlerError } from '../lifecycle/handlers.ts';
import type { KillReason } from './compute-pod-actions.ts';
import type { RuntimeParts } from './runtime-parts.ts';
import { StartContainerError } from './start-error.ts';
import { terminationLogPath } from './termination-message.ts';
import type { TerminationOrdering } from './termination-order.ts';

export interface StartRequest {
  readonly pod: Pod;
  readonly state: PodRuntimeState;
  readonly sandboxId: string;
  readonly podIps: readonly string[];
}

/** pkg/kubelet/kuberuntime startContainer: image, create, start, postStart hook. @throws StartContainerError */
export async function startContainer(parts: RuntimeParts, request: StartRequest, container: Container): Promise<void> {
  const { pod } = request;
  const imageRef = await ensureImage(parts, request, container);
  const config = await generateContainerConfig(parts, request, { container, imageRef });
  const id = await attempt(parts, { pod, container, reason: 'CreateContainerError' }, () =>
    parts.runtime.createContainer(request.sandboxId, config),
  );
  event(parts, { pod, container: container.name, type: 'Normal', reason: 'Created', message: `Created container: ${container.name}` });
  await attempt(parts, { pod, container, reason: 'RunContainerError' }, () => parts.runtime.startContainer(id));
  event(parts, { pod, container: container.name, type: 'Normal', reason: 'Started', message: `Started container ${container.name}` });
  const { postStart } = container.lifecycle ?? {};
  if (!postStart) return;
  try {
    await parts.hooks.run({ pod, container, id, handler: postStart, podIp: request.podIps[0] ?? '' });
  } catch (error) {
    if (!(error instanceof HandlerError)) throw error;
    event(parts, { pod, container: container.name, type: 'Warning', reason: 'FailedPostStartHook', message: 'PostStartHook failed' });
    await killContainer(parts, { pod, container, name: container.name, id, message: 'FailedPostStartHook', reason: 'FailedPostStartHook' });
    throw new StartContainerError('PostStartHookError', error.message);
  }
}

async function ensureImage(parts: RuntimeParts, { pod }: StartRequest, container: Container): Promise<string> {
  try {
    return await parts.images.ensureImageExists(pod, container);
  } catch (error) {
    if (error instanceof StartContainerError)
      event(parts, { pod, container: container.name, type: 'Warning', reason: 'Failed', message: `Error: ${error.reason}` });
    throw error;
  }
}

/** Runs one call to the runtime; its refusal becomes an event and the reason why the container waits. */
async function attempt<T>(
  parts: RuntimeParts,
  what: { pod: Pod; container: Container; reason: string },
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof RuntimeError)) throw error;
    event(parts, { pod: what.pod, container: what.container.name, type: 'Warning', reason: 'Failed', message: `Error: ${error.message}` });
    throw new StartContainerError(what.reason, error.message);
  }
}

/** pkg/kubelet/kuberuntime generateContainerConfig and kubelet_pods GenerateRunContainerOptions. @throws StartContainerError */
async function generateContainerConfig(
  parts: RuntimeParts,
  request: StartRequest,
  what: { container: Container; imageRef: string },
): Promise<ContainerConfig> {
  const { pod, state, podIps } = request;
  const { container, imageRef } = what;
  const previous = findContainerStatusByName(state, container.name);
  const restartCount = previous ? restartCountOf(previous) + 1 : 0;
  const options = await parts.generateRunContainerOptions({ pod, container, podIps });
  if ('error' in options) {
    event(parts, { pod, container: container.name, type: 'Warning', reason: 'Failed', message: `Error: ${options.error}` });
    throw new StartContainerError('CreateContainerConfigError', options.error);
  }
  const refusal = await verifyRunAsNonRoot(parts, pod, container);
  if (refusal) {
    event(parts, { pod, container: container.name, type: 'Warning', reason: 'Failed', message: `Error: ${refusal}` });
    throw new StartContainerError('CreateContainerConfigError', refusal);
  }
  const { terminationMessagePath, terminationMessagePolicy = 'File' } = container;
  const log = terminationLogPath(pod.metadata.uid ?? '', container.name, restartCount);
  const termination = terminationMessagePath ? [{ containerPath: terminationMessagePath, hostPath: log, readOnly: false }] : [];
  return {
    name: container.name,
    attempt: restartCount,
    image: container.image ?? '',
    imageRef,
    ...(options.command ? { command: options.command } : {}),
    ...(options.args ? { args: options.args } : {}),
    ...(container.workingDir ? { workingDir: container.workingDir } : {}),
    envs: options.envs,
    mounts: [...options.mounts, ...termination],
    ...(options.devices?.length ? { devices: options.devices } : {}),
    ...linuxSecurityContext(pod, container),
    linux: linuxResources(container),
    stdin: container.stdin ?? false,
    stdinOnce: container.stdinOnce ?? false,
    tty: container.tty ?? false,
    annotations: {
      [HASH_ANNOTATION]: hashContainer(container),
      [RESTART_COUNT_ANNOTATION]: String(restartCount),
      ...(terminationMessagePath
        ? { [TERMINATION_PATH_ANNOTATION]: terminationMessagePath, [TERMINATION_POLICY_ANNOTATION]: terminationMessagePolicy }
        : {}),
    },
  };
}

/** pkg/kubelet/kuberuntime determineEffectiveSecurityContext: as whom the container runs. */
function linuxSecurityContext(
  pod: Pod,
  container: Container,
): Pick<ContainerConfig, 'runAsUser' | 'runAsGroup' | 'supplementalGroups' | 'readonlyRootfs'> {
  const { fsGroup, supplementalGroups = [], ...ofPod } = pod.spec?.securityContext ?? {};
  const { runAsUser, runAsGroup, readOnlyRootFilesystem } = { ...ofPod, ...container.securityContext };
  const groups = fsGroup === undefined ? supplementalGroups : [...supplementalGroups, fsGroup];
  return {
    ...(runAsUser === undefined ? {} : { runAsUser }),
    ...(runAsGroup === undefined ? {} : { runAsGroup }),
    ...(groups.length > 0 ? { supplementalGroups: groups } : {}),
    ...(readOnlyRootFilesystem ? { readonlyRootfs: true } : {}),
  };
}

/** pkg/kubelet/kuberuntime generateLinuxContainerResources */
export function linuxResources({ resources }: Container): LinuxContainerResources {
  const { cpu, memory } = resources?.limits ?? {};
  return {
    ...(cpu ? { cpuLimitMilli: parseQuantity(cpu).milliValue() } : {}),
    ...(memory ? { memoryLimitBytes: parseQuantity(memory).value() } : {}),
  };
}

/** pkg/kubelet/kuberuntime verifyRunAsNonRoot: what is wrong with the user that the container would run as. */
async function verifyRunAsNonRoot(parts: RuntimeParts, pod: Pod, container: Container): Promise<string | undefined> {
  const context = { ...pod.spec?.securityContext, ...container.securityContext };
  if (!context.runAsNonRoot) return undefined;
  const where = `(pod: ${JSON.stringify(formatPod(pod))}, container: ${container.name})`;
  if (context.runAsUser !== undefined) return context.runAsUser === 0 ? `container's runAsUser breaks non-root policy ${where}` : undefined;
  const image = await parts.runtime.imageStatus(container.image ?? '');
  return image?.uid ? undefined : `container has runAsNonRoot and image will run as root ${where}`;
}

export interface KillRequest {
  readonly pod: Pod;
  /** Absent when the spec does not name it (any more). */
  readonly container: Container | EphemeralContainer | undefined;
  readonly name: string;
  readonly id: string;
  /** Text of the event; `Stopping container <name>` if absent. */
  readonly message?: string;
  readonly reason: KillReason;
  /** Seconds; replaces what the pod says. */
  readonly gracePeriodOverride?: number;
  readonly ordering?: TerminationOrdering;
}

/** pkg/kubelet/kuberuntime killContainer: preStop hook, then SIGTERM, then SIGKILL when the grace period is over. */
export async function killContainer(parts: RuntimeParts, request: KillRequest): Promise<void> {
  const { pod, container, name, id } = request;
  event(parts, { pod, container: name, type: 'Normal', reason: 'Killing', message: request.message ?? `Stopping container ${name}` });
  let grace = request.gracePeriodOverride ?? gracePeriodOf(request);
  const preStop = container && 'lifecycle' in container ? container.lifecycle?.preStop : undefined;
  if (preStop && grace > 0) grace -= await executePreStopHook(parts, request, { container: container as Container, grace });
  if (request.ordering && grace > 0) grace -= await request.ordering.waitForTurn(name, grace);
  await parts.runtime.stopContainer(id, Math.max(MINIMUM_GRACE_PERIOD_SECONDS, grace));
  request.ordering?.containerTerminated(name);
}

/** pkg/kubelet/kuberuntime setTerminationGracePeriod */
function gracePeriodOf({ pod, container, reason }: KillRequest): number {
  const { deletionGracePeriodSeconds } = pod.metadata;
  if (deletionGracePeriodSeconds !== undefined) return deletionGracePeriodSeconds;
  const whole = pod.spec?.terminationGracePeriodSeconds ?? MINIMUM_GRACE_PERIOD_SECONDS;
  const probe = reason === 'LivenessProbe' ? container?.livenessProbe : reason === 'StartupProbe' ? container?.startupProbe : undefined;
  return probe?.terminationGracePeriodSeconds ?? whole;
}

/** pkg/kubelet/kuberuntime executePreStopHook: how many whole seconds it took. */
async function executePreStopHook(
  parts: RuntimeParts,
  request: KillRequest,
  what: { container: Container; grace: number },
): Promise<number> {
  const { pod, id } = request;
  const { simulation } = parts.actor;
  const handler = what.container.lifecycle?.preStop;
  if (!handler) return 0;
  const startedAt = simulation.now;
  const state = await parts.podState(pod.metadata.uid ?? '');
  const run = parts.hooks
    .run({ pod, container: what.container, id, handler, podIp: state.sandboxes[0]?.ips[0] ?? '' })
    .catch((error: unknown) => {
      if (!(error instanceof HandlerError)) throw error;
      event(parts, { pod, container: request.name, type: 'Warning', reason: 'FailedPreStopHook', message: 'PreStopHook failed' });
    });
  await parts.within(run, what.grace * 1000);
  return Math.floor((simulation.now - startedAt) / 1000);
}

function event(
  parts: RuntimeParts,
  what: { pod: Pod; container: string; type: 'Normal' | 'Warning'; reason: string; message: string },
): void {
  parts.recorder.event(what.pod, what.type, what.reason, what.message, { fieldPath: fieldPathOf(what.pod, what.container) });
}

/** The key of a container's crash back-off: it starts anew with another image. */
export function backOffKey(pod: Pod, container: Container): string {
  const resources = JSON.stringify(container.resources ?? {});
  return `${pod.metadata.uid}_${pod.metadata.name}_${container.name}_${container.image}_${resources}`;
}

/** The newest instance of a container that has ended, also while a newer one runs. */
export function exitedInstance({ containers }: PodRuntimeState, name: string): ContainerRuntimeStatus | undefined {
  return containers.find((status) => status.name === name && status.state === 'CONTAINER_EXITED');
}

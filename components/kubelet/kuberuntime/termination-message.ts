import type { ContainerRuntimeInterface, ContainerRuntimeStatus, PodRuntimeState } from '../../../src/api/cri.ts';
import { TERMINATION_LOG_BYTES_MAX, TERMINATION_LOG_LINES_MAX, TERMINATION_MESSAGE_MAX } from '../constants.ts';
import { TERMINATION_PATH_ANNOTATION, TERMINATION_POLICY_ANNOTATION } from '../container/runtime.ts';

/** Where the kubelet keeps the file that a container sees at its terminationMessagePath. */
export function terminationLogPath(uid: string, container: string, attempt: number): string {
  return `/var/lib/kubelet/pods/${uid}/containers/${container}/${attempt}`;
}

/** Exited containers whose message was read already, with the message put in. */
const withMessages = new WeakMap<ContainerRuntimeStatus, ContainerRuntimeStatus>();

/** pkg/kubelet/kuberuntime getTerminationMessage, for every container of a pod that has ended. Gives the same object when there is nothing to add. */
export async function addTerminationMessages(runtime: ContainerRuntimeInterface, state: PodRuntimeState): Promise<PodRuntimeState> {
  if (!state.containers.some(({ state: container }) => container === 'CONTAINER_EXITED')) return state;
  const containers: ContainerRuntimeStatus[] = [];
  for (const status of state.containers) containers.push(status.state === 'CONTAINER_EXITED' ? await withMessage(runtime, status) : status);
  return { ...state, containers };
}

async function withMessage(runtime: ContainerRuntimeInterface, status: ContainerRuntimeStatus): Promise<ContainerRuntimeStatus> {
  const known = withMessages.get(status);
  if (known) return known;
  const message = await terminationMessage(runtime, status);
  const full = message ? { ...status, message: status.message ? `${status.message}: ${message}` : message } : status;
  withMessages.set(status, full);
  return full;
}

async function terminationMessage(runtime: ContainerRuntimeInterface, status: ContainerRuntimeStatus): Promise<string> {
  const path = status.annotations[TERMINATION_PATH_ANNOTATION];
  if (!path) return '';
  const written = runtime.files.readFile(terminationLogPath(status.podUid, status.name, status.attempt)) ?? '';
  if (written) return written.slice(-TERMINATION_MESSAGE_MAX);
  if (status.annotations[TERMINATION_POLICY_ANNOTATION] !== 'FallbackToLogsOnError' || status.exitCode === 0) return '';
  const lines = (await runtime.logs(status.id)).slice(-TERMINATION_LOG_LINES_MAX);
  return lines
    .map(({ text, partial }) => (partial ? text : `${text}\n`))
    .join('')
    .slice(-TERMINATION_LOG_BYTES_MAX);
}

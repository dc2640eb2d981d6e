import type { ContainerStatus, Pod } from '../../src/api/kinds/core-v1.ts';
import { isSidecar } from './container/runtime.ts';

interface Counts {
  unknown: number;
  running: number;
  waiting: number;
  stopped: number;
  succeeded: number;
  pendingInit: number;
  failedInit: number;
  pendingRestartableInit: number;
}

/** pkg/kubelet/kubelet_pods.go getPhase. `statuses` are those of init and regular containers. */
export function getPhase(pod: Pod, statuses: readonly ContainerStatus[], podIsTerminal: boolean): string {
  const counts = count(pod, statuses);
  const policy = pod.spec?.restartPolicy ?? 'Always';
  if (counts.failedInit > 0 && policy === 'Never') return 'Failed';
  if (counts.pendingInit > 0 || counts.pendingRestartableInit > 0 || counts.waiting > 0) return 'Pending';
  if (counts.running > 0 && counts.unknown === 0) return 'Running';
  if (counts.running === 0 && counts.stopped > 0 && counts.unknown === 0) {
    // One that waits for its next start has not succeeded, whatever became of it before.
    const allSucceeded = counts.stopped === counts.succeeded;
    if (podIsTerminal && !pod.metadata.annotations?.['kubernetes.io/config.source']) return allSucceeded ? 'Succeeded' : 'Failed';
    if (policy === 'Always') return 'Running';
    if (allSucceeded) return 'Succeeded';
    return policy === 'Never' ? 'Failed' : 'Running';
  }
  return 'Pending';
}

function count(pod: Pod, statuses: readonly ContainerStatus[]): Counts {
  const counts: Counts = {
    unknown: 0,
    running: 0,
    waiting: 0,
    stopped: 0,
    succeeded: 0,
    pendingInit: 0,
    failedInit: 0,
    pendingRestartableInit: 0,
  };
  const find = (name: string): ContainerStatus | undefined => statuses.find((status) => status.name === name);
  const regular = (pod.spec?.containers ?? []).map(({ name }) => find(name));
  const regularStarted = regular.some(
    (status) => status?.state?.running || status?.state?.terminated || (status?.state?.waiting && status.lastState?.terminated),
  );
  for (const container of pod.spec?.initContainers ?? []) {
    const status = find(container.name);
    if (isSidecar(container)) countSidecar(counts, status, regularStarted);
    else countInit(counts, status);
  }
  for (const status of regular) countRegular(counts, status);
  return counts;
}

function countInit(counts: Counts, status: ContainerStatus | undefined): void {
  if (!status) counts.pendingInit++;
  else if (status.state?.running) counts.pendingInit++;
  else if (status.state?.terminated) {
    if (status.state.terminated.exitCode !== 0) counts.failedInit++;
  } else if (status.state?.waiting) {
    const last = status.lastState?.terminated;
    if (!last) counts.pendingInit++;
    else if (last.exitCode !== 0) counts.failedInit++;
  } else counts.pendingInit++;
}

function countSidecar(counts: Counts, status: ContainerStatus | undefined, regularStarted: boolean): void {
  if (!status) {
    counts.unknown++;
    if (!regularStarted) counts.pendingRestartableInit++;
    return;
  }
  if (!regularStarted && !status.started) counts.pendingRestartableInit++;
  if (status.state?.running) counts.running++;
  else if (status.state?.waiting && !status.lastState?.terminated) counts.waiting++;
}

function countRegular(counts: Counts, status: ContainerStatus | undefined): void {
  const state = status?.state;
  if (state?.running) counts.running++;
  else if (state?.terminated) {
    counts.stopped++;
    if (state.terminated.exitCode === 0) counts.succeeded++;
  } else if (state?.waiting) {
    if (status?.lastState?.terminated) counts.stopped++;
    else counts.waiting++;
  } else counts.unknown++;
}

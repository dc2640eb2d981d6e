import { HASH_ANNOTATION, hashContainer, RESTART_COUNT_ANNOTATION } from '../../components/kubelet/container/runtime.ts';
import type { ContainerRuntimeStatus, PodRuntimeState, PodSandboxStatus } from '../../src/api/cri.ts';
import type { Container, Pod, PodSpec } from '../../src/api/kinds/core-v1.ts';

/** A pod as the API has it, for tests of the kubelet's parts. */
export function podOf(spec: Partial<PodSpec>, metadata: Partial<Pod['metadata']> = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'default', uid: 'u1', generation: 1, ...metadata },
    spec: { containers: [{ name: 'a', image: 'nginx:1.27' }], ...spec },
  };
}

export function sandboxOf(more: Partial<PodSandboxStatus> = {}): PodSandboxStatus {
  return {
    id: 's0',
    metadata: { name: 'web', namespace: 'default', uid: 'u1', attempt: 0 },
    state: 'SANDBOX_READY',
    createdAt: 1_000,
    ips: ['10.0.0.2'],
    hostNetwork: false,
    ...more,
  };
}

/** One instance of a container. `exitCode` makes it an exited one. */
export function instanceOf(
  container: Pick<Container, 'name' | 'image'>,
  more: Partial<ContainerRuntimeStatus> & { readonly restartCount?: number } = {},
): ContainerRuntimeStatus {
  const { restartCount = 0, ...rest } = more;
  return {
    id: `${container.name}-${restartCount}`,
    podSandboxId: 's0',
    podUid: 'u1',
    name: container.name,
    attempt: restartCount,
    state: rest.exitCode === undefined ? 'CONTAINER_RUNNING' : 'CONTAINER_EXITED',
    createdAt: 1_000,
    startedAt: 2_000,
    finishedAt: rest.exitCode === undefined ? 0 : 3_000,
    exitCode: 0,
    image: `docker.io/library/${container.image}`,
    imageRef: 'sha256:1',
    reason: rest.exitCode === undefined ? '' : rest.exitCode === 0 ? 'Completed' : 'Error',
    message: '',
    annotations: { [HASH_ANNOTATION]: hashContainer(container), [RESTART_COUNT_ANNOTATION]: String(restartCount) },
    user: { uid: 0, gid: 0, supplementalGroups: [] },
    ...rest,
  };
}

export function stateOf(
  containers: readonly ContainerRuntimeStatus[],
  sandboxes: readonly PodSandboxStatus[] = [sandboxOf()],
): PodRuntimeState {
  return { uid: 'u1', sandboxes, containers };
}

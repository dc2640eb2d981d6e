import { type ContainerRuntimeStatus, type PodRuntimeState, RuntimeError } from '../../../src/api/cri.ts';
import type { Container, Pod } from '../../../src/api/kinds/core-v1.ts';
import { formatDuration } from '../../../src/api/time.ts';
import { type AllocationManager, resizableContainers } from '../allocation/allocation-manager.ts';
import { Backoff } from '../backoff.ts';
import { CONTAINER_BACK_OFF_MAX_MS, CONTAINER_BACK_OFF_MS } from '../constants.ts';
import { fieldPathOf, findContainer, findContainerStatusByName, formatPod, isSidecar, podIps } from '../container/runtime.ts';
import { getPodDNS } from '../network/dns.ts';
import { nodenameForKernel } from '../network/pod-hostname.ts';
import { computePodActions, type PodActions, type ProbeResults, type Verdicts } from './compute-pod-actions.ts';
import { backOffKey, exitedInstance, killContainer, linuxResources, type StartRequest, startContainer } from './kuberuntime-container.ts';
import { generatePodSandboxConfig } from './kuberuntime-sandbox.ts';
import type { ReasonCache } from './reason-cache.ts';
import type { RuntimeParts } from './runtime-parts.ts';
import { StartContainerError, SyncPodError } from './start-error.ts';
import { TerminationOrdering } from './termination-order.ts';

interface SyncFailures {
  readonly messages: string[];
  slow: boolean;
}

/** pkg/kubelet/kuberuntime kubeGenericRuntimeManager: makes the runtime hold what a pod's spec says. */
export class KubeGenericRuntimeManager {
  readonly #parts: RuntimeParts;
  readonly #reasons: ReasonCache;
  readonly #probes: ProbeResults;
  readonly #allocation: AllocationManager;
  readonly #backOff = new Backoff(CONTAINER_BACK_OFF_MS, CONTAINER_BACK_OFF_MAX_MS);

  constructor(parts: RuntimeParts, uses: { reasons: ReasonCache; probes: ProbeResults; allocation: AllocationManager }) {
    this.#parts = parts;
    this.#reasons = uses.reasons;
    this.#probes = uses.probes;
    this.#allocation = uses.allocation;
  }

  /** pkg/kubelet/kuberuntime SyncPod. Nothing cuts it short: a pod that is deleted meanwhile is started first. @throws SyncPodError when something could not be done */
  async syncPod(pod: Pod, state: PodRuntimeState): Promise<void> {
    const actions = computePodActions(pod, state, this.#verdicts);
    if (actions.createSandbox && actions.sandboxId) {
      this.#parts.recorder.event(pod, 'Normal', 'SandboxChanged', 'Pod sandbox changed, it will be killed and re-created.');
    }
    if (actions.killPod) {
      await this.killPod(pod, state);
      if (actions.createSandbox) await this.#purgeInitContainers(pod, state);
    } else {
      for (const { status, container, message, reason } of actions.containersToKill) {
        await killContainer(this.#parts, { pod, container, name: container.name, id: status.id, message, reason });
      }
    }
    await this.#pruneInitContainers(state, actions);
    const sandbox = actions.createSandbox
      ? await this.#createPodSandbox(pod, actions.attempt)
      : { id: actions.sandboxId, ips: podIps(state) };
    if (!actions.createSandbox && actions.killPod) return;
    if (!actions.createSandbox) await this.#doPodResizeAction(pod, state, actions);
    await this.#startAll({ pod, state, sandboxId: sandbox.id, podIps: this.#ipsOf(pod, sandbox.ips) }, actions);
  }

  /** pkg/kubelet/kuberuntime KillPod: all containers at once (sidecars in their order), then the sandboxes. */
  async killPod(pod: Pod, state: PodRuntimeState, gracePeriodOverride?: number): Promise<void> {
    const running = state.containers.filter((status) => status.state === 'CONTAINER_RUNNING' || status.state === 'CONTAINER_UNKNOWN');
    const sidecars = (pod.spec?.initContainers ?? []).some(isSidecar);
    const ordering =
      sidecars && running.length > 1
        ? new TerminationOrdering(
            this.#parts.actor,
            pod,
            running.map(({ name }) => name),
          )
        : undefined;
    const kill = ({ name, id }: ContainerRuntimeStatus): Promise<void> =>
      killContainer(this.#parts, {
        pod,
        container: findContainer(pod, name),
        name,
        id,
        reason: 'Unknown',
        ...(gracePeriodOverride === undefined ? {} : { gracePeriodOverride }),
        ...(ordering ? { ordering } : {}),
      });
    if (running.length === 1 && running[0]) await kill(running[0]);
    else if (running.length > 1) await Promise.all(running.map(kill));
    for (const sandbox of state.sandboxes) if (sandbox.state === 'SANDBOX_READY') await this.#stopSandbox(pod, sandbox.id);
  }

  /** pkg/kubelet/kuberuntime killPodWithSyncResult. @throws SyncPodError when the network of the pod cannot be taken down */
  async #stopSandbox(pod: Pod, id: string): Promise<void> {
    try {
      await this.#parts.runtime.stopPodSandbox(id);
    } catch (error) {
      if (!(error instanceof RuntimeError)) throw error;
      const cause = JSON.stringify(`rpc error: code = Unknown desc = ${error.message}`);
      const message = `failed to "KillPodSandbox" for "${pod.metadata.uid}" with KillPodSandboxError: ${cause}`;
      this.#parts.recorder.event(pod, 'Warning', 'FailedKillPod', `error killing pod: ${message}`);
      throw new SyncPodError(message);
    }
  }

  /** pkg/kubelet/pod_container_deletor.go: of each container one dead instance stays. */
  async pruneDeadContainers(state: PodRuntimeState): Promise<void> {
    const seen = new Set<string>();
    for (const status of state.containers) {
      if (status.state !== 'CONTAINER_EXITED') continue;
      if (seen.has(status.name)) await this.#parts.runtime.removeContainer(status.id);
      seen.add(status.name);
    }
  }

  get #verdicts(): Verdicts {
    const probes = this.#probes;
    return {
      livenessFailed: (id) => probes.livenessFailed(id),
      startupFailed: (id) => probes.startupFailed(id),
      startupSucceeded: (id) => probes.startupSucceeded(id),
      resizeRequiresRestart: (pod, container) => {
        const changed = this.#allocation.changedResources(pod.metadata.uid ?? '', container);
        return changed.some((name) =>
          container.resizePolicy?.some(({ resourceName, restartPolicy }) => resourceName === name && restartPolicy === 'RestartContainer'),
        );
      },
    };
  }

  /** pkg/kubelet/kuberuntime doPodResizeAction: tells the runtime of new limits of containers that go on running. */
  async #doPodResizeAction(pod: Pod, state: PodRuntimeState, actions: PodActions): Promise<void> {
    const uid = pod.metadata.uid ?? '';
    if (!this.#allocation.isResizeInProgress(pod)) return;
    for (const container of resizableContainers(pod)) {
      const status = findContainerStatusByName(state, container.name);
      if (status?.state !== 'CONTAINER_RUNNING' || actions.containersToKill.some(({ container: killed }) => killed.name === container.name))
        continue;
      if (this.#allocation.changedResources(uid, container).length === 0) continue;
      await this.#parts.runtime.updateContainerResources(status.id, linuxResources(container));
      this.#allocation.setActuated(uid, container);
    }
    if (!this.#allocation.isResizeInProgress(pod)) this.#parts.onResized(pod);
  }

  /** The pod is gone: forget what was kept for it. */
  forget(uid: string): void {
    this.#backOff.forget(`${uid}_`);
  }

  #ipsOf(pod: Pod, ips: readonly string[]): readonly string[] {
    return pod.spec?.hostNetwork ? [this.#parts.nodeIp] : ips;
  }

  async #createPodSandbox(pod: Pod, attempt: number): Promise<{ id: string; ips: readonly string[] }> {
    const { runtime, recorder, nodeName } = this.#parts;
    const hostname = pod.spec?.hostNetwork ? nodeName : nodenameForKernel(pod);
    if (typeof hostname !== 'string') {
      const message = `Failed to create pod sandbox: failed to generate sandbox config for pod ${JSON.stringify(formatPod(pod))}: ${hostname.error}`;
      recorder.event(pod, 'Warning', 'FailedCreatePodSandBox', message);
      throw new SyncPodError(message);
    }
    const config = generatePodSandboxConfig(pod, { attempt, hostname, dnsConfig: getPodDNS(recorder, pod) });
    try {
      const id = await runtime.runPodSandbox(config);
      const { ips } = await runtime.podSandboxStatus(id);
      return { id, ips };
    } catch (error) {
      if (!(error instanceof RuntimeError)) throw error;
      const message = `Failed to create pod sandbox: rpc error: code = Unknown desc = ${error.message}`;
      recorder.event(pod, 'Warning', 'FailedCreatePodSandBox', message);
      throw new SyncPodError(message);
    }
  }

  async #startAll(request: StartRequest, actions: PodActions): Promise<void> {
    const failures: SyncFailures = { messages: [], slow: true };
    for (const container of actions.ephemeralContainersToStart) await this.#start(request, { container, failures });
    for (const container of actions.initContainersToStart) {
      const started = await this.#start(request, { container, failures });
      if (!started && !isSidecar(container)) break;
    }
    for (const container of actions.containersToStart) await this.#start(request, { container, failures });
    if (failures.messages.length > 0) throw new SyncPodError(failures.messages.join(', '), { slow: failures.slow });
  }

  async #start(request: StartRequest, what: { container: Container; failures: SyncFailures }): Promise<boolean> {
    const { pod, state } = request;
    const { container, failures } = what;
    const uid = pod.metadata.uid ?? '';
    try {
      this.#doBackOff(pod, container, state);
      await startContainer(this.#parts, request, container);
      this.#allocation.setActuated(uid, container);
      this.#reasons.remove(uid, container.name);
      return true;
    } catch (error) {
      if (!(error instanceof StartContainerError)) throw error;
      this.#reasons.set(uid, container.name, { reason: error.reason, message: error.message });
      failures.messages.push(`failed to "StartContainer" for "${container.name}" with ${error.reason}: ${JSON.stringify(error.message)}`);
      failures.slow &&= error.slow;
      return false;
    }
  }

  /** pkg/kubelet/kuberuntime doBackOff. @throws StartContainerError while the delay has not passed */
  #doBackOff(pod: Pod, container: Container, state: PodRuntimeState): void {
    const exited = exitedInstance(state, container.name);
    if (!exited) return;
    const { simulation } = this.#parts.actor;
    const key = backOffKey(pod, container);
    const finished = exited.finishedAt - simulation.epoch;
    if (!this.#backOff.isInBackOffSince(key, finished, simulation.now)) {
      this.#backOff.next(key, finished, simulation.now);
      return;
    }
    const fieldPath = fieldPathOf(pod, container.name);
    this.#parts.recorder.event(
      pod,
      'Warning',
      'BackOff',
      `Back-off restarting failed container ${container.name} in pod ${formatPod(pod)}`,
      { fieldPath },
    );
    const delay = formatDuration(this.#backOff.get(key));
    const message = `back-off ${delay} restarting failed container=${container.name} pod=${formatPod(pod)}`;
    throw new StartContainerError('CrashLoopBackOff', message, { slow: this.#backOff.atMaximum(key) });
  }

  /** pkg/kubelet/kuberuntime pruneInitContainersBeforeStart: of each init container the newest instance stays. */
  async #pruneInitContainers(state: PodRuntimeState, actions: PodActions): Promise<void> {
    for (const { name } of actions.initContainersToStart) {
      const dead = state.containers.filter((status) => status.name === name && status.state === 'CONTAINER_EXITED');
      for (const { id } of dead.slice(1)) await this.#parts.runtime.removeContainer(id);
    }
  }

  /** pkg/kubelet/kuberuntime purgeInitContainers: with a new sandbox, initialization starts anew. */
  async #purgeInitContainers(pod: Pod, state: PodRuntimeState): Promise<void> {
    for (const { name } of pod.spec?.initContainers ?? []) {
      for (const status of state.containers) if (status.name === name) await this.#parts.runtime.removeContainer(status.id);
    }
  }
}

import type { DeviceMapping, HostFiles, Mount } from '../../../../src/api/cri.ts';
import {
  DEVICE_PLUGIN_PATH,
  type Device,
  KUBELET_SOCKET,
  type RegisterRequest,
  type Registration,
} from '../../../../src/api/device-plugin.ts';
import type { Container, Pod } from '../../../../src/api/kinds/core-v1.ts';
import { RpcError } from '../../../../src/api/rpc-error.ts';
import type { UnixSockets } from '../../../../src/api/unix-sockets.ts';
import type { Actor } from '../../../../src/sim/actor.ts';
import { isSidecar } from '../../container/runtime.ts';
import type { Refusal } from '../../lifecycle/admission.ts';
import { allocateContainerResources, type DeviceState, updateAllocatedDevices } from './allocate.ts';
import { readCheckpoint, writeCheckpoint } from './checkpoint.ts';
import { DeviceAllocationError } from './device-allocation-error.ts';
import type { Endpoint } from './endpoint.ts';
import { type DevicesByResource, PodDevices } from './pod-devices.ts';
import { connectClient } from './registration.ts';

/** pkg/kubelet/cm/devicemanager endpointStopGracePeriod: for so long the devices of a plugin that went away stay in the node's capacity. */
const ENDPOINT_STOP_GRACE_MS = 300_000;

interface DeviceManagerParts {
  readonly actor: Actor;
  readonly files: HostFiles;
  readonly sockets: UnixSockets<Actor> | undefined;
  /** The pod has not come to its end on this node. */
  readonly isPodActive: (uid: string) => boolean;
  readonly isContainerRunning: (uid: string, container: string) => boolean;
  /** All pods that were there when the kubelet started have been seen. */
  readonly sourcesReady: () => boolean;
  /** The node's status shall tell of it, at its next round. */
  readonly onChange: () => void;
}

/** What a node has of devices, by resource: pkg/kubelet/cm/devicemanager GetCapacity. */
export interface DeviceCapacity {
  readonly capacity: Readonly<Record<string, string>>;
  readonly allocatable: Readonly<Record<string, string>>;
}

/** pkg/kubelet/cm/devicemanager DeviceRunContainerOptions */
export interface DeviceRunContainerOptions {
  readonly envs: readonly { readonly key: string; readonly value: string }[];
  readonly mounts: readonly Mount[];
  readonly devices: readonly DeviceMapping[];
}

/** pkg/kubelet/cm/devicemanager ManagerImpl: device plugins register here; containers get devices when their pod is admitted. */
export class DeviceManager implements Registration {
  readonly #parts: DeviceManagerParts;
  readonly #endpoints = new Map<string, Endpoint>();
  readonly #state: DeviceState;
  /** Resources whose plugins have not come back since the kubelet started, and when that was. */
  readonly #forgotten = new Map<string, number>();
  /** Devices of init containers of the pod that is being admitted: the containers after them get them again. */
  #reuse: { readonly uid: string; readonly devices: DevicesByResource } | undefined;

  constructor(parts: DeviceManagerParts) {
    this.#parts = parts;
    this.#state = {
      healthy: new Map(),
      unhealthy: new Map(),
      allocated: new Map(),
      podDevices: new PodDevices(),
      endpointOf: (resource) => this.#endpoints.get(resource),
      ...{ isPodActive: parts.isPodActive, isContainerRunning: parts.isContainerRunning, sourcesReady: parts.sourcesReady },
    };
  }

  /** pkg/kubelet/cm/devicemanager Start: reads what it knew before, and serves registrations. */
  start(): void {
    const { actor, files, sockets } = this.#parts;
    if (!sockets) return;
    const checkpoint = readCheckpoint(files);
    for (const entry of checkpoint?.podDeviceEntries ?? []) this.#state.podDevices.insert(entry);
    this.#state.allocated = this.#state.podDevices.devices();
    for (const resource of checkpoint?.registeredDevices ?? []) this.#restore(resource);
    sockets.clear(DEVICE_PLUGIN_PATH);
    sockets.listen<Registration>(KUBELET_SOCKET, { process: actor, service: this });
  }

  /** Until its plugin registers again, a resource is known and has no devices. */
  #restore(resource: string): void {
    this.#state.healthy.set(resource, new Set());
    this.#state.unhealthy.set(resource, new Set());
    this.#forgotten.set(resource, this.#parts.actor.simulation.now);
  }

  /** pkg/kubelet/cm/devicemanager/plugin/v1beta1 server.Register and PluginConnected. @throws RpcError */
  async register(request: RegisterRequest): Promise<void> {
    const { actor, sockets } = this.#parts;
    const { resourceName } = request;
    if (!sockets) return;
    const endpoint = connectClient(actor, sockets, request);
    endpoint.options = await this.#options(endpoint);
    this.#endpoints.set(resourceName, endpoint);
    this.#forgotten.delete(resourceName);
    actor.simulation.recordCause({
      kind: 'runtime',
      what: 'device-plugin-registered',
      message: `device plugin registered ${resourceName}`,
    });
    actor.schedule(0, async () => {
      await endpoint.listAndWatch((devices) => this.#genericDeviceUpdateCallback(resourceName, endpoint, devices));
      this.#pluginDisconnected(resourceName, endpoint);
    });
  }

  async #options(endpoint: Endpoint): Promise<Endpoint['options']> {
    try {
      return await endpoint.getDevicePluginOptions();
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      throw new RpcError('Unknown', `failed to get device plugin options: ${error.message}`);
    }
  }

  /** pkg/kubelet/cm/devicemanager genericDeviceUpdateCallback */
  #genericDeviceUpdateCallback(resource: string, endpoint: Endpoint, devices: readonly Device[]): void {
    if (this.#endpoints.get(resource) !== endpoint || endpoint.stoppedAt !== undefined) return;
    const idsOf = (health: Device['health']): Set<string> =>
      new Set(devices.filter((device) => device.health === health).map(({ id }) => id));
    this.#state.healthy.set(resource, idsOf('Healthy'));
    this.#state.unhealthy.set(resource, idsOf('Unhealthy'));
    this.#writeCheckpoint();
    this.#parts.onChange();
  }

  /** pkg/kubelet/cm/devicemanager PluginDisconnected: what it had is unhealthy from now on. */
  #pluginDisconnected(resource: string, endpoint: Endpoint): void {
    const { simulation } = this.#parts.actor;
    endpoint.stoppedAt = simulation.now;
    if (this.#endpoints.get(resource) !== endpoint) return;
    simulation.recordCause({ kind: 'runtime', what: 'device-plugin-gone', message: `device plugin of ${resource} is gone` });
    const all = [...(this.#state.healthy.get(resource) ?? []), ...(this.#state.unhealthy.get(resource) ?? [])];
    this.#state.healthy.set(resource, new Set());
    this.#state.unhealthy.set(resource, new Set(all));
    this.#parts.onChange();
  }

  /** pkg/kubelet/cm/devicemanager GetCapacity. Plugins that have been away for too long are forgotten: then there are 0 of their devices. */
  capacity(): DeviceCapacity | undefined {
    const { healthy, unhealthy } = this.#state;
    if (healthy.size === 0) return undefined;
    const { now } = this.#parts.actor.simulation;
    const capacity: Record<string, string> = {};
    const allocatable: Record<string, string> = {};
    for (const [resource, ids] of [...healthy]) {
      const since = this.#endpoints.get(resource)?.stoppedAt ?? this.#forgotten.get(resource);
      const expired = since !== undefined && now - since >= ENDPOINT_STOP_GRACE_MS;
      capacity[resource] = String(expired ? 0 : ids.size + (unhealthy.get(resource)?.size ?? 0));
      allocatable[resource] = String(expired ? 0 : ids.size);
      if (expired) this.#forget(resource);
    }
    return { capacity, allocatable };
  }

  #forget(resource: string): void {
    this.#endpoints.delete(resource);
    this.#forgotten.delete(resource);
    this.#state.healthy.delete(resource);
    this.#state.unhealthy.delete(resource);
    this.#writeCheckpoint();
  }

  /** How many devices of a resource are taken: pkg/kubelet/cm/devicemanager sanitizeNodeAllocatable counts them even where fewer are healthy. */
  allocated(resource: string): number {
    return this.#state.allocated.get(resource)?.size ?? 0;
  }

  /** The admission of a pod that asks for devices: pkg/kubelet/cm/topologymanager, scope of policy none. Nothing for other pods. */
  admit(pod: Pod): (() => Promise<Refusal | undefined>) | undefined {
    if (this.#state.healthy.size === 0) return undefined;
    const { initContainers = [], containers = [] } = pod.spec ?? {};
    return [...initContainers, ...containers].some((container) => this.#wantsDevices(container)) ? () => this.#admit(pod) : undefined;
  }

  async #admit(pod: Pod): Promise<Refusal | undefined> {
    const { initContainers = [], containers = [] } = pod.spec ?? {};
    try {
      for (const container of [...initContainers, ...containers]) await this.#allocate(pod, container);
      return undefined;
    } catch (error) {
      if (!(error instanceof RpcError) && !(error instanceof DeviceAllocationError)) throw error;
      return { reason: 'UnexpectedAdmissionError', message: `Allocate failed due to ${error.message}, which is unexpected` };
    }
  }

  /** pkg/kubelet/cm/devicemanager Allocate */
  async #allocate(pod: Pod, container: Container): Promise<void> {
    if (!this.#wantsDevices(container)) return;
    const uid = pod.metadata.uid ?? '';
    if (this.#reuse?.uid !== uid) this.#reuse = { uid, devices: new Map() };
    const reusable = this.#reuse.devices;
    updateAllocatedDevices(this.#state, uid);
    if (await allocateContainerResources(this.#state, { uid, container, reusable })) this.#writeCheckpoint();
    const isInit = pod.spec?.initContainers?.some(({ name }) => name === container.name) && !isSidecar(container);
    for (const { resourceName, deviceIds } of this.#state.podDevices.ofContainer(uid, container.name)) {
      const ids = reusable.get(resourceName) ?? new Set();
      reusable.set(resourceName, ids);
      for (const id of deviceIds) isInit ? ids.add(id) : ids.delete(id);
    }
  }

  #wantsDevices({ resources }: Container): boolean {
    return Object.entries(resources?.limits ?? {}).some(([resource, amount]) => this.#state.healthy.has(resource) && amount !== '0');
  }

  /** pkg/kubelet/cm/devicemanager GetDeviceRunContainerOptions, before each start of a container. Nothing for containers without devices. */
  runContainerOptions(pod: Pod, container: Container): Promise<DeviceRunContainerOptions | { readonly error: string }> | undefined {
    return this.#wantsDevices(container) ? this.#runContainerOptions(pod, container) : undefined;
  }

  async #runContainerOptions(pod: Pod, container: Container): Promise<DeviceRunContainerOptions | { readonly error: string }> {
    const uid = pod.metadata.uid ?? '';
    const { podDevices } = this.#state;
    try {
      for (const resource of Object.keys(container.resources?.limits ?? {})) {
        if (!this.#state.healthy.has(resource)) continue;
        await this.#callPreStartContainerIfNeeded({ uid, container: container.name }, resource);
        // The plugin has come since the pod was admitted, as after a restart of the node.
        if (!podDevices.containerDevices(uid, container.name, resource)) await this.#allocate(pod, container);
      }
    } catch (error) {
      if (!(error instanceof RpcError) && !(error instanceof DeviceAllocationError)) throw error;
      return { error: error.message };
    }
    const responses = podDevices.ofContainer(uid, container.name).map(({ allocResp }) => allocResp);
    return {
      envs: responses.flatMap(({ envs = {} }) => Object.entries(envs).map(([key, value]) => ({ key, value }))),
      mounts: responses.flatMap(({ mounts = [] }) => mounts),
      devices: responses.flatMap(({ devices = [] }) => devices),
    };
  }

  /** pkg/kubelet/cm/devicemanager callPreStartContainerIfNeeded */
  async #callPreStartContainerIfNeeded({ uid, container }: { uid: string; container: string }, resource: string): Promise<void> {
    const endpoint = this.#endpoints.get(resource);
    if (!endpoint) throw new DeviceAllocationError(`endpoint not found in cache for a registered resource: ${resource}`);
    if (!endpoint.options.preStartRequired) return;
    const ids = this.#state.podDevices.containerDevices(uid, container, resource);
    if (!ids)
      throw new DeviceAllocationError(
        `no devices found allocated in local cache for pod ${uid}, container ${container}, resource ${resource}`,
      );
    try {
      await endpoint.preStartContainer(ids);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      throw new DeviceAllocationError(`device plugin PreStartContainer rpc failed with err: ${error.message}`);
    }
  }

  #writeCheckpoint(): void {
    writeCheckpoint(this.#parts.files, {
      podDeviceEntries: this.#state.podDevices.entries,
      registeredDevices: [...this.#state.healthy.keys()],
    });
  }
}

import type {
  ContainerAllocateResponse,
  Device,
  DevicePlugin,
  DevicePluginOptions,
  PreferredAllocationRequest,
} from '../../src/api/device-plugin.ts';
import { RpcError } from '../../src/api/rpc-error.ts';
import type { Simulation } from '../../src/sim/simulation.ts';

/** The GPUs of one machine. Their health outlives the plugin. */
export interface Gpus {
  readonly ids: readonly string[];
  /** Ids of those that are broken. */
  readonly broken: ReadonlySet<string>;
  /** Hears of changes. */
  onChange: () => void;
}

/** k8s-device-plugin internal/plugin nvidiaDevicePlugin: offers the GPUs of its machine as `nvidia.com/gpu`. */
export class NvidiaDevicePlugin implements DevicePlugin {
  readonly #gpus: Gpus;
  readonly #simulation: Simulation;
  #stop: (() => void) | undefined;

  constructor(simulation: Simulation, gpus: Gpus) {
    this.#simulation = simulation;
    this.#gpus = gpus;
  }

  getDevicePluginOptions(): DevicePluginOptions {
    return { preStartRequired: false, getPreferredAllocationAvailable: true };
  }

  listAndWatch(send: (devices: readonly Device[]) => void): Promise<void> {
    const sendAll = (): void => send(this.#devices());
    sendAll();
    this.#gpus.onChange = sendAll;
    return new Promise((resolve) => {
      this.#stop = () => this.#simulation.resolve(resolve, undefined);
    });
  }

  /** Ends what the kubelet listens to. */
  stop(): void {
    this.#stop?.();
  }

  /** k8s-device-plugin internal/rm getPreferredAllocation, where all GPUs are alike. */
  getPreferredAllocation({ availableDeviceIds, mustIncludeDeviceIds, allocationSize }: PreferredAllocationRequest): readonly string[] {
    const others = availableDeviceIds.filter((id) => !mustIncludeDeviceIds.includes(id));
    return [...mustIncludeDeviceIds, ...others].slice(0, allocationSize);
  }

  /** k8s-device-plugin: device list strategy envvar, ids are UUIDs. */
  allocate(deviceIds: readonly string[]): ContainerAllocateResponse {
    const unknown = deviceIds.find((id) => !this.#gpus.ids.includes(id));
    if (unknown !== undefined) throw new RpcError('Unknown', `invalid allocation request for "nvidia.com/gpu": unknown device: ${unknown}`);
    const devices = deviceIds.map((id) => {
      const path = `/dev/nvidia${this.#gpus.ids.indexOf(id)}`;
      return { containerPath: path, hostPath: path, permissions: 'rw' };
    });
    return { envs: { NVIDIA_VISIBLE_DEVICES: deviceIds.join(',') }, devices };
  }

  preStartContainer(): void {}

  #devices(): Device[] {
    return this.#gpus.ids.map((id) => ({ id, health: this.#gpus.broken.has(id) ? 'Unhealthy' : 'Healthy' }));
  }
}

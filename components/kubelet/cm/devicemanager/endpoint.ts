import type {
  ContainerAllocateResponse,
  Device,
  DevicePlugin,
  DevicePluginOptions,
  PreferredAllocationRequest,
} from '../../../../src/api/device-plugin.ts';
import { RpcError } from '../../../../src/api/rpc-error.ts';
import type { SocketServer } from '../../../../src/api/unix-sockets.ts';
import { callRpc, RPC_MS } from '../../../../src/client/rpc.ts';
import type { Actor } from '../../../../src/sim/actor.ts';

/** pkg/kubelet/cm/devicemanager endpointImpl: the kubelet's end of a plugin. @throws RpcError from each call */
export class Endpoint {
  readonly #kubelet: Actor;
  readonly #server: SocketServer<Actor, DevicePlugin>;
  options: DevicePluginOptions = { preStartRequired: false, getPreferredAllocationAvailable: false };
  /** When the plugin went away. */
  stoppedAt: number | undefined;

  constructor(kubelet: Actor, server: SocketServer<Actor, DevicePlugin>) {
    this.#kubelet = kubelet;
    this.#server = server;
  }

  getDevicePluginOptions(): Promise<DevicePluginOptions> {
    return this.#call((plugin) => plugin.getDevicePluginOptions());
  }

  /** Resolves when the plugin has gone away. */
  async listAndWatch(onDevices: (devices: readonly Device[]) => void): Promise<void> {
    const kubelet = this.#kubelet;
    const { incarnation } = kubelet;
    const send = (devices: readonly Device[]): void => {
      if (kubelet.incarnation === incarnation) kubelet.schedule(RPC_MS, () => onDevices(devices));
    };
    try {
      await this.#call((plugin) => plugin.listAndWatch(send));
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
    }
  }

  getPreferredAllocation(request: PreferredAllocationRequest): Promise<readonly string[]> {
    return this.#call((plugin) => plugin.getPreferredAllocation(request));
  }

  allocate(deviceIds: readonly string[]): Promise<ContainerAllocateResponse> {
    return this.#call((plugin) => plugin.allocate(deviceIds));
  }

  preStartContainer(deviceIds: readonly string[]): Promise<void> {
    return this.#call((plugin) => plugin.preStartContainer(deviceIds));
  }

  #call<T>(serve: (plugin: DevicePlugin) => T | Promise<T>): Promise<T> {
    return callRpc(this.#kubelet, this.#server, serve);
  }
}

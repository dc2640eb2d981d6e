import type { DeviceMapping, Mount } from './cri.ts';

/**
 * How a kubelet and the device plugins of its node talk: kubelet pkg/apis/deviceplugin/v1beta1. Names of methods and fields are those of the real interface, in
 * camel case. Calls that are refused throw `RpcError`.
 */

/** pkg/apis/deviceplugin/v1beta1 Version */
export const DEVICE_PLUGIN_VERSION = 'v1beta1';
/** pkg/apis/deviceplugin/v1beta1 DevicePluginPath: where plugins put their sockets, and the kubelet its own. */
export const DEVICE_PLUGIN_PATH = '/var/lib/kubelet/device-plugins/';
/** pkg/apis/deviceplugin/v1beta1 KubeletSocket */
export const KUBELET_SOCKET = `${DEVICE_PLUGIN_PATH}kubelet.sock`;

/** pkg/apis/deviceplugin/v1beta1 Device */
export interface Device {
  readonly id: string;
  readonly health: 'Healthy' | 'Unhealthy';
}

/** pkg/apis/deviceplugin/v1beta1 DevicePluginOptions */
export interface DevicePluginOptions {
  readonly preStartRequired: boolean;
  readonly getPreferredAllocationAvailable: boolean;
}

/** pkg/apis/deviceplugin/v1beta1 RegisterRequest */
export interface RegisterRequest {
  readonly version: string;
  /** Name of the plugin's socket in `DEVICE_PLUGIN_PATH`. */
  readonly endpoint: string;
  readonly resourceName: string;
}

/** pkg/apis/deviceplugin/v1beta1 RegistrationServer: what the kubelet serves. */
export interface Registration {
  register(request: RegisterRequest): Promise<void>;
}

/** pkg/apis/deviceplugin/v1beta1 ContainerPreferredAllocationRequest */
export interface PreferredAllocationRequest {
  readonly availableDeviceIds: readonly string[];
  readonly mustIncludeDeviceIds: readonly string[];
  readonly allocationSize: number;
}

/** pkg/apis/deviceplugin/v1beta1 ContainerAllocateResponse: what a container gets with its devices. */
export interface ContainerAllocateResponse {
  readonly envs?: Readonly<Record<string, string>>;
  readonly mounts?: readonly Mount[];
  readonly devices?: readonly DeviceMapping[];
}

/** pkg/apis/deviceplugin/v1beta1 DevicePluginServer: what a plugin serves. */
export interface DevicePlugin {
  getDevicePluginOptions(): DevicePluginOptions;
  /** Calls `send` with all devices, now and whenever something of them changes. Resolves when the plugin stops serving. */
  listAndWatch(send: (devices: readonly Device[]) => void): Promise<void>;
  /** Which devices it would rather give. */
  getPreferredAllocation(request: PreferredAllocationRequest): readonly string[];
  /** For one container. */
  allocate(deviceIds: readonly string[]): ContainerAllocateResponse;
  preStartContainer(deviceIds: readonly string[]): void;
}

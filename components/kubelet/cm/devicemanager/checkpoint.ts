import type { HostFiles } from '../../../../src/api/cri.ts';
import { DEVICE_PLUGIN_PATH } from '../../../../src/api/device-plugin.ts';
import type { PodDevicesEntry } from './pod-devices.ts';

/** What outlives a restart of the kubelet: pkg/kubelet/cm/devicemanager/checkpoint DeviceManagerCheckpoint. */
export interface DeviceManagerCheckpoint {
  readonly podDeviceEntries: readonly PodDevicesEntry[];
  /** Resources that plugins had registered. */
  readonly registeredDevices: readonly string[];
}

/** pkg/kubelet/cm/devicemanager kubeletDeviceManagerCheckpoint */
const PATH = `${DEVICE_PLUGIN_PATH}kubelet_internal_checkpoint`;

export function writeCheckpoint(files: HostFiles, checkpoint: DeviceManagerCheckpoint): void {
  files.writeFile(PATH, JSON.stringify(checkpoint));
}

export function readCheckpoint(files: HostFiles): DeviceManagerCheckpoint | undefined {
  const text = files.readFile(PATH);
  return text === undefined ? undefined : (JSON.parse(text) as DeviceManagerCheckpoint);
}

import type { ContainerAllocateResponse } from '../../../../src/api/device-plugin.ts';

/** Devices of one resource that one container has, and what the plugin said of them. */
export interface PodDevicesEntry {
  readonly podUid: string;
  readonly containerName: string;
  readonly resourceName: string;
  readonly deviceIds: readonly string[];
  readonly allocResp: ContainerAllocateResponse;
}

/** Device ids by resource. */
export type DevicesByResource = Map<string, Set<string>>;

/** pkg/kubelet/cm/devicemanager podDevices: which container has which devices. */
export class PodDevices {
  /** By pod uid; few containers have devices. */
  readonly #byPod = new Map<string, PodDevicesEntry[]>();

  insert(entry: PodDevicesEntry): void {
    const entries = this.#byPod.get(entry.podUid) ?? [];
    this.#byPod.set(entry.podUid, entries);
    entries.push(entry);
  }

  get entries(): readonly PodDevicesEntry[] {
    return [...this.#byPod.values()].flat();
  }

  get pods(): Iterable<string> {
    return this.#byPod.keys();
  }

  delete(podUid: string): void {
    this.#byPod.delete(podUid);
  }

  /** All that a container has. */
  ofContainer(podUid: string, containerName: string): readonly PodDevicesEntry[] {
    return (this.#byPod.get(podUid) ?? []).filter((entry) => entry.containerName === containerName);
  }

  /** pkg/kubelet/cm/devicemanager containerDevices */
  containerDevices(podUid: string, containerName: string, resourceName: string): readonly string[] | undefined {
    return this.ofContainer(podUid, containerName).find((entry) => entry.resourceName === resourceName)?.deviceIds;
  }

  /** pkg/kubelet/cm/devicemanager devices: all that is taken. */
  devices(): DevicesByResource {
    const taken: DevicesByResource = new Map();
    for (const { resourceName, deviceIds } of this.entries) {
      const ids = taken.get(resourceName) ?? new Set();
      for (const id of deviceIds) ids.add(id);
      taken.set(resourceName, ids);
    }
    return taken;
  }
}

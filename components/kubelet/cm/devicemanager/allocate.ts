import type { Container } from '../../../../src/api/kinds/core-v1.ts';
import { parseQuantity } from '../../../../src/api/quantity.ts';
import { DeviceAllocationError } from './device-allocation-error.ts';
import type { Endpoint } from './endpoint.ts';
import type { DevicesByResource, PodDevices } from './pod-devices.ts';

/** What the device manager knows of devices and who has them. */
export interface DeviceState {
  readonly healthy: DevicesByResource;
  readonly unhealthy: DevicesByResource;
  allocated: DevicesByResource;
  readonly podDevices: PodDevices;
  readonly endpointOf: (resource: string) => Endpoint | undefined;
  readonly isPodActive: (uid: string) => boolean;
  readonly isContainerRunning: (uid: string, container: string) => boolean;
  readonly sourcesReady: () => boolean;
}

interface ContainerRequest {
  readonly uid: string;
  readonly container: Container;
  readonly reusable: DevicesByResource;
}

/** pkg/kubelet/cm/devicemanager UpdateAllocatedDevices: pods that have ended give their devices back. `admitting` has no worker yet. */
export function updateAllocatedDevices(state: DeviceState, admitting: string): void {
  const gone = [...state.podDevices.pods].filter((uid) => uid !== admitting && !state.isPodActive(uid));
  if (gone.length === 0) return;
  for (const uid of gone) state.podDevices.delete(uid);
  state.allocated = state.podDevices.devices();
}

/** pkg/kubelet/cm/devicemanager allocateContainerResources. Whether anything was allocated. @throws RpcError, DeviceAllocationError */
export async function allocateContainerResources(state: DeviceState, request: ContainerRequest): Promise<boolean> {
  const { uid, container } = request;
  let changed = false;
  for (const [resource, amount] of Object.entries(container.resources?.limits ?? {})) {
    if (!state.healthy.has(resource)) continue;
    try {
      const ids = await devicesToAllocate(state, request, { resource, needed: parseQuantity(amount).value() });
      if (ids.length === 0) continue;
      const endpoint = state.endpointOf(resource);
      if (!endpoint) throw new DeviceAllocationError(`unknown Device Plugin ${resource}`);
      if (endpoint.stoppedAt !== undefined) throw new DeviceAllocationError(`endpoint ${resource} has been stopped`);
      const allocResp = await endpoint.allocate(ids);
      state.podDevices.insert({ podUid: uid, containerName: container.name, resourceName: resource, deviceIds: ids, allocResp });
      changed = true;
    } catch (error) {
      state.allocated = state.podDevices.devices();
      throw error;
    }
  }
  return changed;
}

/** pkg/kubelet/cm/devicemanager devicesToAllocate: the devices that a container gets now; none if it has them already. They are taken from here on. */
async function devicesToAllocate(
  state: DeviceState,
  { uid, container, reusable }: ContainerRequest,
  { resource, needed }: { readonly resource: string; readonly needed: number },
): Promise<string[]> {
  const had = state.podDevices.containerDevices(uid, container.name, resource) ?? [];
  const more = needed - had.length;
  if (had.length > 0 && more !== 0)
    throw new DeviceAllocationError(
      `pod "${uid}" container "${container.name}" changed request for resource "${resource}" from ${had.length} to ${needed}`,
    );
  // A container that runs when the kubelet starts has its devices, whatever became of the plugin.
  if (!state.sourcesReady() && state.isContainerRunning(uid, container.name)) return [];
  const healthy = state.healthy.get(resource) ?? new Set<string>();
  if (healthy.size === 0) throw new DeviceAllocationError(`no healthy devices present; cannot allocate unhealthy devices ${resource}`);
  if (had.some((id) => !healthy.has(id)))
    throw new DeviceAllocationError(`previously allocated devices are no longer healthy; cannot allocate unhealthy devices ${resource}`);
  if (more === 0) return [];
  const taken = state.allocated.get(resource) ?? new Set<string>();
  state.allocated.set(resource, taken);
  const chosen = [...(reusable.get(resource) ?? [])].slice(0, more);
  if (chosen.length === more) return chosen;
  const available = [...healthy].filter((id) => !taken.has(id)).sort();
  const rest = more - chosen.length;
  if (available.length < rest)
    throw new DeviceAllocationError(
      `requested number of devices unavailable for ${resource}. Requested: ${rest}, Available: ${available.length}`,
    );
  const preferred = await callGetPreferredAllocationIfAvailable(state.endpointOf(resource), {
    availableDeviceIds: [...available, ...chosen].sort(),
    mustIncludeDeviceIds: chosen,
    allocationSize: more,
  });
  const ordered = [...preferred.filter((id) => available.includes(id)), ...available.filter((id) => !preferred.includes(id))];
  const ids = [...chosen, ...ordered.slice(0, rest)];
  for (const id of ids) taken.add(id);
  return ids;
}

/** pkg/kubelet/cm/devicemanager callGetPreferredAllocationIfAvailable */
async function callGetPreferredAllocationIfAvailable(
  endpoint: Endpoint | undefined,
  request: Parameters<Endpoint['getPreferredAllocation']>[0],
): Promise<readonly string[]> {
  return endpoint?.options.getPreferredAllocationAvailable ? endpoint.getPreferredAllocation(request) : [];
}

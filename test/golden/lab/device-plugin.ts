import {
  type ContainerAllocateResponse,
  DEVICE_PLUGIN_PATH,
  DEVICE_PLUGIN_VERSION,
  type Device,
  type DevicePlugin,
  type DevicePluginOptions,
  KUBELET_SOCKET,
  type PreferredAllocationRequest,
  type Registration,
} from '../../../src/api/device-plugin.ts';
import { RpcError } from '../../../src/api/rpc-error.ts';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import type { Actor } from '../../../src/sim/actor.ts';
import type { LabRequest, LabSystem } from './system.ts';

const NODE = 'n1';
const RPC_MS = 1;

interface Body {
  readonly resource?: string;
  readonly endpoint?: string;
  readonly version?: string;
  readonly devices?: readonly { readonly id: string; readonly health?: Device['health'] }[];
  readonly preStartRequired?: boolean;
  readonly getPreferredAllocationAvailable?: boolean;
  readonly allocateError?: string;
  readonly preStartError?: string;
  readonly deviceNodes?: boolean;
}

/** The plugin of the recordings: it does what it is told, and notes what it is asked. */
class RecordedPlugin implements DevicePlugin {
  readonly actor: Actor;
  #calls: unknown[] = [];
  #body: Body;
  #send: ((devices: readonly Device[]) => void) | undefined;

  constructor(actor: Actor, body: Body) {
    this.actor = actor;
    this.#body = body;
  }

  takeCalls(): unknown[] {
    const calls = this.#calls;
    this.#calls = [];
    return calls;
  }

  setDevices({ devices = [] }: Body): void {
    this.#body = { ...this.#body, devices };
    this.#send?.(this.#devices());
  }

  setErrors({ allocateError, preStartError }: Body): void {
    const { allocateError: _, preStartError: __, ...rest } = this.#body;
    this.#body = { ...rest, ...(allocateError ? { allocateError } : {}), ...(preStartError ? { preStartError } : {}) };
  }

  getDevicePluginOptions(): DevicePluginOptions {
    this.#calls.push({ call: 'GetDevicePluginOptions' });
    const { preStartRequired = false, getPreferredAllocationAvailable = false } = this.#body;
    return { preStartRequired, getPreferredAllocationAvailable };
  }

  listAndWatch(send: (devices: readonly Device[]) => void): Promise<void> {
    this.#calls.push({ call: 'ListAndWatch' });
    this.#send = send;
    send(this.#devices());
    return new Promise(() => {});
  }

  getPreferredAllocation({ availableDeviceIds, mustIncludeDeviceIds, allocationSize }: PreferredAllocationRequest): readonly string[] {
    const must = mustIncludeDeviceIds.length > 0 ? { must_include_deviceIDs: [...mustIncludeDeviceIds].sort() } : {};
    const request = { available_deviceIDs: [...availableDeviceIds].sort(), ...must, allocation_size: allocationSize };
    this.#calls.push({ call: 'GetPreferredAllocation', request: { container_requests: [request] } });
    return [...availableDeviceIds].sort().reverse().slice(0, allocationSize);
  }

  allocate(deviceIds: readonly string[]): ContainerAllocateResponse {
    const ids = [...deviceIds].sort();
    this.#calls.push({ call: 'Allocate', request: { container_requests: [{ devices_ids: ids }] } });
    if (this.#body.allocateError) throw new RpcError('Internal', this.#body.allocateError);
    const devices = this.#body.deviceNodes ? ids.map((id) => deviceFile(`/dev/nvidia${id.at(-1) ?? ''}`)) : [];
    return { envs: { NVIDIA_VISIBLE_DEVICES: ids.join(',') }, devices };
  }

  preStartContainer(deviceIds: readonly string[]): void {
    this.#calls.push({ call: 'PreStartContainer', request: { devices_ids: [...deviceIds].sort() } });
    if (this.#body.preStartError) throw new RpcError('Internal', this.#body.preStartError);
  }

  #devices(): Device[] {
    return (this.#body.devices ?? []).map(({ id, health = 'Healthy' }) => ({ id, health }));
  }
}

const deviceFile = (path: string) => ({ containerPath: path, hostPath: path, permissions: 'rw' });

const plugins = new WeakMap<Cluster, Map<string, RecordedPlugin>>();

function pluginsOf(cluster: Cluster): Map<string, RecordedPlugin> {
  const known = plugins.get(cluster) ?? new Map<string, RecordedPlugin>();
  plugins.set(cluster, known);
  return known;
}

const endpointOf = (body: unknown): string => (body as Body).endpoint ?? 'nvidia-gpu.sock';

async function start({ cluster, body }: LabRequest): Promise<void> {
  const { resource = 'nvidia.com/gpu', version = DEVICE_PLUGIN_VERSION } = body as Body;
  const endpoint = endpointOf(body);
  stop({ cluster, body });
  const sockets = cluster.machines.get(NODE)?.sockets;
  const name = `device-plugin ${endpoint}`;
  const actor = cluster.simulation.actors.get(name) ?? cluster.simulation.actor(name, () => {});
  actor.start();
  const plugin = new RecordedPlugin(actor, body as Body);
  pluginsOf(cluster).set(endpoint, plugin);
  sockets?.listen<DevicePlugin>(DEVICE_PLUGIN_PATH + endpoint, { process: actor, service: plugin });
  const kubelet = sockets?.at<Registration>(KUBELET_SOCKET);
  if (!kubelet) throw new Error(`there is no kubelet on ${NODE}`);
  const register = () => kubelet.service.register({ version, endpoint, resourceName: resource });
  await new Promise<void>((resolve, reject) => {
    actor.schedule(0, () => void actor.call(kubelet.process, register, { requestMs: RPC_MS, responseMs: RPC_MS }).then(resolve, reject));
  });
}

function stop({ cluster, body }: Pick<LabRequest, 'cluster' | 'body'>): void {
  const endpoint = endpointOf(body);
  pluginsOf(cluster).get(endpoint)?.actor.crash();
  cluster.machines.get(NODE)?.sockets.remove(DEVICE_PLUGIN_PATH + endpoint);
}

export const DEVICE_PLUGIN_LAB: LabSystem = {
  // The kubelets of the recordings look at their node's status every second.
  clusterFor: ({ needs }) => (needs?.includes('/lab/device-plugin') ? { flags: { kubelet: { 'node-status-update-frequency': '1s' } } } : {}),
  routes: {
    '/lab/device-plugin/start': start,
    '/lab/device-plugin/stop': stop,
    '/lab/device-plugin/devices': ({ cluster, body }) => pluginsOf(cluster).get(endpointOf(body))?.setDevices(body as Body),
    '/lab/device-plugin/fail': ({ cluster, body }) => pluginsOf(cluster).get(endpointOf(body))?.setErrors(body as Body),
    '/lab/device-plugin/calls': ({ cluster, query }) => pluginsOf(cluster).get(query.get('endpoint') ?? endpointOf({}))?.takeCalls() ?? [],
  },
};

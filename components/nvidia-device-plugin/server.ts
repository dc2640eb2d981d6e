import {
  DEVICE_PLUGIN_PATH,
  DEVICE_PLUGIN_VERSION,
  type DevicePlugin,
  KUBELET_SOCKET,
  type Registration,
} from '../../src/api/device-plugin.ts';
import { RpcError } from '../../src/api/rpc-error.ts';
import type { UnixSockets } from '../../src/api/unix-sockets.ts';
import { callRpc, RPC_MS } from '../../src/client/rpc.ts';
import type { Actor } from '../../src/sim/actor.ts';
import { type Gpus, NvidiaDevicePlugin } from './plugin.ts';

const RESOURCE = 'nvidia.com/gpu';
const ENDPOINT = 'nvidia-gpu.sock';
/** k8s-device-plugin cmd/nvidia-device-plugin: plugins that could not start are started again after this. */
const RETRY_MS = 30_000;

/** Runs the plugin of one node: k8s-device-plugin cmd/nvidia-device-plugin. It registers now, and again whenever a kubelet makes its socket anew. */
export function runNvidiaDevicePlugin({ actor, sockets, gpus }: { actor: Actor; sockets: UnixSockets<Actor>; gpus: Gpus }): void {
  const { incarnation } = actor;
  const stopWatching = sockets.watch(KUBELET_SOCKET, () => {
    if (actor.incarnation !== incarnation || actor.state === 'crashed') stopWatching();
    else actor.schedule(RPC_MS, () => serve({ actor, sockets, gpus }));
  });
  actor.schedule(0, () => serve({ actor, sockets, gpus }));
}

/** k8s-device-plugin internal/plugin Start: Serve, then Register. */
async function serve(parts: { actor: Actor; sockets: UnixSockets<Actor>; gpus: Gpus }): Promise<void> {
  const { actor, sockets, gpus } = parts;
  const kubelet = sockets.at<Registration>(KUBELET_SOCKET);
  // The kubelet makes its socket when it starts: that is waited for.
  if (!kubelet) return;
  const plugin = new NvidiaDevicePlugin(actor.simulation, gpus);
  sockets.listen<DevicePlugin>(DEVICE_PLUGIN_PATH + ENDPOINT, { process: actor, service: plugin });
  const request = { version: DEVICE_PLUGIN_VERSION, endpoint: ENDPOINT, resourceName: RESOURCE };
  try {
    await callRpc(actor, kubelet, (registration) => registration.register(request));
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    plugin.stop();
    actor.schedule(RETRY_MS, () => serve(parts), { priority: 'background' });
  }
}

import type { HostFiles } from '../../src/api/cri.ts';
import { type CsiNode, PLUGINS_PATH, PLUGINS_REGISTRY_PATH, type PluginRegistration } from '../../src/api/csi.ts';
import type { UnixSockets } from '../../src/api/unix-sockets.ts';
import type { Actor } from '../../src/sim/actor.ts';
import type { CsiDriver } from './driver.ts';

/** Where node-driver-registrar of a driver listens. */
export const registrationSocket = (driver: string): string => `${PLUGINS_REGISTRY_PATH}${driver}-reg.sock`;

/**
 * The driver on one node, with the registrar beside it (github.com/kubernetes-csi/node-driver-registrar): it serves, and the kubelet finds it by its socket in the
 * registry.
 */
export function runNodePlugin({
  actor,
  sockets,
  driver,
  node,
  files,
}: {
  actor: Actor;
  sockets: UnixSockets<Actor>;
  driver: CsiDriver;
  node: string;
  files: HostFiles;
}): void {
  const { name } = driver.options;
  const endpoint = `${PLUGINS_PATH}${name}/csi.sock`;
  sockets.listen<CsiNode>(endpoint, { process: actor, service: driver.nodeService(node, files) });
  const service: PluginRegistration = { getInfo: () => ({ type: 'CSIPlugin', name, endpoint }) };
  sockets.listen<PluginRegistration>(registrationSocket(name), { process: actor, service });
}

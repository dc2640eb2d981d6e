import { DEVICE_PLUGIN_PATH, DEVICE_PLUGIN_VERSION, type DevicePlugin, type RegisterRequest } from '../../../../src/api/device-plugin.ts';
import { RpcError } from '../../../../src/api/rpc-error.ts';
import type { UnixSockets } from '../../../../src/api/unix-sockets.ts';
import type { Actor } from '../../../../src/sim/actor.ts';
import { Endpoint } from './endpoint.ts';

/** pkg/kubelet/cm/devicemanager/plugin/v1beta1 server.Register, up to the connection to the plugin. @throws RpcError */
export function connectClient(kubelet: Actor, sockets: UnixSockets<Actor>, request: RegisterRequest): Endpoint {
  const { version, endpoint, resourceName } = request;
  if (version !== DEVICE_PLUGIN_VERSION)
    throw new RpcError(
      'Unknown',
      `requested API version "${version}" is not supported by kubelet. Supported version is ["${DEVICE_PLUGIN_VERSION}"]`,
    );
  if (!isExtendedResourceName(resourceName)) throw new RpcError('Unknown', `the ResourceName "${resourceName}" is invalid`);
  const server = sockets.at<DevicePlugin>(DEVICE_PLUGIN_PATH + endpoint);
  if (!server)
    throw new RpcError(
      'Unknown',
      `failed to dial device plugin with socketPath ${DEVICE_PLUGIN_PATH}${endpoint}: failed to dial device plugin: context deadline exceeded`,
    );
  return new Endpoint(kubelet, server);
}

/** pkg/apis/core/v1/helper IsExtendedResourceName */
function isExtendedResourceName(name: string): boolean {
  const [domain = '', own, ...more] = name.split('/');
  if (own === undefined || more.length > 0 || domain.includes('kubernetes.io') || name.startsWith('requests.')) return false;
  const label = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
  return /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(domain) && label.test(own);
}

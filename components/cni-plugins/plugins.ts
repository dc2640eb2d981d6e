import { CniError, type CniPlugin } from '../../src/api/cni.ts';
import type { Random } from '../../src/sim/random.ts';
import { bridge } from './bridge.ts';
import { INTERNAL } from './error-code.ts';
import { hostLocal } from './host-local.ts';
import { loopback } from './loopback.ts';
import { type HostPorts, portmap } from './portmap.ts';

/** What lies in /opt/cni/bin of a node where the plugins of containernetworking are installed. */
export function installCniPlugins(node: { readonly random: Random; readonly hostPorts: HostPorts }): Map<string, CniPlugin> {
  const plugins = new Map<string, CniPlugin>();
  const ipam = (type: string): CniPlugin => {
    const plugin = plugins.get(type);
    if (!plugin) throw new CniError(INTERNAL, `failed to find plugin "${type}" in path [/opt/cni/bin]`);
    return plugin;
  };
  plugins.set('loopback', loopback);
  plugins.set('bridge', bridge({ random: node.random, ipam }));
  plugins.set('host-local', hostLocal());
  plugins.set('portmap', portmap(node.hostPorts));
  return plugins;
}

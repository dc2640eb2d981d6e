import { CniError, type CniPlugin, type CniPortMapping } from '../../src/api/cni.ts';
import { INTERNAL } from './error-code.ts';

/** The node's rules about its own ports, in its packet filter. */
export interface HostPorts {
  /** From now on the port of the node leads there. */
  map(mapping: CniPortMapping, to: { readonly ip: string; readonly owner: string }): void;
  /** Takes back what was set up for `owner`. */
  unmap(owner: string): void;
}

/** The plugin portmap: ports of the node that lead to a pod (`hostPort`). It comes after another plugin, whose result it hands on. */
export function portmap(ports: HostPorts): CniPlugin {
  return ({ command, containerId }, { prevResult, runtimeConfig }) => {
    const mappings = runtimeConfig?.portMappings ?? [];
    if (command === 'DEL') {
      ports.unmap(containerId);
      return undefined;
    }
    if (!prevResult) throw new CniError(INTERNAL, command === 'CHECK' ? 'Required prevResult missing' : 'must be called as chained plugin');
    const [address = ''] = prevResult.ips?.[0]?.address.split('/') ?? [];
    if (command === 'CHECK') return undefined;
    for (const mapping of mappings) ports.map(mapping, { ip: address, owner: containerId });
    return prevResult;
  };
}

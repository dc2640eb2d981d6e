import type { CniNetConfList, CniPluginConf } from '../../../src/api/cni.ts';
import { isRecord } from '../../../src/api/is-record.ts';

/** Where the runtime looks for its network: containerd's `conf_dir`. */
export const CNI_CONF_DIR = '/etc/cni/net.d';
/** Where the programs are: containerd's `bin_dir`. */
export const CNI_BIN_DIR = '/opt/cni/bin';
/** The file that the node's setup wrote. */
export const CNI_CONF_FILE = `${CNI_CONF_DIR}/10-bridge.conflist`;

/** What pods get addresses from: containernetworking/plugins host-local Range. */
export interface PodRange {
  readonly subnet: string;
  readonly rangeStart?: string;
  readonly rangeEnd?: string;
}

/** The configuration of a node with bridge, host-local and portmap, as containerd's documentation gives it. */
export function bridgeConfList(range: PodRange): string {
  const bridge = {
    type: 'bridge',
    bridge: 'cni0',
    isGateway: true,
    ipMasq: true,
    hairpinMode: true,
    ipam: { type: 'host-local', ranges: [[range]], routes: [{ dst: '0.0.0.0/0' }] },
  };
  const plugins = [bridge, { type: 'portmap', capabilities: { portMappings: true } }];
  return `${JSON.stringify({ cniVersion: '1.0.0', name: 'bridge', plugins }, null, 2)}\n`;
}

/** What go-cni calls besides for every pod: WithLoNetwork. */
export const LOOPBACK_NETWORK: CniNetConfList = { cniVersion: '0.3.1', name: 'cni-loopback', plugins: [{ type: 'loopback' }] };

/** libcni ConfListFromBytes, ConfFromBytes: a list, or one plugin alone. Undefined when it is neither. */
export function parseNetworkConfig(text: string): CniNetConfList | undefined {
  let conf: unknown;
  try {
    conf = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(conf) || typeof conf['name'] !== 'string') return undefined;
  const { name, cniVersion: version, plugins: list, ...rest } = conf;
  const plugins: readonly unknown[] = Array.isArray(list) ? list : [rest];
  if (plugins.length === 0 || !plugins.every(isPluginConf)) return undefined;
  return { name, cniVersion: typeof version === 'string' ? version : '', plugins };
}

function isPluginConf(value: unknown): value is CniPluginConf {
  return isRecord(value) && typeof value['type'] === 'string';
}

import { type CniEnvironment, CniError, type CniNetConf, type CniPlugin, type CniResult } from '../../src/api/cni.ts';
import type { Random } from '../../src/sim/random.ts';
import { INTERNAL } from './error-code.ts';

interface BridgeParts {
  /** Makes up the names and hardware addresses that a kernel makes up. */
  readonly random: Random;
  /** The plugin that `ipam.type` names. @throws CniError when it is not there */
  readonly ipam: (type: string) => CniPlugin;
}

const DEFAULT_BRIDGE = 'cni0';

/** The plugin bridge: a pair of interfaces between the pod and a bridge of the node, with an address that an IPAM plugin gives. */
export function bridge({ random, ipam }: BridgeParts): CniPlugin {
  /** Bridges of the node, by name: their hardware addresses. */
  const bridges = new Map<string, string>();

  const add = (environment: CniEnvironment, stdin: CniNetConf): CniResult => {
    const name = bridgeName(stdin);
    const mac = bridges.get(name) ?? hardwareAddress(random);
    bridges.set(name, mac);
    const host = { name: `veth${random.hex(8)}`, mac: hardwareAddress(random) };
    const pod = { name: environment.ifname, mac: hardwareAddress(random), sandbox: environment.netns };
    const type = ipamType(stdin);
    const given = type === undefined ? undefined : ipam(type)(environment, stdin);
    if (type !== undefined && !given?.ips?.length) throw new CniError(INTERNAL, 'IPAM plugin returned missing IP config');
    return {
      cniVersion: stdin.cniVersion,
      interfaces: [{ name, mac }, host, pod],
      ...(given?.ips ? { ips: given.ips.map((ip) => ({ interface: 2, ...ip })) } : {}),
      ...(given?.routes ? { routes: given.routes } : {}),
      dns: given?.dns ?? {},
    };
  };

  return (environment, stdin) => {
    if (environment.command === 'ADD') return add(environment, stdin);
    const type = ipamType(stdin);
    if (type !== undefined) ipam(type)(environment, stdin);
    if (environment.command === 'CHECK') check(environment, stdin, bridges);
    return undefined;
  };
}

/** plugins/main/bridge cmdCheck: what ADD answered must still be there. */
function check({ ifname, netns }: CniEnvironment, stdin: CniNetConf, bridges: ReadonlyMap<string, string>): void {
  const { prevResult } = stdin;
  if (!prevResult) throw new CniError(INTERNAL, 'Required prevResult missing');
  const name = bridgeName(stdin);
  if (!bridges.has(name)) throw new CniError(INTERNAL, `Bridge interface ${name} not found`);
  const found = prevResult.interfaces?.find((candidate) => candidate.name === ifname);
  if (found?.sandbox !== netns)
    throw new CniError(INTERNAL, `Sandbox in prevResult ${found?.sandbox ?? ''} doesn't match configured netns: ${netns}`);
}

function bridgeName(stdin: CniNetConf): string {
  return typeof stdin['bridge'] === 'string' && stdin['bridge'] ? stdin['bridge'] : DEFAULT_BRIDGE;
}

function ipamType(stdin: CniNetConf): string | undefined {
  return (stdin['ipam'] as { readonly type?: string } | undefined)?.type;
}

/** Locally administered, for one receiver: the second digit is 2, 6, a or e. */
function hardwareAddress(random: Random): string {
  const digits = random.hex(10);
  const first = `${digits[0]}${'26ae'[random.integer(4)]}`;
  const rest = [digits.slice(1, 3), digits.slice(3, 5), digits.slice(5, 7), digits.slice(7, 9), `${digits[9]}${digits[0]}`];
  return [first, ...rest].join(':');
}

import { type CniEnvironment, CniError, type CniNetConf, type CniPlugin, type CniResult } from '../../src/api/cni.ts';
import { shortHash } from '../../src/api/sha256.ts';
import type { DataStore } from './data-store.ts';

/** containernetworking/cni pkg/types ErrInternal: what errors without a code of their own end with. */
const INTERNAL = 999;
const UNREACHABLE =
  'rpc error: code = Unavailable desc = connection error: desc = "transport: Error while dialing: dial tcp 127.0.0.1:50051: connect: connection refused"';

/** The program aws-cni: asks ipamd on the same machine for an address, and connects the pod. cmd/routed-eni-cni-plugin add, del @param ipamd what it serves, while it runs */
export function awsCni(ipamd: () => DataStore | undefined): CniPlugin {
  return (environment, stdin) => {
    const store = ipamd();
    switch (environment.command) {
      case 'ADD': {
        if (!store) throw new CniError(INTERNAL, `add cmd: Error received from AddNetwork gRPC call: ${UNREACHABLE}`);
        const ip = store.assign(ownerOf(environment));
        if (ip === undefined) throw new CniError(INTERNAL, 'add cmd: failed to assign an IP address to container');
        return resultOf(environment, stdin, ip);
      }
      case 'DEL':
        // A pod that never had an address has none to give back.
        if (!store && stdin.prevResult) throw new CniError(INTERNAL, `del cmd: error received from DelNetwork gRPC call: ${UNREACHABLE}`);
        store?.unassign(ownerOf(environment));
        return undefined;
      case 'CHECK':
        return undefined;
    }
  };
}

/** pkg/ipamd/datastore IPAMKey */
function ownerOf({ containerId, ifname }: CniEnvironment): string {
  return `aws-cni/${containerId}/${ifname}`;
}

function resultOf({ args, ifname, netns }: CniEnvironment, { cniVersion, vethPrefix }: CniNetConf, ip: string): CniResult {
  const [, namespace = '', name = ''] = /K8S_POD_NAMESPACE=([^;]*);K8S_POD_NAME=([^;]*)/.exec(args) ?? [];
  const host = `${typeof vethPrefix === 'string' ? vethPrefix : 'eni'}${shortHash(`${namespace}.${name}`).slice(0, 11).toLowerCase()}`;
  return {
    cniVersion,
    interfaces: [{ name: host }, { name: ifname, sandbox: netns }],
    ips: [{ interface: 1, address: `${ip}/32` }],
    dns: {},
  };
}

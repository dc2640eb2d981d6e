import type { CniPlugin } from '../../src/api/cni.ts';

const IPS = [{ address: '127.0.0.1/8' }, { address: '::1/128' }].map((ip) => ({ interface: 0, ...ip }));

/** The plugin loopback: brings `lo` up. */
export const loopback: CniPlugin = ({ command, netns }, { cniVersion, prevResult }) => {
  if (command !== 'ADD') return undefined;
  return (
    prevResult ?? {
      cniVersion,
      interfaces: [{ name: 'lo', mac: '00:00:00:00:00:00', sandbox: netns }],
      ips: IPS,
      dns: {},
    }
  );
};

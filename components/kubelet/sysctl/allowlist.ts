import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import type { Refusal } from '../lifecycle/admission.ts';

/** pkg/kubelet/sysctl SafeSysctlAllowlist */
const SAFE = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_rmem',
  'net.ipv4.tcp_wmem',
];

/** Of which namespace of the kernel a parameter is: pkg/kubelet/sysctl NamespacedBy */
const IPC = /^(kernel\.(sem$|shm|msg)|fs\.mqueue\.)/;
const NET = /^net\./;

/**
 * Kernel parameters that a pod may set on this node: pkg/kubelet/sysctl patternAllowlist.
 * @param unsafe KubeletConfiguration allowedUnsafeSysctls: names, or their beginnings with `*`
 * @returns what asks for others is refused
 */
export function sysctlAllowlist(unsafe: readonly string[]): (pod: Pod) => Refusal | undefined {
  const exact = new Set([...SAFE, ...unsafe.filter((name) => !name.endsWith('*'))]);
  const prefixes = unsafe.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  const isAllowed = (name: string): boolean => exact.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
  return ({ spec }) => {
    for (const sysctl of spec?.securityContext?.sysctls ?? []) {
      const name = sysctl.name.replaceAll('/', '.');
      const forbidden = (why: string): Refusal => ({
        reason: 'SysctlForbidden',
        message: `forbidden sysctl: ${JSON.stringify(name)} ${why}`,
      });
      if (!isAllowed(name)) return forbidden('not allowlisted');
      if (spec?.hostIPC && IPC.test(name)) return forbidden('not allowed with host ipc enabled');
      if (spec?.hostNetwork && NET.test(name)) return forbidden('not allowed with host net enabled');
    }
    return undefined;
  };
}

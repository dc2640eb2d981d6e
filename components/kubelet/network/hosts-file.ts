import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { podHostNameAndDomain } from './pod-hostname.ts';

const LOCAL = [
  '127.0.0.1\tlocalhost',
  '::1\tlocalhost ip6-localhost ip6-loopback',
  'fe00::0\tip6-localnet',
  'fe00::0\tip6-mcastprefix',
  'fe00::1\tip6-allnodes',
  'fe00::2\tip6-allrouters',
];

/**
 * What stands in /etc/hosts of a pod's containers: pkg/kubelet/kubelet_pods.go ensureHostsFile.
 * @param ofNode the node's own file, for pods with its network
 */
export function hostsFileContent(pod: Pod, { podIps, ofNode }: { readonly podIps: readonly string[]; readonly ofNode: string }): string {
  const aliases = hostAliases(pod);
  if (pod.spec?.hostNetwork) return `# Kubernetes-managed hosts file (host network).\n${ofNode}${aliases}`;
  const { hostname, domain } = podHostNameAndDomain(pod);
  const names = domain ? `${hostname}.${domain}\t${hostname}` : hostname;
  return `${['# Kubernetes-managed hosts file.', ...LOCAL, ...podIps.map((ip) => `${ip}\t${names}`)].join('\n')}\n${aliases}`;
}

function hostAliases({ spec }: Pod): string {
  const lines = (spec?.hostAliases ?? []).map(({ ip, hostnames = [] }) => `${ip}\t${hostnames.join('\t')}\n`);
  return lines.length > 0 ? `\n# Entries added by HostAliases.\n${lines.join('')}` : '';
}

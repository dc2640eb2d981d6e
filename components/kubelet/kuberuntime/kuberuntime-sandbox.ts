import type { CniPortMapping } from '../../../src/api/cni.ts';
import type { DnsConfig, PodSandboxConfig } from '../../../src/api/cri.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { inOnePiece } from '../../../src/api/one-piece.ts';

/** pkg/kubelet/kuberuntime generatePodSandboxConfig */
export function generatePodSandboxConfig(
  pod: Pod,
  { attempt, hostname, dnsConfig }: { readonly attempt: number; readonly hostname: string; readonly dnsConfig: DnsConfig },
): PodSandboxConfig {
  const { name = '', namespace = '', uid = '' } = pod.metadata;
  const hostNetwork = pod.spec?.hostNetwork ?? false;
  return {
    metadata: { name, namespace, uid, attempt },
    hostname,
    hostNetwork,
    dnsConfig,
    logDirectory: inOnePiece(`/var/log/pods/${namespace}_${name}_${uid}`),
    ...(hostNetwork ? {} : portMappings(pod)),
  };
}

/** pkg/kubelet/container MakePortMappings, for ports of the node only: the runtime passes over the others. */
function portMappings(pod: Pod): Pick<PodSandboxConfig, 'portMappings'> {
  const mappings: CniPortMapping[] = [];
  for (const { ports = [] } of pod.spec?.containers ?? []) {
    for (const { hostPort, containerPort, protocol = 'TCP', hostIP } of ports) {
      if (hostPort) mappings.push({ hostPort, containerPort, protocol: protocol.toLowerCase(), ...(hostIP ? { hostIP } : {}) });
    }
  }
  return mappings.length > 0 ? { portMappings: mappings } : {};
}

import type { PodSandboxConfig } from '../../../src/api/cri.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';

/** pkg/kubelet/kuberuntime generatePodSandboxConfig */
export function generatePodSandboxConfig(pod: Pod, attempt: number, nodeName: string): PodSandboxConfig {
  const { name = '', namespace = '', uid = '' } = pod.metadata;
  const hostNetwork = pod.spec?.hostNetwork ?? false;
  return {
    metadata: { name, namespace, uid, attempt },
    hostname: hostNetwork ? nodeName : (pod.spec?.hostnameOverride ?? pod.spec?.hostname ?? name).slice(0, 63),
    hostNetwork,
    logDirectory: `/var/log/pods/${namespace}_${name}_${uid}`,
  };
}

import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import { CLUSTER_DOMAIN } from '../constants.ts';

/** What a kernel takes: pkg/kubelet/util fqdnMaxLen; validation DNS1123LabelMaxLength */
const FQDN_MAX = 64;
const LABEL_MAX = 63;

interface HostNameAndDomain {
  readonly hostname: string;
  /** Empty without a subdomain. */
  readonly domain: string;
}

/** pkg/kubelet/kubelet_pods.go GeneratePodHostNameAndDomain */
export function podHostNameAndDomain({ metadata, spec }: Pod): HostNameAndDomain {
  const own = spec?.hostnameOverride ?? spec?.hostname ?? metadata.name ?? '';
  const domain = spec?.subdomain ? `${spec.subdomain}.${metadata.namespace}.svc.${CLUSTER_DOMAIN}` : '';
  return { hostname: own.slice(0, LABEL_MAX).replace(/[-.]+$/, ''), domain };
}

/** pkg/kubelet/util GetNodenameForKernel: the name that the kernel of the pod has, or why it cannot have it. */
export function nodenameForKernel(pod: Pod): string | { readonly error: string } {
  const { hostname, domain } = podHostNameAndDomain(pod);
  if (!pod.spec?.setHostnameAsFQDN || !domain) return hostname;
  const fqdn = `${hostname}.${domain}`;
  if (fqdn.length <= FQDN_MAX) return fqdn;
  return {
    error: `failed to construct FQDN from pod hostname and cluster domain, FQDN ${fqdn} is too long (${FQDN_MAX} characters is the max, ${fqdn.length} characters requested)`,
  };
}

import type { Netfilter } from './iptables/netfilter.ts';

/** Settings of one kube-proxy: pkg/proxy/apis/config KubeProxyConfiguration, as far as they are modelled. */
export interface KubeProxyConfiguration {
  readonly nodeName: string;
  /** The range of pod addresses, by which pods are told from others; what others send to a cluster IP is masqueraded. */
  readonly clusterCIDR: string | undefined;
  /** The packet filter of the node. It outlives kube-proxy: rules stay when it goes down. */
  readonly netfilter: Netfilter | undefined;
}

/** `clusterCIDR` is where the runtime's own network takes pod addresses from. */
export const DEFAULT_KUBE_PROXY_CONFIGURATION: Omit<KubeProxyConfiguration, 'nodeName'> = {
  clusterCIDR: '10.128.0.0/9',
  netfilter: undefined,
};

import type { DnsConfig } from '../../../src/api/cri.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';
import type { EventRecorder } from '../../../src/client/event-recorder.ts';
import { CLUSTER_DNS, CLUSTER_DOMAIN, NODE_DNS } from '../constants.ts';

/** pkg/apis/core/validation MaxDNSNameservers, MaxDNSSearchPaths */
const MAX_NAMESERVERS = 3;
const MAX_SEARCH_PATHS = 32;

/** What stands in a pod's /etc/resolv.conf: pkg/kubelet/network/dns GetPodDNS. Tells of what is too much. */
export function getPodDNS(recorder: EventRecorder, pod: Pod): DnsConfig {
  const base = baseOf(pod);
  const { nameservers = [], searches = [], options = [] } = pod.spec?.dnsConfig ?? {};
  const merged = new Map(base.options.map((option): [string, string] => split(option)));
  for (const { name = '', value = '' } of options) merged.set(name, value);
  return withinLimits(recorder, pod, {
    servers: [...new Set([...base.servers, ...nameservers])],
    searches: [...new Set([...base.searches, ...searches])],
    options: [...merged].map(([name, value]) => (value ? `${name}:${value}` : name)),
  });
}

/** pkg/kubelet/network/dns getPodDNSType */
function baseOf({ metadata, spec }: Pod): DnsConfig {
  const { dnsPolicy = 'ClusterFirst', hostNetwork = false } = spec ?? {};
  if (dnsPolicy === 'None') return { servers: [], searches: [], options: [] };
  if (dnsPolicy === 'Default' || (dnsPolicy === 'ClusterFirst' && hostNetwork)) return { servers: [NODE_DNS], searches: [], options: [] };
  const services = `svc.${CLUSTER_DOMAIN}`;
  return { servers: [CLUSTER_DNS], searches: [`${metadata.namespace}.${services}`, services, CLUSTER_DOMAIN], options: ['ndots:5'] };
}

function split(option: string): [string, string] {
  const colon = option.indexOf(':');
  return colon < 0 ? [option, ''] : [option.slice(0, colon), option.slice(colon + 1)];
}

/** pkg/kubelet/network/dns formDNSConfigFitsLimits */
function withinLimits(recorder: EventRecorder, pod: Pod, config: DnsConfig): DnsConfig {
  const servers = config.servers.slice(0, MAX_NAMESERVERS);
  const searches = config.searches.slice(0, MAX_SEARCH_PATHS);
  const tell = (message: string): void => recorder.event(pod, 'Warning', 'DNSConfigForming', message);
  if (searches.length < config.searches.length)
    tell(`Search Line limits were exceeded, some search paths have been omitted, the applied search line is: ${searches.join(' ')}`);
  if (servers.length < config.servers.length)
    tell(`Nameserver limits were exceeded, some nameservers have been omitted, the applied nameserver line is: ${servers.join(' ')}`);
  return { ...config, servers, searches };
}

import type { DnsConfig } from './cri.ts';
import type { DnsAnswer, NameResolver } from './network.ts';

/** How names are looked up, as `/etc/resolv.conf` says it: resolv.conf(5). */
export interface ResolvConf {
  /** Who is asked: the DNS service of the cluster, if absent. */
  readonly nameservers?: readonly string[];
  /** Domains that are tried after a name. */
  readonly search: readonly string[];
  /** A name with at least so many dots is tried as it is first. */
  readonly ndots: number;
}

/** What kubelets write for pods with dnsPolicy ClusterFirst: pkg/kubelet/network/dns. */
export function clusterFirst(namespace: string, clusterDomain = 'cluster.local'): ResolvConf {
  return { search: [`${namespace}.svc.${clusterDomain}`, `svc.${clusterDomain}`, clusterDomain], ndots: 5 };
}

/** The same of what a kubelet tells a runtime. */
export function resolvConfOf({ servers, searches, options }: DnsConfig): ResolvConf {
  const ndots = options.find((option) => option.startsWith('ndots:'))?.slice('ndots:'.length) ?? '1';
  return { nameservers: servers, search: searches, ndots: Number(ndots) };
}

/** The text of the file: containerd internal/cri/server parseDNSOptions. */
export function resolvConfText({ servers, searches, options }: DnsConfig): string {
  const lines = [
    ...(searches.length > 0 ? [`search ${searches.join(' ')}`] : []),
    ...servers.map((server) => `nameserver ${server}`),
    ...(options.length > 0 ? [`options ${options.join(' ')}`] : []),
  ];
  return lines.map((line) => `${line}\n`).join('');
}

/** What a lookup came to: the names tried, in order, and the answer to the last. */
export interface HostLookup {
  readonly tried: readonly string[];
  /** Empty when there is no such name, or nobody answered: see `code`. */
  readonly addresses: readonly string[];
  readonly code: DnsAnswer['code'];
}

/** The names that are tried for `name`, in order; with a dot at the end. */
function candidateNames(name: string, { search, ndots }: ResolvConf): string[] {
  if (name.endsWith('.')) return [name];
  const absolute = `${name}.`;
  const searched = search.map((domain) => `${name}.${domain}.`);
  return name.split('.').length - 1 >= ndots ? [absolute, ...searched] : [...searched, absolute];
}

/**
 * Looks up the addresses of a host as the C library of a container does. An address stands for itself.
 * @example lookupHost('web', clusterFirst('default'), resolver).addresses // ['10.96.4.7']
 */
export function lookupHost(name: string, conf: ResolvConf, resolver: NameResolver): HostLookup {
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(name) || name.includes(':')) return { tried: [], addresses: [name], code: 'NOERROR' };
  if (name === 'localhost') return { tried: [], addresses: ['127.0.0.1'], code: 'NOERROR' };
  const tried: string[] = [];
  let code: DnsAnswer['code'] = 'NXDOMAIN';
  for (const candidate of candidateNames(name, conf)) {
    tried.push(candidate);
    const answers = (['A', 'AAAA'] as const).map((type) => resolver.resolve({ name: candidate, type }));
    const addresses = answers.flatMap((answer) =>
      answer.answers.flatMap(({ type, data }) => (type === 'A' || type === 'AAAA' ? [data] : [])),
    );
    code = answers[0]?.code ?? code;
    if (addresses.length > 0 || code === 'TIMEOUT' || code === 'SERVFAIL') return { tried, addresses, code };
  }
  return { tried, addresses: [], code };
}

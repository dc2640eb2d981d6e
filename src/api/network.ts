/** How a connection finds its way inside a cluster: names to addresses (DNS), addresses of Services to pods (the rules of the node it starts on). */

export type TransportProtocol = 'TCP' | 'UDP' | 'SCTP';

export interface SocketAddress {
  readonly ip: string;
  readonly port: number;
}

/** An attempt to connect, as the node sees its first packet. */
export interface Connection {
  /** The address of who connects. */
  readonly from: string;
  readonly destination: SocketAddress;
  readonly protocol: TransportProtocol;
}

/** One rule that the packet matched, as iptables-save prints it. */
export interface MatchedRule {
  readonly table: 'nat' | 'filter';
  readonly chain: string;
  readonly rule: string;
}

/** Where a connection ends up. `rejected`: refused at once; `dropped`: nobody answers. */
export type Route =
  | {
      readonly verdict: 'accepted';
      /** The pod's address and port; the address asked for if no Service has it. */
      readonly destination: SocketAddress;
      /** The pod sees the node's address as the source. */
      readonly masqueraded: boolean;
      readonly rules: readonly MatchedRule[];
    }
  | { readonly verdict: 'rejected' | 'dropped'; readonly rules: readonly MatchedRule[] };

/** Gives a number in [0, 1). */
export interface Chance {
  float(): number;
}

/** What a node does with connections that start on it or reach it: its packet filter, as kube-proxy has set it up. */
export interface ServiceRouter {
  route(connection: Connection, random: Chance): Route;
}

/** The types of DNS records that are known here. */
type RecordType = 'A' | 'AAAA' | 'SRV' | 'PTR' | 'CNAME' | 'NS' | 'SOA' | 'TXT';

export interface DnsQuestion {
  /** With or without a dot at the end. */
  readonly name: string;
  readonly type: RecordType;
}

export interface DnsRecord {
  /** With a dot at the end. */
  readonly name: string;
  readonly type: RecordType;
  readonly ttl: number;
  /** As in a zone file: an address, a name with a dot at the end, or `priority weight port target`. */
  readonly data: string;
}

/** `TIMEOUT`: the server did not answer. An empty NOERROR means that the name has no record of the type. */
export interface DnsAnswer {
  readonly code: 'NOERROR' | 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED' | 'TIMEOUT';
  readonly answers: readonly DnsRecord[];
  /** Addresses of names in the answers. */
  readonly additional: readonly DnsRecord[];
}

/** A DNS server. */
export interface NameResolver {
  resolve(question: DnsQuestion): DnsAnswer;
}

import type { DnsRecord } from '../../../../src/api/network.ts';
import type { Random } from '../../../../src/sim/random.ts';

/** Mixes addresses, so that clients that take the first one spread over all. CoreDNS plugin/loadbalance roundRobin */
export function roundRobin(records: readonly DnsRecord[], random: Random): DnsRecord[] {
  const addresses = records.filter(({ type }) => type === 'A' || type === 'AAAA');
  const others = records.filter((record) => !addresses.includes(record));
  for (let last = addresses.length - 1; last > 0; last--) {
    const other = random.integer(last + 1);
    [addresses[last], addresses[other]] = [addresses[other] as DnsRecord, addresses[last] as DnsRecord];
  }
  return [...others, ...addresses];
}

import { describe, expect, it } from 'vitest';
import type { CniCommand, CniNetConf } from '../../src/api/cni.ts';
import { hostLocal } from './host-local.ts';

const conf = (ipam: object, name = 'bridge'): CniNetConf => ({
  type: 'bridge',
  name,
  cniVersion: '1.0.0',
  ipam: { type: 'host-local', ...ipam },
});
const environment = (command: CniCommand, containerId: string) => ({
  command,
  containerId,
  ifname: 'eth0',
  netns: '/x',
  args: '',
  path: '',
});

function user(stdin: CniNetConf) {
  const plugin = hostLocal();
  return {
    add: (id: string, other = stdin) =>
      plugin(environment('ADD', id), other)
        ?.ips?.map(({ address }) => address)
        .join(),
    del: (id: string) => plugin(environment('DEL', id), stdin),
    check: (id: string) => plugin(environment('CHECK', id), stdin),
  };
}

describe('host-local', () => {
  it('gives addresses in turn, and again only when the range is through', () => {
    const { add, del } = user(conf({ ranges: [[{ subnet: '10.244.1.0/29' }]] }));
    expect(['a', 'b', 'c'].map((id) => add(id))).toEqual(['10.244.1.2/29', '10.244.1.3/29', '10.244.1.4/29']);
    del('b');
    expect(['d', 'e', 'f'].map((id) => add(id))).toEqual(['10.244.1.5/29', '10.244.1.6/29', '10.244.1.3/29']);
    expect(() => add('g')).toThrow('failed to allocate for range 0: no IP addresses available in range set: 10.244.1.1-10.244.1.6');
  });

  it('remembers what was given when the range changes', () => {
    const { add } = user(conf({ subnet: '10.1.0.0/24', rangeStart: '10.1.0.250', rangeEnd: '10.1.0.251' }));
    expect([add('a'), add('b')]).toEqual(['10.1.0.250/24', '10.1.0.251/24']);
    expect(() => add('c')).toThrow('10.1.0.250-10.1.0.251');
    const wide = conf({ ranges: [[{ subnet: '10.1.0.0/24', rangeStart: '10.1.0.249' }]] });
    expect([add('c', wide), add('d', wide)]).toEqual(['10.1.0.252/24', '10.1.0.253/24']);
  });

  it('gives one address of each set, and none when one of them cannot', () => {
    const both = conf({ ranges: [[{ subnet: 'fd00::/64' }], [{ subnet: '10.1.0.0/30' }]] });
    const { add, del } = user(both);
    expect(add('a')).toBe('fd00::2/64,10.1.0.2/30');
    expect(() => add('b')).toThrow('failed to allocate for range 1');
    del('a');
    expect(add('c')).toMatch(/,10.1.0.2\/30$/);
  });

  it('gives no second address to an interface, which keeps its first', () => {
    const { add, check } = user(conf({ subnet: '10.1.0.0/24' }));
    add('a');
    expect(() => add('a')).toThrow('failed to allocate for range 0: 10.1.0.2 has been allocated to a, duplicate allocation is not allowed');
    expect(() => check('a')).not.toThrow();
    expect(add('b')).toBe('10.1.0.3/24');
  });

  it('knows whether a container has an address', () => {
    const { add, check } = user(conf({ subnet: '10.1.0.0/24' }));
    add('a');
    expect(() => check('a')).not.toThrow();
    expect(() => check('b')).toThrow('host-local: Failed to find address added by container b');
  });

  it.each([
    [{ ranges: [] }, 'no IP ranges specified'],
    [{ subnet: '10.1.0.0/31' }, 'Network 10.1.0.0/31 too small to allocate from'],
    [{ subnet: '10.1.0.0' }, 'invalid CIDR address: 10.1.0.0'],
    [{ subnet: '10.1.0.0/24', rangeEnd: '10.2.0.1' }, 'RangeEnd 10.2.0.1 not in network 10.1.0.0/24'],
  ])('refuses %j', (ipam, message) => {
    expect(() => user(conf(ipam)).add('a')).toThrow(message);
  });
});

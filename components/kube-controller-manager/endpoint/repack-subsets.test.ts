import { expect, test } from 'vitest';
import type { EndpointSubset } from '../../../src/api/kinds/core-v1.ts';
import { type PodAddress, repackSubsets } from './repack-subsets.ts';
import { capacityAnnotationSetCorrectly, truncateEndpoints } from './truncate-endpoints.ts';

const at = (ip: string, port: number, ready = true): PodAddress => ({ address: { ip }, port: { port, protocol: 'TCP' }, ready });

function picture(subsets: readonly EndpointSubset[]): string[] {
  const list = (addresses: EndpointSubset['addresses']): string => (addresses ?? []).map(({ ip }) => ip).join(' ');
  return subsets.map(
    ({ addresses, notReadyAddresses, ports }) =>
      `${list(addresses)} | ${list(notReadyAddresses)} | ${(ports ?? []).map(({ port }) => port).join(' ')}`,
  );
}

test('ports with the same addresses share a subset, addresses are sorted as text', () => {
  const entries = ['10.0.0.9', '10.0.0.10', '10.0.0.2'].flatMap((ip) => [at(ip, 80), at(ip, 443)]);
  expect(picture(repackSubsets(entries))).toEqual([
    expect.stringMatching(/^10\.0\.0\.10 10\.0\.0\.2 10\.0\.0\.9 \| {2}\| (80 443|443 80)$/),
  ]);
});

test('other addresses or other readiness make another subset', () => {
  expect(picture(repackSubsets([at('10.0.0.1', 80), at('10.0.0.2', 80, false), at('10.0.0.1', 90)])).sort()).toEqual([
    '10.0.0.1 |  | 90',
    '10.0.0.1 | 10.0.0.2 | 80',
  ]);
});

test('an address is ready only if all its doubles are', () => {
  expect(picture(repackSubsets([at('10.0.0.1', 80), at('10.0.0.1', 80, false)]))).toEqual([' | 10.0.0.1 | 80']);
});

test('more than 1,000 addresses are cut, ready ones first', () => {
  const many = (count: number): { ip: string }[] => Array.from({ length: count }, (_, i) => ({ ip: `10.0.${i >> 8}.${i & 255}` }));
  const sizes = (subsets: readonly EndpointSubset[] | undefined): (readonly [number, number])[] | undefined =>
    subsets?.map(({ addresses, notReadyAddresses }) => [addresses?.length ?? 0, notReadyAddresses?.length ?? 0] as const);
  expect(truncateEndpoints([{ addresses: many(1_000) }])).toBeUndefined();
  expect(sizes(truncateEndpoints([{ addresses: many(900), notReadyAddresses: many(300) }]))).toEqual([[900, 100]]);
  expect(sizes(truncateEndpoints([{ addresses: many(1_200), notReadyAddresses: many(9) }, { addresses: many(300) }]))).toEqual([
    [800, 0],
    [200, 0],
  ]);
  expect(capacityAnnotationSetCorrectly({ 'endpoints.kubernetes.io/over-capacity': 'truncated' }, [{ addresses: many(5) }])).toBe(false);
});

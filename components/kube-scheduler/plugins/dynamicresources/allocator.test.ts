import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Device, DeviceClaim, DeviceRequest, ResourceClaim, ResourceSlice } from '../../../../src/api/kinds/resource-v1.ts';
import { AllocationError } from './allocation-error.ts';
import { Allocator } from './allocator.ts';

// Goal: what is allocated is what was asked for, and something is found whenever there is a way.
// Method: small random claims, against a search through all ways to give devices to requests.

const DRIVER = 'gpu.example.com';
const NODE = { metadata: { name: 'n1', labels: { rack: 'r1' } } };
const device = (name: string, model: string, more: Partial<Device> = {}): Device => ({
  name,
  attributes: { model: { string: model } },
  ...more,
});
const slice = (devices: Device[], spec: Partial<ResourceSlice['spec']> = { nodeName: 'n1' }): ResourceSlice => ({
  metadata: { name: 's' },
  spec: { driver: DRIVER, pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, devices, ...spec },
});
const claim = (devices: DeviceClaim, name = 'c'): ResourceClaim => ({ metadata: { name, namespace: 'default' }, spec: { devices } });
const model = (value: string) => [{ cel: { expression: `device.attributes['${DRIVER}'].model == '${value}'` } }];

function allocate(claims: readonly ResourceClaim[], slices: readonly ResourceSlice[], taken: readonly string[] = []) {
  const classOf = (name: string) => ({ metadata: { name }, spec: {} });
  return new Allocator(claims, { slices, classOf, taken: new Set(taken) }).allocate(NODE);
}

function devicesOf(
  claims: readonly ResourceClaim[],
  slices: readonly ResourceSlice[],
  taken: readonly string[] = [],
): string[] | undefined {
  const allocated = allocate(claims, slices, taken);
  if (!(allocated instanceof Map)) return undefined;
  return [...allocated.values()].flatMap(({ devices }) =>
    (devices?.results ?? []).map(({ request, device: name }) => `${request}=${name}`),
  );
}

it('finds devices exactly when there is a way, none of them twice', () => {
  const kinds = fc.constantFrom('a', 'b', 'c');
  const request = fc.record({ kind: fc.option(kinds, { nil: undefined }), count: fc.integer({ min: 1, max: 3 }), all: fc.boolean() });
  const run = fc.record({
    devices: fc.array(kinds, { maxLength: 6 }),
    taken: fc.uniqueArray(fc.nat(5), { maxLength: 2 }),
    requests: fc.array(request, { minLength: 1, maxLength: 3 }),
    alike: fc.boolean(),
  });
  fc.assert(
    fc.property(run, ({ devices, taken, requests, alike }) => {
      const asked = requests.map(({ kind, count, all }, i): DeviceRequest => {
        const selectors = kind ? { selectors: model(kind) } : {};
        return { name: `r${i}`, exactly: { deviceClassName: 'gpu', ...selectors, ...(all ? { allocationMode: 'All' } : { count }) } };
      });
      const constraints = alike ? { constraints: [{ matchAttribute: `${DRIVER}/model` }] } : {};
      const found = devicesOf(
        [claim({ requests: asked, ...constraints })],
        [slice(devices.map((kind, i) => device(`d${i}`, kind)))],
        taken.map((i) => `${DRIVER}/p/d${i}`),
      );
      const fits = (ownerOf: readonly number[]): boolean => {
        const given = devices.filter((_, d) => (ownerOf[d] ?? -1) >= 0);
        if (alike && new Set(given).size > 1) return false;
        return requests.every(({ kind, count, all }, r) => {
          const own = devices.filter((_, d) => ownerOf[d] === r);
          if (kind && own.some((one) => one !== kind)) return false;
          const matching = devices.filter((one) => !kind || one === kind).length;
          return all ? matching > 0 && own.length === matching : own.length === count;
        });
      };
      const someWay = (ownerOf: readonly number[]): boolean => {
        if (ownerOf.length === devices.length) return fits(ownerOf);
        if (taken.includes(ownerOf.length)) return someWay([...ownerOf, -1]);
        return [-1, ...requests.keys()].some((owner) => someWay([...ownerOf, owner]));
      };
      expect(found !== undefined).toBe(someWay([]));
      if (!found) return;
      const ownerOf = devices.map((_, d) => Number(found.find((one) => one.endsWith(`=d${d}`))?.[1] ?? -1));
      expect([fits(ownerOf), new Set(found.map((one) => one.split('=')[1])).size]).toEqual([true, found.length]);
    }),
    { numRuns: 300 },
  );
});

it('lets administrators use what others have', () => {
  const requests = [{ name: 'watch', exactly: { deviceClassName: 'gpu', allocationMode: 'All', adminAccess: true } }];
  const result = allocate([claim({ requests })], [slice([device('d0', 'a')])], [`${DRIVER}/p/d0`]);
  expect(result instanceof Map && result.get('default/c')?.devices?.results).toEqual([
    { request: 'watch', driver: DRIVER, pool: 'p', device: 'd0', adminAccess: true },
  ]);
});

it('names the configuration of classes and claims, and the nodes that reach the devices', () => {
  const opaque = { driver: DRIVER, parameters: { share: true } };
  const classOf = () => ({ metadata: { name: 'gpu' }, spec: { config: [{ opaque }] } });
  const firstAvailable = ['x', 'y'].map((name) => ({ name, deviceClassName: 'gpu', selectors: model(name) }));
  const config = [{ opaque }, { opaque, requests: ['r/x'] }, { opaque, requests: ['r'] }];
  const terms = [{ matchExpressions: [{ key: 'rack', operator: 'In', values: ['r1'] }] }];
  const spec = { nodeSelector: { nodeSelectorTerms: terms } };
  const allocator = new Allocator([claim({ requests: [{ name: 'r', firstAvailable }], config })], {
    slices: [slice([device('d0', 'y')], spec)],
    classOf,
    taken: new Set(),
  });
  const result = allocator.allocate(NODE);
  expect(result instanceof Map && result.get('default/c')).toEqual({
    devices: {
      results: [{ request: 'r/y', driver: DRIVER, pool: 'p', device: 'd0' }],
      config: [
        { source: 'FromClass', opaque },
        { source: 'FromClaim', opaque },
        { source: 'FromClaim', opaque, requests: ['r'] },
      ],
    },
    nodeSelector: { nodeSelectorTerms: terms },
  });
});

it('sees amounts, versions and missing domains', () => {
  const one = device('d0', 'a', { attributes: { version: { version: '1.10.0' } }, capacity: { memory: { value: '80Gi' } } });
  const expression = [
    `device.attributes['${DRIVER}'].version.isGreaterThan(semver('1.9.0'))`,
    `device.capacity['${DRIVER}'].memory.compareTo(quantity('40Gi')) > 0`,
    `!('other.example.com' in device.attributes) && !has(device.attributes['other.example.com'].model)`,
  ].join(' && ');
  const requests = [{ name: 'r', exactly: { deviceClassName: 'gpu', selectors: [{ cel: { expression } }] } }];
  expect(devicesOf([claim({ requests })], [slice([one])])).toEqual(['r=d0']);
});

it('goes by the newest generation of a pool, and takes all of a pool only when it is complete', () => {
  const requests: DeviceRequest[] = [{ name: 'r', exactly: { deviceClassName: 'gpu', allocationMode: 'All' } }];
  const pool = (generation: number, resourceSliceCount: number) => ({
    nodeName: 'n1',
    pool: { name: 'p', generation, resourceSliceCount },
  });
  const slices = [slice([device('old', 'a')], pool(1, 1)), slice([device('new', 'a')], pool(2, 1))];
  expect(devicesOf([claim({ requests })], slices)).toEqual(['r=new']);
  expect(() => allocate([claim({ requests })], [slice([device('d0', 'a')], pool(1, 2))])).toThrow(AllocationError);
});

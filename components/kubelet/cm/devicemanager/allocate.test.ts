import { expect, it } from 'vitest';
import type { Container } from '../../../../src/api/kinds/core-v1.ts';
import { allocateContainerResources, type DeviceState, updateAllocatedDevices } from './allocate.ts';
import type { Endpoint } from './endpoint.ts';
import { PodDevices } from './pod-devices.ts';

const R = 'example.com/dev';
const wants = (name: string, amount: number): Container => ({ name, resources: { limits: { [R]: String(amount) } } });

function stateWith(healthy: readonly string[], preferred: readonly string[] = []): DeviceState {
  const endpoint = {
    options: { preStartRequired: false, getPreferredAllocationAvailable: preferred.length > 0 },
    stoppedAt: undefined,
    getPreferredAllocation: async () => preferred,
    allocate: async (ids: readonly string[]) => ({ envs: { IDS: ids.join(',') } }),
  } as unknown as Endpoint;
  return {
    healthy: new Map([[R, new Set(healthy)]]),
    unhealthy: new Map(),
    allocated: new Map(),
    podDevices: new PodDevices(),
    endpointOf: () => endpoint,
    isPodActive: (uid) => uid !== 'ended',
    isContainerRunning: () => false,
    sourcesReady: () => true,
  };
}

it('gives what the plugin prefers, then what is left', async () => {
  const state = stateWith(['a', 'b', 'c'], ['c', 'gone']);
  await allocateContainerResources(state, { uid: '1', container: wants('x', 2), reusable: new Map() });
  expect(state.podDevices.containerDevices('1', 'x', R)).toEqual(['c', 'a']);
  await expect(allocateContainerResources(state, { uid: '2', container: wants('y', 2), reusable: new Map() })).rejects.toThrow(
    `requested number of devices unavailable for ${R}. Requested: 2, Available: 1`,
  );
});

it('gives a container what those before it are done with, and does not ask twice', async () => {
  const state = stateWith(['a']);
  const reusable = new Map([[R, new Set(['a'])]]);
  state.allocated.set(R, new Set(['a']));
  expect(await allocateContainerResources(state, { uid: '1', container: wants('x', 1), reusable })).toBe(true);
  expect(await allocateContainerResources(state, { uid: '1', container: wants('x', 1), reusable })).toBe(false);
});

it('takes devices back from pods that have ended', async () => {
  const state = stateWith(['a']);
  await allocateContainerResources(state, { uid: 'ended', container: wants('x', 1), reusable: new Map() });
  updateAllocatedDevices(state, '2');
  await allocateContainerResources(state, { uid: '2', container: wants('x', 1), reusable: new Map() });
  expect(state.podDevices.containerDevices('2', 'x', R)).toEqual(['a']);
});

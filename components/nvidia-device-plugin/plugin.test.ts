import { expect, it } from 'vitest';
import type { Device } from '../../src/api/device-plugin.ts';
import { Simulation } from '../../src/sim/simulation.ts';
import { type Gpus, NvidiaDevicePlugin } from './plugin.ts';

function pluginOf(ids: readonly string[]) {
  const broken = new Set<string>();
  const gpus: Gpus = { ids, broken, onChange: () => {} };
  return { gpus, broken, plugin: new NvidiaDevicePlugin(new Simulation({ seed: '1' }), gpus) };
}

it('sends its GPUs, and again when one breaks', () => {
  const { gpus, broken, plugin } = pluginOf(['GPU-a', 'GPU-b']);
  const sent: (readonly Device[])[] = [];
  void plugin.listAndWatch((devices) => sent.push(devices));
  broken.add('GPU-b');
  gpus.onChange();
  expect(sent.map((devices) => devices.map(({ health }) => health))).toEqual([
    ['Healthy', 'Healthy'],
    ['Healthy', 'Unhealthy'],
  ]);
});

it('gives a container the environment and the files of its GPUs', () => {
  const { plugin } = pluginOf(['GPU-a', 'GPU-b']);
  expect(plugin.allocate(['GPU-b'])).toEqual({
    envs: { NVIDIA_VISIBLE_DEVICES: 'GPU-b' },
    devices: [{ containerPath: '/dev/nvidia1', hostPath: '/dev/nvidia1', permissions: 'rw' }],
  });
  expect(() => plugin.allocate(['GPU-z'])).toThrow(
    'rpc error: code = Unknown desc = invalid allocation request for "nvidia.com/gpu": unknown device: GPU-z',
  );
});

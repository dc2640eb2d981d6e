import { expect, it } from 'vitest';
import { loadConfig } from './load-config.ts';

// Goal: a configuration file is taken as it is, or refused with the place of what is wrong.

const HEAD = { apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' };

function refusal(config: object): string {
  try {
    loadConfig({ ...HEAD, ...config });
  } catch (error) {
    return (error as Error).message;
  }
  return '';
}

it('takes profiles with plugins, weights and arguments', () => {
  const config = {
    ...HEAD,
    percentageOfNodesToScore: 50,
    profiles: [
      { schedulerName: 'default-scheduler' },
      {
        schedulerName: 'packer',
        plugins: { score: { disabled: [{ name: '*' }], enabled: [{ name: 'NodeResourcesFit', weight: 5 }] } },
        pluginConfig: [
          { name: 'NodeResourcesFit', args: { scoringStrategy: { type: 'MostAllocated', resources: [{ name: 'cpu', weight: 1 }] } } },
        ],
      },
    ],
  };
  expect(loadConfig(config)).toEqual(config);
});

it('names what it does not know', () => {
  expect(refusal({ apiVersion: 'v1' })).toBe('no kind "KubeSchedulerConfiguration" is registered for version "v1"');
  expect(refusal({ profiles: [{ schedulrName: 'x' }] })).toBe('strict decoding error: unknown field "profiles[0].schedulrName"');
  expect(refusal({ profiles: [{ pluginConfig: [{ name: 'InterPodAffinity', args: { weight: 1 } }] }] })).toBe(
    'strict decoding error: unknown field "profiles[0].pluginConfig[0].args.weight"',
  );
});

it('names what is wrong', () => {
  const invalid = 'KubeSchedulerConfiguration.kubescheduler.config.k8s.io "" is invalid: ';
  expect(refusal({ percentageOfNodesToScore: 101 })).toBe(
    `${invalid}percentageOfNodesToScore: Invalid value: 101: not in valid range [0-100]`,
  );
  expect(refusal({ profiles: [{ schedulerName: 'a' }, { schedulerName: 'a' }] })).toBe(
    `${invalid}profiles[1].schedulerName: Duplicate value: "a"`,
  );
  expect(refusal({ profiles: [{ plugins: { filter: { enabled: [{ name: 'Nope' }] } } }] })).toBe(
    `${invalid}profiles[0].plugins.filter.enabled[0]: Not found: "Nope"`,
  );
});

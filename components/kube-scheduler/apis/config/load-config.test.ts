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

const shape = [
  { utilization: 50, score: 11 },
  { utilization: 50, score: 0 },
];
const spread = { maxSkew: 0, topologyKey: 'zone', whenUnsatisfiable: 'Never', labelSelector: {} };
const required = {
  requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In' }] }] },
};

it.each<[string, object, string[]]>([
  [
    'DefaultPreemption',
    { minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 0 },
    [
      'minCandidateNodesPercentage: Invalid value: 0: cannot be zero at the same time as minCandidateNodesAbsolute',
      'minCandidateNodesAbsolute: Invalid value: 0: cannot be zero at the same time as minCandidateNodesPercentage',
    ],
  ],
  ['DefaultPreemption', { minCandidateNodesAbsolute: -1 }, ['minCandidateNodesAbsolute: Invalid value: -1: not in valid range [0, inf)']],
  ['InterPodAffinity', { hardPodAffinityWeight: 101 }, ['hardPodAffinityWeight: Invalid value: 101: not in valid range [0, 100]']],
  [
    'NodeResourcesFit',
    { ignoredResourceGroups: ['a/b'], scoringStrategy: { type: 'Best', resources: [{ name: 'cpu', weight: 101 }] } },
    [
      `ignoredResourceGroups[0]: Invalid value: "a/b": resource group name can't contain '/'`,
      'scoringStrategy.type: Unsupported value: "Best": supported values: "LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"',
      'scoringStrategy.resources[0].weight: Invalid value: 101: resource weight of cpu not in valid range (0, 100]',
    ],
  ],
  [
    'NodeResourcesFit',
    { scoringStrategy: { type: 'RequestedToCapacityRatio', requestedToCapacityRatio: { shape } } },
    [
      'scoringStrategy.shape[1].utilization: Invalid value: 50: utilization values must be sorted in increasing order',
      'scoringStrategy.shape[0].score: Invalid value: 11: not in valid range [0, 10]',
    ],
  ],
  ['NodeResourcesBalancedAllocation', { resources: [{ name: 'cpu', weight: 2 }] }, ['resources[0].weight: Invalid value: 2: must be 1']],
  [
    'PodTopologySpread',
    { defaultConstraints: [spread, { ...spread, maxSkew: 1 }] },
    [
      'defaultingType: Invalid value: "System": when .defaultConstraints are not empty',
      'defaultConstraints[0].maxSkew: Invalid value: 0: not in valid range (0, inf)',
      'defaultConstraints[0].whenUnsatisfiable: Unsupported value: "Never": supported values: "DoNotSchedule", "ScheduleAnyway"',
      'defaultConstraints[0].labelSelector: Forbidden: constraint must not define a selector, as they deduced for each pod',
      'defaultConstraints[1]: Duplicate value: "{zone, Never}"',
    ],
  ],
  [
    'VolumeBinding',
    { bindTimeoutSeconds: -1 },
    ['bindTimeoutSeconds: Invalid value: -1: invalid BindTimeoutSeconds, should not be a negative value'],
  ],
  [
    'NodeAffinity',
    { addedAffinity: required },
    [
      "addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty",
    ],
  ],
])('checks the arguments of %s', (name, args, problems) => {
  const found = refusal({ profiles: [{ pluginConfig: [{ name, args }] }] });
  for (const problem of problems) expect(found).toContain(`profiles[0].pluginConfig[0].args.${problem}`);
});

it('checks extenders', () => {
  const managedResources = [{ name: 'cpu' }, { name: 'cpu' }];
  const found = refusal({ parallelism: 0, extenders: [{ urlPrefix: 'http://e', prioritizeVerb: 'p', managedResources }] });
  for (const problem of [
    'parallelism: Invalid value: 0: should be an integer value greater than zero',
    'extenders[0].weight: Invalid value: 0: must have a positive weight applied to it',
    'extenders[0].managedResources[0].name: Invalid value: "cpu": is an invalid extended resource name',
    'extenders[0].managedResources[1].name: Invalid value: "cpu": duplicate extender managed resource name',
  ])
    expect(found).toContain(problem);
});

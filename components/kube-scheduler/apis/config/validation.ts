import type { FieldError } from '../../../../src/api/status-error.ts';
import { parseDuration } from '../../../../src/api/time.ts';
import { duplicate, invalid, notFound, required } from '../../../../src/api/validation/field.ts';
import type { ScoringStrategy } from '../../plugins/helper/resource-scorers.ts';
import { PLUGIN_ARGS_FIELDS } from './known-fields.ts';
import type { CompletedConfiguration, KubeSchedulerProfile, PluginSet } from './kube-scheduler-configuration.ts';

interface PluginNames {
  /** All plugins that exist. */
  readonly known: ReadonlySet<string>;
  /** Those that are not part of Kubernetes: what arguments they take is their own affair. */
  readonly outOfTree: ReadonlySet<string>;
}

/** pkg/scheduler/apis/config/validation ValidateKubeSchedulerConfiguration. */
export function validateKubeSchedulerConfiguration(config: CompletedConfiguration, plugins: PluginNames): FieldError[] {
  const errors: FieldError[] = [];
  const election = config.leaderElection;
  if (election.leaderElect) {
    for (const field of ['leaseDuration', 'renewDeadline', 'retryPeriod'] as const) {
      const value = parseDuration(election[field]);
      if (value === undefined || value <= 0) errors.push(invalid(`leaderElection.${field}`, election[field], 'must be greater than zero'));
    }
    if ((parseDuration(election.leaseDuration) ?? 0) <= (parseDuration(election.renewDeadline) ?? 0)) {
      errors.push(invalid('leaderElection.leaseDuration', election.renewDeadline, 'LeaseDuration must be greater than RenewDeadline'));
    }
    if (!election.resourceNamespace) errors.push(required('leaderElection.resourceNamespace', 'resourceNamespace is required'));
    if (!election.resourceName) errors.push(required('leaderElection.resourceName', 'resourceName is required'));
  }
  const names = new Set<string>();
  config.profiles.forEach((profile, i) => {
    const path = `profiles[${i}]`;
    if (!profile.schedulerName) errors.push(required(`${path}.schedulerName`));
    if (names.has(profile.schedulerName)) errors.push(duplicate(`${path}.schedulerName`, profile.schedulerName));
    names.add(profile.schedulerName);
    errors.push(...validatePercentage(`${path}.percentageOfNodesToScore`, profile.percentageOfNodesToScore));
    errors.push(...validatePlugins(profile, path, plugins.known), ...validatePluginConfig(profile, path, plugins.outOfTree));
  });
  errors.push(...validateCommonQueueSort(config.profiles), ...validateExtenders(config.extenders));
  errors.push(...validatePercentage('percentageOfNodesToScore', config.percentageOfNodesToScore));
  const { podInitialBackoffSeconds: initial, podMaxBackoffSeconds: max } = config;
  if (initial <= 0) errors.push(invalid('podInitialBackoffSeconds', initial, 'must be greater than 0'));
  if (max < initial) errors.push(invalid('podMaxBackoffSeconds', max, 'must be greater than or equal to PodInitialBackoffSeconds'));
  return errors;
}

function validatePercentage(field: string, value: number | undefined): FieldError[] {
  return value !== undefined && (value < 0 || value > 100) ? [invalid(field, value, 'not in valid range [0-100]')] : [];
}

function validatePlugins({ plugins }: KubeSchedulerProfile, path: string, known: ReadonlySet<string>): FieldError[] {
  const sets = Object.entries(plugins ?? {}) as [string, PluginSet][];
  return sets.flatMap(([point, { enabled = [] }]) =>
    enabled.flatMap(({ name }, i) => {
      const field = `${path}.plugins.${point}.enabled[${i}]`;
      if (!known.has(name)) return [notFound(field, name)];
      return enabled.findIndex((one) => one.name === name) < i ? [duplicate(field, name)] : [];
    }),
  );
}

function validatePluginConfig({ pluginConfig = [] }: KubeSchedulerProfile, path: string, outOfTree: ReadonlySet<string>): FieldError[] {
  const seen = new Set<string>();
  return pluginConfig.flatMap(({ name, args }, i) => {
    const field = `${path}.pluginConfig[${i}]`;
    if (seen.has(name)) return [duplicate(field, name)];
    seen.add(name);
    if (args !== undefined && !PLUGIN_ARGS_FIELDS[name] && !outOfTree.has(name))
      return [invalid(`${field}.args`, name, 'the plugin has no arguments')];
    return validateArgs(name, (args ?? {}) as Record<string, unknown>, `${field}.args`);
  });
}

/** pkg/scheduler/apis/config/validation/validation_pluginargs.go, the checks without which scores would leave their range. */
function validateArgs(name: string, args: Readonly<Record<string, unknown>>, path: string): FieldError[] {
  if (name === 'InterPodAffinity') {
    const weight = args.hardPodAffinityWeight as number | undefined;
    return weight !== undefined && (weight < 0 || weight > 100)
      ? [invalid(`${path}.hardPodAffinityWeight`, weight, 'not in valid range [0-100]')]
      : [];
  }
  if (name !== 'NodeResourcesFit') return [];
  const { type, requestedToCapacityRatio } = (args.scoringStrategy ?? {}) as ScoringStrategy;
  if (type !== 'RequestedToCapacityRatio') return [];
  const shape = requestedToCapacityRatio?.shape ?? [];
  const field = `${path}.scoringStrategy.requestedToCapacityRatio.shape`;
  if (shape.length === 0) return [required(field, 'at least one point must be specified')];
  return shape.flatMap(({ utilization, score }, i) => [
    ...(utilization < 0 || utilization > 100 ? [invalid(`${field}[${i}].utilization`, utilization, 'not in valid range [0-100]')] : []),
    ...(i > 0 && utilization <= (shape[i - 1]?.utilization ?? 0)
      ? [invalid(`${field}[${i}].utilization`, utilization, 'utilization values must be sorted in increasing order')]
      : []),
    ...(score < 0 || score > 10 ? [invalid(`${field}[${i}].score`, score, 'not in valid range [0-10]')] : []),
  ]);
}

/** There is one queue, so all profiles must sort it alike. */
function validateCommonQueueSort(profiles: CompletedConfiguration['profiles']): FieldError[] {
  const sortOf = (profile: KubeSchedulerProfile): string => JSON.stringify(profile.plugins?.queueSort ?? {});
  const [first] = profiles;
  return profiles.flatMap((profile, i) =>
    first && sortOf(profile) !== sortOf(first)
      ? [invalid(`profiles[${i}].plugins.queueSort`, profile.plugins?.queueSort, 'queueSort must be the same for all profiles')]
      : [],
  );
}

/** validation.go validateExtenders */
function validateExtenders(extenders: CompletedConfiguration['extenders']): FieldError[] {
  const binders = extenders.filter(({ bindVerb }) => bindVerb).length;
  return [
    ...extenders.flatMap(({ prioritizeVerb, weight = 0 }, i) =>
      prioritizeVerb && weight <= 0 ? [invalid(`extenders[${i}].weight`, weight, 'must have a positive weight applied to it')] : [],
    ),
    ...(binders > 1 ? [invalid('extenders', `found ${binders} extenders implementing bind`, 'only one extender can implement bind')] : []),
  ];
}

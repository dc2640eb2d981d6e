import type { FieldError } from '../../../../src/api/status-error.ts';
import { parseDuration } from '../../../../src/api/time.ts';
import { isQualifiedName } from '../../../../src/api/validation/content.ts';
import { duplicate, invalid, notFound, required } from '../../../../src/api/validation/field.ts';
import { isExtendedResourceName } from '../../framework/resource.ts';
import { PLUGIN_ARGS_FIELDS } from './known-fields.ts';
import type { CompletedConfiguration, KubeSchedulerProfile, PluginSet } from './kube-scheduler-configuration.ts';
import { validatePluginArgs } from './validation-pluginargs.ts';

interface PluginNames {
  /** All plugins that exist. */
  readonly known: ReadonlySet<string>;
  /** Those that are not part of Kubernetes: what arguments they take is their own affair. */
  readonly outOfTree: ReadonlySet<string>;
}

/** pkg/scheduler/apis/config/validation ValidateKubeSchedulerConfiguration. */
export function validateKubeSchedulerConfiguration(config: CompletedConfiguration, plugins: PluginNames): FieldError[] {
  const errors: FieldError[] = [];
  if (config.parallelism <= 0) errors.push(invalid('parallelism', config.parallelism, 'should be an integer value greater than zero'));
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
    return validatePluginArgs(name, (args ?? {}) as Record<string, unknown>, `${field}.args`);
  });
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
  const managed = new Set<string>();
  const errors = extenders.flatMap(({ prioritizeVerb, weight = 0, managedResources = [] }, i) => [
    ...(prioritizeVerb && weight <= 0 ? [invalid(`extenders[${i}].weight`, weight, 'must have a positive weight applied to it')] : []),
    ...managedResources.flatMap(({ name }, j) => {
      const field = `extenders[${i}].managedResources[${j}].name`;
      const known = managed.has(name);
      managed.add(name);
      return [
        ...validateExtendedResourceName(field, name),
        ...(known ? [invalid(field, name, 'duplicate extender managed resource name')] : []),
      ];
    }),
  ]);
  if (binders > 1)
    errors.push(invalid('extenders', `found ${binders} extenders implementing bind`, 'only one extender can implement bind'));
  return errors;
}

function validateExtendedResourceName(field: string, name: string): FieldError[] {
  const problems = isQualifiedName(name);
  if (problems.length) return problems.map((problem) => invalid(field, name, problem));
  return isExtendedResourceName(name) ? [] : [invalid(field, name, 'is an invalid extended resource name')];
}

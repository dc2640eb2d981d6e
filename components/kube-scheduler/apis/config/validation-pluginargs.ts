import type {
  NodeAffinity,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  TopologySpreadConstraint,
} from '../../../../src/api/kinds/core-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isQualifiedName } from '../../../../src/api/validation/content.ts';
import { duplicate, forbidden, invalid, notSupported, required } from '../../../../src/api/validation/field.ts';
import type { DefaultPreemptionArgs } from '../../plugins/default-preemption.ts';
import type { InterPodAffinityArgs } from '../../plugins/inter-pod-affinity.ts';
import type { NodeAffinityArgs } from '../../plugins/node-affinity.ts';
import type { NodeResourcesBalancedAllocationArgs } from '../../plugins/node-resources-balanced-allocation.ts';
import type { NodeResourcesFitArgs } from '../../plugins/node-resources-fit.ts';
import type { PodTopologySpreadArgs } from '../../plugins/pod-topology-spread.ts';
import type { VolumeBindingArgs } from '../../plugins/volume-binding.ts';

// pkg/scheduler/apis/config/validation/validation_pluginargs.go

const SCORING_STRATEGIES = ['LeastAllocated', 'MostAllocated', 'RequestedToCapacityRatio'];
const ACTIONS = ['DoNotSchedule', 'ScheduleAnyway'];
const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'];
const FIELD_OPERATORS = ['In', 'NotIn'];

/** What is wrong with the arguments of an in-tree plugin; for a plugin without checks, nothing. */
export function validatePluginArgs(plugin: string, args: Readonly<Record<string, unknown>>, path: string): FieldError[] {
  switch (plugin) {
    case 'DefaultPreemption':
      return validateDefaultPreemptionArgs(args, path);
    case 'InterPodAffinity':
      return outside(`${path}.hardPodAffinityWeight`, (args as InterPodAffinityArgs).hardPodAffinityWeight, [0, 100]);
    case 'NodeAffinity':
      return validateNodeAffinity((args as NodeAffinityArgs).addedAffinity ?? {}, `${path}.addedAffinity`);
    case 'NodeResourcesBalancedAllocation':
      return validateBalancedAllocationArgs(args as NodeResourcesBalancedAllocationArgs, path);
    case 'NodeResourcesFit':
      return validateNodeResourcesFitArgs(args as NodeResourcesFitArgs, path);
    case 'PodTopologySpread':
      return validatePodTopologySpreadArgs(args as PodTopologySpreadArgs, path);
    case 'VolumeBinding':
      return validateVolumeBindingArgs(args, path);
    default:
      return [];
  }
}

function outside(field: string, value: number | undefined, [min, max]: readonly [number, number]): FieldError[] {
  return value !== undefined && (value < min || value > max) ? [invalid(field, value, `not in valid range [${min}, ${max}]`)] : [];
}

function labelName(field: string, name: string): FieldError[] {
  return isQualifiedName(name).map((problem) => invalid(field, name, problem));
}

function validateDefaultPreemptionArgs(args: DefaultPreemptionArgs, path: string): FieldError[] {
  const { minCandidateNodesPercentage: percentage = 10, minCandidateNodesAbsolute: absolute = 100 } = args;
  const errors = outside(`${path}.minCandidateNodesPercentage`, percentage, [0, 100]);
  if (absolute < 0) errors.push(invalid(`${path}.minCandidateNodesAbsolute`, absolute, 'not in valid range [0, inf)'));
  if (percentage === 0 && absolute === 0) {
    errors.push(
      invalid(`${path}.minCandidateNodesPercentage`, 0, 'cannot be zero at the same time as minCandidateNodesAbsolute'),
      invalid(`${path}.minCandidateNodesAbsolute`, 0, 'cannot be zero at the same time as minCandidateNodesPercentage'),
    );
  }
  return errors;
}

function validateBalancedAllocationArgs({ resources = [] }: NodeResourcesBalancedAllocationArgs, path: string): FieldError[] {
  return resources.flatMap(({ name, weight = 1 }, i) => [
    ...(resources.findIndex((one) => one.name === name) < i ? [duplicate(`${path}.resources[${i}].name`, name)] : []),
    ...(weight === 1 ? [] : [invalid(`${path}.resources[${i}].weight`, weight, 'must be 1')]),
  ]);
}

function validateNodeResourcesFitArgs(args: NodeResourcesFitArgs, path: string): FieldError[] {
  const { ignoredResources = [], ignoredResourceGroups = [], scoringStrategy: strategy } = args;
  const errors = ignoredResources.flatMap((name, i) => labelName(`${path}.ignoredResources[${i}]`, name));
  for (const [i, group] of ignoredResourceGroups.entries()) {
    const field = `${path}.ignoredResourceGroups[${i}]`;
    if (group.includes('/')) errors.push(invalid(field, group, "resource group name can't contain '/'"));
    errors.push(...labelName(field, group));
  }
  if (!strategy) return errors;
  const at = `${path}.scoringStrategy`;
  const { type = 'LeastAllocated', resources = [], requestedToCapacityRatio } = strategy;
  if (!SCORING_STRATEGIES.includes(type)) errors.push(notSupported(`${at}.type`, type, SCORING_STRATEGIES));
  for (const [i, { name, weight = 1 }] of resources.entries()) {
    if (weight <= 0 || weight > 100)
      errors.push(invalid(`${at}.resources[${i}].weight`, weight, `resource weight of ${name} not in valid range (0, 100]`));
  }
  if (requestedToCapacityRatio || type === 'RequestedToCapacityRatio') {
    errors.push(...validateFunctionShape(requestedToCapacityRatio?.shape ?? [], `${at}.shape`));
  }
  return errors;
}

function validateFunctionShape(shape: readonly { readonly utilization: number; readonly score: number }[], path: string): FieldError[] {
  if (shape.length === 0) return [required(path, 'at least one point must be specified')];
  const falling = shape.findIndex(({ utilization }, i) => i > 0 && (shape[i - 1]?.utilization ?? 0) >= utilization);
  const order = 'utilization values must be sorted in increasing order';
  return [
    ...(falling < 0 ? [] : [invalid(`${path}[${falling}].utilization`, shape[falling]?.utilization, order)]),
    ...shape.flatMap(({ utilization, score }, i) => [
      ...outside(`${path}[${i}].utilization`, utilization, [0, 100]),
      ...outside(`${path}[${i}].score`, score, [0, 10]),
    ]),
  ];
}

function validatePodTopologySpreadArgs(args: PodTopologySpreadArgs, path: string): FieldError[] {
  const { defaultingType = 'System', defaultConstraints = [] } = args;
  const errors: FieldError[] = [];
  if (defaultingType !== 'System' && defaultingType !== 'List') {
    errors.push(notSupported(`${path}.defaultingType`, defaultingType, ['System', 'List']));
  } else if (defaultingType === 'System' && defaultConstraints.length > 0) {
    errors.push(invalid(`${path}.defaultingType`, defaultingType, 'when .defaultConstraints are not empty'));
  }
  return [
    ...errors,
    ...defaultConstraints.flatMap((_, i) => validateConstraint(defaultConstraints, i, `${path}.defaultConstraints[${i}]`)),
  ];
}

function validateConstraint(all: readonly TopologySpreadConstraint[], index: number, path: string): FieldError[] {
  const { maxSkew = 0, topologyKey = '', whenUnsatisfiable = '', labelSelector } = all[index] ?? {};
  const errors: FieldError[] = [];
  if (maxSkew <= 0) errors.push(invalid(`${path}.maxSkew`, maxSkew, 'not in valid range (0, inf)'));
  if (!topologyKey) errors.push(required(`${path}.topologyKey`, 'can not be empty'));
  else errors.push(...labelName(`${path}.topologyKey`, topologyKey));
  if (!whenUnsatisfiable) errors.push(required(`${path}.whenUnsatisfiable`, 'can not be empty'));
  else if (!ACTIONS.includes(whenUnsatisfiable)) errors.push(notSupported(`${path}.whenUnsatisfiable`, whenUnsatisfiable, ACTIONS));
  if (labelSelector) errors.push(forbidden(`${path}.labelSelector`, 'constraint must not define a selector, as they deduced for each pod'));
  const repeats = (one: TopologySpreadConstraint): boolean =>
    one.topologyKey === topologyKey && one.whenUnsatisfiable === whenUnsatisfiable;
  if (all.slice(0, index).some(repeats)) errors.push(duplicate(path, `{${topologyKey}, ${whenUnsatisfiable}}`));
  return errors;
}

function validateVolumeBindingArgs(
  { bindTimeoutSeconds = 600, shape }: VolumeBindingArgs & { shape?: unknown },
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (bindTimeoutSeconds < 0) {
    const problem = 'invalid BindTimeoutSeconds, should not be a negative value';
    errors.push(invalid(`${path}.bindTimeoutSeconds`, bindTimeoutSeconds, problem));
  }
  if (shape !== undefined) {
    const problem = 'unexpected field `shape`, remove it or turn on the feature gate StorageCapacityScoring';
    errors.push(invalid(`${path}.shape`, shape, problem));
  }
  return errors;
}

/** component-helpers nodeaffinity.NewNodeSelector and NewPreferredSchedulingTerms, as far as they find fault. */
function validateNodeAffinity(affinity: NodeAffinity, path: string): FieldError[] {
  const terms = affinity.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const preferred = affinity.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const required = `${path}.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms`;
  return [
    ...terms.flatMap((term, i) => validateTerm(term, `${required}[${i}]`)),
    ...preferred.flatMap(({ preference }, i) => validateTerm(preference, `${path}.preferredDuringSchedulingIgnoredDuringExecution[${i}]`)),
  ];
}

function validateTerm({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, path: string): FieldError[] {
  return [
    ...matchExpressions.flatMap((one, i) => validateRequirement(one, `${path}.matchExpressions[${i}]`)),
    ...matchFields.flatMap(({ operator, values = [] }, i) => {
      const field = `${path}.matchFields[${i}]`;
      if (!FIELD_OPERATORS.includes(operator)) return [notSupported(`${field}.operator`, operator, FIELD_OPERATORS)];
      return values.length === 1 ? [] : [required(`${field}.values`, 'must have one element')];
    }),
  ];
}

/** apimachinery labels.NewRequirement */
function validateRequirement({ key, operator, values = [] }: NodeSelectorRequirement, path: string): FieldError[] {
  if (!OPERATORS.includes(operator)) return [notSupported(`${path}.operator`, operator, OPERATORS)];
  const errors = labelName(`${path}.key`, key);
  const wrong = (problem: string): void => void errors.push(invalid(`${path}.values`, values, problem));
  if ((operator === 'In' || operator === 'NotIn') && values.length === 0) wrong("for 'in', 'notin' operators, values set can't be empty");
  if ((operator === 'Exists' || operator === 'DoesNotExist') && values.length > 0)
    wrong('values set must be empty for exists and does not exist');
  if ((operator === 'Gt' || operator === 'Lt') && values.length !== 1) wrong("for 'Gt', 'Lt' operators, exactly one value is required");
  return errors;
}

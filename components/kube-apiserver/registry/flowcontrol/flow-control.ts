import { semanticDeepEqual } from '../../../../src/api/deep-equal.ts';
import type {
  FlowSchema,
  LimitedPriorityLevelConfiguration,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  PriorityLevelConfiguration,
  ResourcePolicyRule,
  Subject,
} from '../../../../src/api/kinds/flowcontrol-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { isDNS1123Label, isDNS1123Subdomain, isInRange } from '../../../../src/api/validation/content.ts';
import { forbidden, invalid, notSupported, required } from '../../../../src/api/validation/field.ts';
import type { KindRules } from '../kind-strategy.ts';
import { report } from '../validation.ts';
import { setDefaultsFlowSchema, setDefaultsPriorityLevelConfiguration } from './defaults.ts';

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];
const MAX_PRECEDENCE = 10_000;
const MAX_QUEUES = 10_000_000;
const MAX_HASH_BITS = 60;

/** kubernetes pkg/registry/flowcontrol/flowschema; the fixed specs of the mandatory schemas are not compared. */
export const flowSchemaRules: KindRules<FlowSchema> = {
  defaults: setDefaultsFlowSchema,
  hasStatus: true,
  generation: true,
  validate: validateFlowSchema,
  validateUpdate: (schema, old) => [...validateFlowSchema(schema), ...fixedSpec(schema, old)],
};

/** Objects named exempt and catch-all must stay as the server made them. */
function fixedSpec(object: FlowSchema | PriorityLevelConfiguration, old: FlowSchema | PriorityLevelConfiguration): FieldError[] {
  const name = object.metadata.name ?? '';
  if ((name !== 'exempt' && name !== 'catch-all') || semanticDeepEqual(object.spec, old.spec)) return [];
  const but = object.kind === 'PriorityLevelConfiguration' && name === 'exempt' ? " except the 'spec.exempt' field" : '';
  return [invalid('spec', object.spec, `spec of '${name}'${but} must equal the fixed value`)];
}

/** kubernetes pkg/apis/flowcontrol/validation ValidateFlowSchema */
function validateFlowSchema({ metadata, spec }: FlowSchema): FieldError[] {
  const errors: FieldError[] = [];
  const precedence = spec?.matchingPrecedence ?? 0;
  if (precedence <= 0) errors.push(invalid('spec.matchingPrecedence', precedence, 'must be a positive value'));
  if (precedence > MAX_PRECEDENCE)
    errors.push(invalid('spec.matchingPrecedence', precedence, `must not be greater than ${MAX_PRECEDENCE}`));
  if (precedence === 1 && metadata.name !== 'exempt')
    errors.push(invalid('spec.matchingPrecedence', precedence, "only the schema named 'exempt' may have matchingPrecedence 1"));
  if (spec?.distinguisherMethod && !['ByNamespace', 'ByUser'].includes(spec.distinguisherMethod.type)) {
    errors.push(notSupported('spec.distinguisherMethod.type', { Type: spec.distinguisherMethod.type }, ['ByNamespace', 'ByUser']));
  }
  if (!spec?.priorityLevelConfiguration?.name)
    errors.push(required('spec.priorityLevelConfiguration.name', 'must reference a priority level'));
  for (const [index, rule] of (spec?.rules ?? []).entries()) validateRules(errors, `spec.rules[${index}]`, rule);
  return errors;
}

function validateRules(errors: FieldError[], path: string, { subjects, resourceRules, nonResourceRules }: PolicyRulesWithSubjects): void {
  if (!subjects?.length) errors.push(required(`${path}.subjects`, 'subjects must contain at least one value'));
  for (const [index, subject] of (subjects ?? []).entries()) validateSubject(errors, `${path}.subjects[${index}]`, subject);
  if (!resourceRules?.length && !nonResourceRules?.length)
    errors.push(required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty'));
  for (const [index, rule] of (resourceRules ?? []).entries()) validateResourceRule(errors, `${path}.resourceRules[${index}]`, rule);
  for (const [index, rule] of (nonResourceRules ?? []).entries())
    validateNonResourceRule(errors, `${path}.nonResourceRules[${index}]`, rule);
}

function validateSubject(errors: FieldError[], path: string, subject: Subject): void {
  const parts = { User: 'user', Group: 'group', ServiceAccount: 'serviceAccount' } as const;
  const expected = parts[subject.kind as keyof typeof parts];
  if (!expected) {
    errors.push(notSupported(`${path}.kind`, subject.kind ?? '', ['Group', 'ServiceAccount', 'User']));
    return;
  }
  if (!subject[expected]) errors.push(required(`${path}.${expected}`, `${expected} is required when subject kind is '${subject.kind}'`));
  else if (!subject[expected]?.name) errors.push(required(`${path}.${expected}.name`));
  if (expected === 'serviceAccount' && subject.serviceAccount)
    validateServiceAccount(errors, `${path}.serviceAccount`, subject.serviceAccount);
  for (const other of Object.values(parts))
    if (other !== expected && subject[other])
      errors.push(
        forbidden(
          `${path}.${other}`,
          `${other} is forbidden when subject kind is not '${Object.keys(parts).find((kind) => parts[kind as keyof typeof parts] === other)}'`,
        ),
      );
}

/** kubernetes pkg/apis/flowcontrol/validation ValidateServiceAccountSubject, besides that there is a name */
function validateServiceAccount(errors: FieldError[], path: string, { name, namespace }: NonNullable<Subject['serviceAccount']>): void {
  if (name && name !== '*') report(errors, { path: `${path}.name`, value: name }, isDNS1123Subdomain(name));
  if (namespace) report(errors, { path: `${path}.namespace`, value: namespace }, isDNS1123Label(namespace));
  else errors.push(required(`${path}.namespace`, 'must specify namespace for service account'));
}

function verbs(errors: FieldError[], path: string, given: readonly string[] | undefined): void {
  if (!given?.length) errors.push(required(path, 'verbs must contain at least one value'));
  else if (given.includes('*')) {
    if (given.length > 1) errors.push(invalid(path, given, "if '*' is present, must not specify other verbs"));
  } else if (given.some((verb) => !VERBS.includes(verb))) errors.push(notSupported(path, given, VERBS));
}

function validateResourceRule(errors: FieldError[], path: string, rule: ResourcePolicyRule): void {
  verbs(errors, `${path}.verbs`, rule.verbs);
  star(errors, `${path}.apiGroups`, {
    values: rule.apiGroups,
    empty: 'resource rules must supply at least one api group',
    what: 'api groups',
  });
  star(errors, `${path}.resources`, {
    values: rule.resources,
    empty: 'resource rules must supply at least one resource',
    what: 'resources',
  });
  if (!rule.namespaces?.length && !rule.clusterScope)
    errors.push(required(`${path}.namespaces`, 'resource rules that are not cluster scoped must supply at least one namespace'));
  else if (rule.namespaces?.includes('*') && rule.namespaces.length > 1)
    errors.push(invalid(`${path}.namespaces`, rule.namespaces, "if '*' is present, must not specify other namespaces"));
  else if (!rule.namespaces?.includes('*'))
    for (const [index, value] of (rule.namespaces ?? []).entries())
      for (const message of isDNS1123Label(value))
        errors.push(invalid(`${path}.namespaces[${index}]`, value, `each member of this list must be '*' or a DNS-1123 label; ${message}`));
}

function validateNonResourceRule(errors: FieldError[], path: string, rule: NonResourcePolicyRule): void {
  verbs(errors, `${path}.verbs`, rule.verbs);
  star(errors, `${path}.nonResourceURLs`, {
    values: rule.nonResourceURLs,
    empty: 'nonResourceURLs must contain at least one value',
    what: 'non-resource URLs',
  });
  const urls = rule.nonResourceURLs ?? [];
  if (urls.includes('*')) return;
  for (const [index, url] of urls.entries()) {
    const problem = urlProblem(url);
    if (problem) errors.push(invalid(`${path}.nonResourceURLs[${index}]`, url, problem));
  }
}

/** kubernetes pkg/apis/flowcontrol/validation ValidateNonResourceURLPath */
function urlProblem(url: string): string | undefined {
  if (url === '') return 'must not be empty';
  if (!url.startsWith('/')) return 'must start with slash';
  if (url.includes(' ')) return 'must not contain white-space';
  if (url.includes('//')) return 'must not contain double slash';
  const stars = url.split('*').length - 1;
  return stars > 1 || (stars === 1 && !url.endsWith('/*')) ? 'wildcard can only do suffix matching' : undefined;
}

function star(
  errors: FieldError[],
  path: string,
  { values, empty, what }: { values: readonly string[] | undefined; empty: string; what: string },
): void {
  if (!values?.length) errors.push(required(path, empty));
  else if (values.includes('*') && values.length > 1)
    errors.push(invalid(path, values, `if '*' is present, must not specify other ${what}`));
}

/** kubernetes pkg/registry/flowcontrol/prioritylevelconfiguration */
export const priorityLevelConfigurationRules: KindRules<PriorityLevelConfiguration> = {
  defaults: setDefaultsPriorityLevelConfiguration,
  hasStatus: true,
  generation: true,
  validate: validatePriorityLevel,
  validateUpdate: (level, old) => [...validatePriorityLevel(level), ...fixedSpec(level, old)],
};

/** kubernetes pkg/apis/flowcontrol/validation ValidatePriorityLevelConfiguration */
function validatePriorityLevel({ metadata, spec }: PriorityLevelConfiguration): FieldError[] {
  const errors: FieldError[] = [];
  const type = spec?.type ?? '';
  if ((metadata.name === 'exempt') !== (type === 'Exempt') && (type === 'Exempt' || type === 'Limited'))
    errors.push(invalid('spec.type', type, "must be 'Exempt' if and only if `name` is 'exempt'"));
  if (type !== 'Exempt' && type !== 'Limited') {
    errors.push(notSupported('spec.type', type, ['Exempt', 'Limited']));
    return errors;
  }
  if (type === 'Exempt' && spec?.limited) errors.push(forbidden('spec.limited', 'must be nil if the type is not Limited'));
  if (type === 'Exempt' && spec?.exempt) validateShares(errors, 'spec.exempt', spec.exempt);
  if (type === 'Limited') {
    if (spec?.exempt) errors.push(forbidden('spec.exempt', 'must be nil if the type is Limited'));
    if (!spec?.limited) errors.push(required('spec.limited', 'must not be empty when type is Limited'));
    else validateLimited(errors, 'spec.limited', spec.limited);
  }
  return errors;
}

function validateShares(
  errors: FieldError[],
  path: string,
  {
    nominalConcurrencyShares: shares = 0,
    lendablePercent: lent,
  }: Pick<LimitedPriorityLevelConfiguration, 'nominalConcurrencyShares' | 'lendablePercent'>,
): void {
  if (shares < 0) errors.push(invalid(`${path}.nominalConcurrencyShares`, shares, 'must be a non-negative integer'));
  if (lent !== undefined) report(errors, { path: `${path}.lendablePercent`, value: lent }, isInRange(lent, 0, 100));
}

function validateLimited(errors: FieldError[], path: string, limited: LimitedPriorityLevelConfiguration): void {
  validateShares(errors, path, limited);
  if (limited.borrowingLimitPercent !== undefined && limited.borrowingLimitPercent < 0)
    errors.push(invalid(`${path}.borrowingLimitPercent`, limited.borrowingLimitPercent, 'must be a non-negative integer'));
  const { type, queuing } = limited.limitResponse ?? {};
  const at = `${path}.limitResponse`;
  if (type === 'Reject') {
    if (queuing) errors.push(forbidden(`${at}.queuing`, 'must be nil if limited.limitResponse.type is not Limited'));
  } else if (type === 'Queue') {
    if (!queuing) errors.push(required(`${at}.queuing`, 'must not be empty if limited.limitResponse.type is Limited'));
    else {
      const { queues = 0, handSize = 0, queueLengthLimit = 0 } = queuing;
      for (const [name, value] of [
        ['queueLengthLimit', queueLengthLimit],
        ['queues', queues],
        ['handSize', handSize],
      ] as const)
        if (value <= 0) errors.push(invalid(`${at}.queuing.${name}`, value, 'must be positive'));
      if (queues > MAX_QUEUES) errors.push(invalid(`${at}.queuing.queues`, queues, `must not be greater than ${MAX_QUEUES}`));
      if (handSize > 0) validateHand(errors, `${at}.queuing.handSize`, { queues, handSize });
    }
  } else errors.push(notSupported(`${at}.type`, type ?? '', ['Queue', 'Reject']));
}

/** A hand is dealt from a hash: there must be enough bits for it. apiserver pkg/util/shufflesharding RequiredEntropyBits */
function validateHand(errors: FieldError[], path: string, { queues, handSize }: { queues: number; handSize: number }): void {
  if (handSize > queues) errors.push(invalid(path, handSize, `should not be greater than queues (${queues})`));
  else if (Math.ceil(Math.log2(queues) * handSize) > MAX_HASH_BITS) {
    const text = `required entropy bits of deckSize ${queues} and handSize ${handSize} should not be greater than ${MAX_HASH_BITS}`;
    errors.push(invalid(path, handSize, text));
  }
}

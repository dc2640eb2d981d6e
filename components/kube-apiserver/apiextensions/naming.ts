import type {
  CustomResourceDefinition,
  CustomResourceDefinitionCondition,
  CustomResourceDefinitionNames,
} from '../../../src/api/kinds/apiextensions-v1.ts';

type Condition = Omit<CustomResourceDefinitionCondition, 'lastTransitionTime'>;

/** The condition of a type, if it is there. */
export function findCondition({ status }: CustomResourceDefinition, type: string): CustomResourceDefinitionCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

export function isConditionTrue(definition: CustomResourceDefinition, type: string): boolean {
  return findCondition(definition, type)?.status === 'True';
}

/** The definition with a condition. Its time changes with its status only. apiextensions-apiserver pkg/apihelpers.SetCRDCondition */
export function withCondition(definition: CustomResourceDefinition, condition: Condition, now: string): CustomResourceDefinition {
  const conditions = definition.status?.conditions ?? [];
  const old = conditions.find(({ type }) => type === condition.type);
  const lastTransitionTime = old?.status === condition.status ? (old.lastTransitionTime ?? now) : now;
  const { type, status, reason, message } = condition;
  const entry = { type, status, lastTransitionTime, ...(reason ? { reason } : {}), ...(message ? { message } : {}) };
  const changed = old ? conditions.map((other) => (other === old ? entry : other)) : [...conditions, entry];
  return { ...definition, status: { ...definition.status, conditions: changed } };
}

type NameField = 'plural' | 'singular' | 'kind' | 'listKind';

const FIELDS: readonly { readonly field: NameField; readonly reason: string }[] = [
  { field: 'plural', reason: 'PluralConflict' },
  { field: 'singular', reason: 'SingularConflict' },
];
const KINDS: readonly { readonly field: NameField; readonly reason: string }[] = [
  { field: 'kind', reason: 'KindConflict' },
  { field: 'listKind', reason: 'ListKindConflict' },
];

/** Which names of a definition are free, and what the conditions say of it. apiextensions-apiserver pkg/controller/status.calculateNamesAndConditions */
export function calculateNames(
  definition: CustomResourceDefinition,
  others: readonly CustomResourceDefinition[],
): { readonly acceptedNames: CustomResourceDefinitionNames; readonly conditions: readonly Condition[] } {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const { status } of others) {
    const { plural, singular, shortNames = [], kind, listKind } = status?.acceptedNames ?? { plural: '', kind: '' };
    for (const name of [plural, singular, ...shortNames]) if (name) resources.add(name);
    for (const name of [kind, listKind]) if (name) kinds.add(name);
  }
  const { names } = definition.spec;
  const accepted: CustomResourceDefinitionNames = { ...(definition.status?.acceptedNames ?? { plural: '', kind: '' }) };
  let conflict: Condition | undefined;
  const check = (field: NameField, reason: string, taken: ReadonlySet<string>): void => {
    const name = names[field] ?? '';
    if (name && taken.has(name)) conflict = { type: 'NamesAccepted', status: 'False', reason, message: `"${name}" is already in use` };
    else if (name) accepted[field] = name;
    else delete accepted[field];
  };
  for (const { field, reason } of FIELDS) check(field, reason, resources);
  const shortConflict = names.shortNames?.filter((name) => resources.has(name)) ?? [];
  if (shortConflict.length > 0) {
    const message = shortConflict.map((name) => `"${name}" is already in use`).join(', ');
    conflict = {
      type: 'NamesAccepted',
      status: 'False',
      reason: 'ShortNamesConflict',
      message: shortConflict.length > 1 ? `[${message}]` : message,
    };
  } else if (names.shortNames?.length) accepted.shortNames = names.shortNames;
  else delete accepted.shortNames;
  for (const { field, reason } of KINDS) check(field, reason, kinds);
  if (names.categories?.length) accepted.categories = names.categories;
  else delete accepted.categories;
  return { acceptedNames: accepted, conditions: conditionsFor(definition, conflict) };
}

function conditionsFor(definition: CustomResourceDefinition, conflict: Condition | undefined): Condition[] {
  const established = isConditionTrue(definition, 'Established');
  if (conflict) {
    const refused: Condition = { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' };
    return established ? [conflict] : [conflict, refused];
  }
  const accepted: Condition = { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' };
  const installing: Condition = {
    type: 'Established',
    status: 'False',
    reason: 'Installing',
    message: 'the initial names have been accepted',
  };
  return established ? [accepted] : [accepted, installing];
}

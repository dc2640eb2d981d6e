import { Budget, CostExceeded } from '../../../../src/api/cel/evaluator.ts';
import { CelError, OptionalValue, type Value } from '../../../../src/api/cel/values.ts';
import type { KubernetesObject } from '../../../../src/api/object.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { forbidden, quote, required } from '../../../../src/api/validation/field.ts';
import type { CustomResourceVersion } from '../custom-resource-version.ts';
import type { CorrelatedValue } from '../schema/correlated-value.ts';
import { fieldOf, isJsonObject, itemsOf, type Schema } from '../schema/structural-schema.ts';
import { type CompiledRule, compiledRules } from './compiled-rules.ts';
import { joinFieldPath } from './field-path.ts';
import { celValueOf } from './schema-type.ts';

const BUDGET = 10_000_000;
const PER_CALL = 1_000_000;
const MAX_MESSAGE = 5_120;

interface Subject {
  readonly value: unknown;
  readonly schema: Schema;
  /** '' for the root. */
  readonly path: string;
  readonly isRoot: boolean;
  readonly old: CorrelatedValue | undefined;
}

interface Run {
  readonly errors: FieldError[];
  /** Of values that have not changed: told, but not refused. */
  readonly ratcheted: FieldError[];
  readonly budget: Budget;
  stopped: boolean;
}

/** Checks an object against the rules of its schema. apiextensions-apiserver pkg/apiserver/schema/cel.Validator */
export function validateRules(
  { schema }: CustomResourceVersion,
  object: KubernetesObject,
  old: CorrelatedValue | undefined,
): { readonly errors: readonly FieldError[]; readonly ratcheted: readonly FieldError[] } {
  const run: Run = { errors: [], ratcheted: [], budget: new Budget(BUDGET), stopped: false };
  visit({ value: object, schema, path: '', isRoot: true, old }, run);
  return run;
}

function visit(subject: Subject, run: Run): void {
  const { value, schema, path, old } = subject;
  if (value === null || value === undefined || run.stopped) return;
  const rules = compiledRules(schema, subject.isRoot || schema['x-kubernetes-embedded-resource'] === true);
  if (rules.length > 0) checkRules(rules, subject, run);
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    if (!items) return;
    for (const [index, item] of value.entries())
      visit({ value: item, schema: items, path: `${path}[${index}]`, isRoot: false, old: old?.item(schema, item) }, run);
  } else if (isJsonObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      const field = fieldOf(schema, key);
      if (field) visit({ value: item, schema: field, path: path ? `${path}.${key}` : key, isRoot: false, old: old?.field(key) }, run);
    }
  }
}

function checkRules(rules: readonly CompiledRule[], subject: Subject, run: Run): void {
  const { value, schema, isRoot, old } = subject;
  const self = celValueOf(value, schema, isRoot || undefined);
  const before = old && celValueOf(old.value, schema, isRoot || undefined);
  const unchanged = old?.unchanged(value) ?? false;
  for (const rule of rules) {
    if (run.stopped) return;
    const optional = rule.rule.optionalOldSelf === true;
    if (rule.usesOldSelf && before === undefined && !optional) continue;
    const oldSelf = optional ? (before === undefined ? OptionalValue.NONE : new OptionalValue(before)) : before;
    const variables = (name: string): Value | undefined => (name === 'self' ? self : name === 'oldSelf' ? oldSelf : undefined);
    const error = checkRule(rule, { subject, variables, run });
    if (error) (unchanged && !rule.usesOldSelf ? run.ratcheted : run.errors).push(error);
  }
}

interface Check {
  readonly subject: Subject;
  readonly variables: (name: string) => Value | undefined;
  readonly run: Run;
}

function checkRule(compiled: CompiledRule, { subject, variables, run }: Check): FieldError | undefined {
  const { rule, program } = compiled;
  const place = { field: subject.path || '<nil>', type: subject.schema.type ?? '' };
  if (!program) return invalidHere(place, `rule compile error: ${compiled.error}`);
  const shown = rule.message?.trim() || rule.rule.trim();
  try {
    const { value, cost } = program.evaluate(variables, PER_CALL);
    run.budget.spend(cost);
    if (run.budget.left < 0) {
      run.stopped = true;
      return invalidHere(place, 'validation failed due to running out of cost budget, no further validation rules will be run');
    }
    if (value === true) return undefined;
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    if (!(error instanceof CostExceeded)) return invalidHere(place, `${error.message} evaluating rule: ${shown}`);
    run.stopped = true;
    return invalidHere(
      place,
      `'${error.message}': no further validation rules will be run due to call cost exceeds limit for rule: ${shown}`,
    );
  }
  const message = computedMessage(compiled, variables) ?? (rule.message?.trim() || `failed rule: ${rule.rule.trim()}`);
  return withReason(rule.reason, { ...place, field: joinFieldPath(subject.path, rule.fieldPath) || '<nil>' }, message);
}

interface Blamed {
  readonly field: string;
  /** Rules tell the type of what is wrong, not its value. */
  readonly type: string;
}

function invalidHere({ field, type }: Blamed, message: string): FieldError {
  return { reason: 'FieldValueInvalid', field, body: `Invalid value: ${quote(type)}: ${message}` };
}

function withReason(reason: string | undefined, blamed: Blamed, message: string): FieldError {
  switch (reason) {
    case 'FieldValueForbidden':
      return forbidden(blamed.field, message);
    case 'FieldValueRequired':
      return required(blamed.field, message);
    case 'FieldValueDuplicate':
      return { reason, field: blamed.field, body: `Duplicate value: ${quote(blamed.type)}` };
    default:
      return invalidHere(blamed, message);
  }
}

/** What messageExpression gives, if that is one line of text. */
function computedMessage({ messageProgram }: CompiledRule, variables: (name: string) => Value | undefined): string | undefined {
  if (!messageProgram) return undefined;
  try {
    const { value } = messageProgram.evaluate(variables, PER_CALL);
    const text = typeof value === 'string' ? value.trim() : '';
    return text && !text.includes('\n') && text.length <= MAX_MESSAGE ? text : undefined;
  } catch (error) {
    if (error instanceof CelError) return undefined;
    throw error;
  }
}

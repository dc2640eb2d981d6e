import type { ValidationRule } from '../../../../src/api/kinds/apiextensions-v1.ts';
import type { FieldError } from '../../../../src/api/status-error.ts';
import { forbidden, invalid, notSupported, required } from '../../../../src/api/validation/field.ts';
import { additionalOf, itemsOf, type Schema } from '../schema/structural-schema.ts';
import { type CompiledRule, compiledRules } from './compiled-rules.ts';
import { schemaAt } from './field-path.ts';
import { MAX_REQUEST_BYTES, sizedTypeOf } from './schema-type.ts';

const RULE_LIMIT = 10_000_000;
const TOTAL_LIMIT = 100_000_000;
const MOST_EXPENSIVE = 4;
const REASONS = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];
const ADVICE = '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)';

/** Where in the schema a rule is. */
interface Place {
  readonly path: string;
  readonly isRoot: boolean;
  /** How often the value can be there; undefined: as often as fits into a request. */
  readonly cardinality: number | undefined;
  /** The list above whose items cannot be told apart between two states. */
  readonly uncorrelatable: string | undefined;
}

interface Findings {
  readonly errors: FieldError[];
  readonly costs: { readonly path: string; readonly cost: number }[];
}

/** What is wrong with the rules in a schema. apiextensions-apiserver pkg/apis/apiextensions/validation.ValidateCustomResourceDefinitionOpenAPISchema, as far as it is about rules */
export function validateSchemaRules(schema: Schema, path: string): FieldError[] {
  const findings: Findings = { errors: [], costs: [] };
  visit(schema, { path, isRoot: true, cardinality: 1, uncorrelatable: undefined }, findings);
  const total = findings.costs.reduce((sum, { cost }) => sum + cost, 0);
  if (total <= TOTAL_LIMIT) return findings.errors;
  const expensive = [...findings.costs].sort((a, b) => b.cost - a.cost).slice(0, MOST_EXPENSIVE);
  return [
    ...findings.errors,
    ...expensive.map((each) =>
      forbidden(each.path, 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema'),
    ),
    forbidden(path, costMessage('x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema', total / TOTAL_LIMIT)),
  ];
}

function costMessage(what: string, excess: number): string {
  const factor = excess > 100 ? 'more than 100x' : `${excess < 1.5 ? excess.toFixed(6) : excess.toFixed(1)}x`;
  return `${what} exceeds budget by factor of ${factor} ${ADVICE}`;
}

function visit(schema: Schema, place: Place, findings: Findings): void {
  const { path, cardinality, uncorrelatable } = place;
  for (const [name, property] of Object.entries(schema.properties ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)))
    visit(property, { ...place, path: `${path}.properties[${name}]`, isRoot: false }, findings);
  const additional = additionalOf(schema);
  const times = (count: number | undefined): number | undefined =>
    cardinality === undefined || count === undefined ? undefined : cardinality * count;
  if (typeof additional === 'object')
    visit(
      additional,
      { ...place, path: `${path}.additionalProperties`, isRoot: false, cardinality: times(schema.maxProperties) },
      findings,
    );
  const items = itemsOf(schema);
  if (items) {
    const lost = uncorrelatable ?? (schema['x-kubernetes-list-type'] === 'map' ? undefined : path);
    visit(items, { path: `${path}.items`, isRoot: false, cardinality: times(schema.maxItems), uncorrelatable: lost }, findings);
  }
  const rules = compiledRules(schema, place.isRoot || schema['x-kubernetes-embedded-resource'] === true);
  for (const [index, rule] of rules.entries())
    visitRule(rule, { schema, place, at: `${path}.x-kubernetes-validations[${index}]` }, findings);
}

function visitRule(
  compiled: CompiledRule,
  { schema, place, at }: { readonly schema: Schema; readonly place: Place; readonly at: string },
  { errors, costs }: Findings,
): void {
  const { rule } = compiled;
  errors.push(...textErrors(rule, at), ...fieldPathErrors(rule, schema, at));
  if (compiled.error !== undefined) errors.push(invalid(`${at}.rule`, goRule(rule), compiled.error));
  if (compiled.messageError !== undefined) errors.push(invalid(`${at}.messageExpression`, goRule(rule), compiled.messageError));
  if (compiled.error !== undefined || !compiled.program) return;
  if (compiled.usesOldSelf && place.uncorrelatable)
    errors.push(
      invalid(`${at}.rule`, rule.rule, `oldSelf cannot be used on the uncorrelatable portion of the schema within ${place.uncorrelatable}`),
    );
  if (rule.optionalOldSelf !== undefined && !compiled.usesOldSelf)
    errors.push(invalid(`${at}.optionalOldSelf`, rule.optionalOldSelf, 'may not be set if oldSelf is not used in rule'));
  const minBytes = sizedTypeOf(schema, place.isRoot)?.minBytes ?? 1;
  const times = place.cardinality ?? Math.floor(MAX_REQUEST_BYTES / (minBytes + 1));
  const observe = (where: string, what: string, each: number): void => {
    const cost = each === 0 ? 0 : each * times;
    if (cost > RULE_LIMIT) errors.push(forbidden(where, costMessage(what, cost / RULE_LIMIT)));
    costs.push({ path: where, cost });
  };
  observe(`${at}.rule`, 'estimated rule cost', compiled.maxCost);
  if (compiled.messageProgram) observe(`${at}.messageExpression`, 'estimated messageExpression cost', compiled.maxMessageCost);
}

/** A rule as Go's internal type prints it. */
function goRule({ rule, message = '', messageExpression = '', reason, fieldPath = '', optionalOldSelf }: ValidationRule): unknown {
  return {
    Rule: rule,
    Message: message,
    MessageExpression: messageExpression,
    Reason: reason ?? null,
    FieldPath: fieldPath,
    OptionalOldSelf: optionalOldSelf ?? null,
  };
}

function textErrors({ rule, message, messageExpression, reason }: ValidationRule, at: string): FieldError[] {
  const errors: FieldError[] = [];
  if (!rule.trim()) errors.push(required(`${at}.rule`, 'rule is not specified'));
  if (message && !message.trim()) errors.push(invalid(`${at}.message`, message, 'message must be non-empty if specified'));
  else if (message?.trim().includes('\n')) errors.push(invalid(`${at}.message`, message, 'must not contain line breaks'));
  else if (!message && rule.trim().includes('\n'))
    errors.push(required(`${at}.message`, 'message must be specified if rule contains line breaks'));
  if (messageExpression && !messageExpression.trim())
    errors.push(required(`${at}.messageExpression`, 'messageExpression must be non-empty if specified'));
  if (reason !== undefined && !REASONS.includes(reason)) errors.push(notSupported(`${at}.reason`, reason, REASONS));
  return errors;
}

function fieldPathErrors({ fieldPath }: ValidationRule, schema: Schema, at: string): FieldError[] {
  if (fieldPath === undefined || fieldPath === '') return [];
  const where = `${at}.fieldPath`;
  if (!fieldPath.trim()) return [invalid(where, fieldPath, 'must be non-empty if specified')];
  if (fieldPath.includes('\n')) return [invalid(where, fieldPath, 'must not contain line breaks')];
  return schemaAt(schema, fieldPath) ? [] : [invalid(where, fieldPath, 'must be a valid path')];
}

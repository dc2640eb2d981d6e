import { type CelType, DYN, optionalOf } from '../../../../src/api/cel/cel-type.ts';
import { estimateCost } from '../../../../src/api/cel/cost.ts';
import { compile, mentions, type Program } from '../../../../src/api/cel/environment.ts';
import type { ValidationRule } from '../../../../src/api/kinds/apiextensions-v1.ts';
import type { Schema } from '../schema/structural-schema.ts';
import { sizedTypeOf } from './schema-type.ts';

/** A rule, compiled. apiextensions-apiserver pkg/apiserver/schema/cel.CompilationResult */
export interface CompiledRule {
  readonly rule: ValidationRule;
  readonly program: Program | undefined;
  readonly error: string | undefined;
  readonly messageProgram: Program | undefined;
  readonly messageError: string | undefined;
  /** Compares with the state before. */
  readonly usesOldSelf: boolean;
  /** What it can cost at most. */
  readonly maxCost: number;
  readonly maxMessageCost: number;
}

const compiled = new WeakMap<object, Map<boolean, readonly CompiledRule[]>>();

/** The rules of one schema, not of those below. */
export function compiledRules(schema: Schema, isRoot: boolean): readonly CompiledRule[] {
  const rules = schema['x-kubernetes-validations'];
  if (!rules?.length) return [];
  let known = compiled.get(rules);
  if (!known) {
    known = new Map();
    compiled.set(rules, known);
  }
  let result = known.get(isRoot);
  if (!result) {
    const type = sizedTypeOf(schema, isRoot)?.type ?? DYN;
    result = rules.map((rule) => compileRule(rule, type));
    known.set(isRoot, result);
  }
  return result;
}

function compileRule(rule: ValidationRule, self: CelType): CompiledRule {
  const old = rule.optionalOldSelf ? optionalOf(self) : self;
  const variables = new Map([
    ['self', self],
    ['oldSelf', old],
  ]);
  const { program, error } = rule.rule.trim() ? compile(rule.rule, variables) : { program: undefined, error: undefined };
  const notBool = program && program.type.kind !== 'bool' ? 'cel expression must evaluate to a bool' : undefined;
  const message = rule.messageExpression?.trim() ? compile(rule.messageExpression, variables) : undefined;
  const notString = message?.program && message.program.type.kind !== 'string' ? 'messageExpression must evaluate to a string' : undefined;
  return {
    rule,
    program,
    error: error === undefined ? notBool : `compilation failed: ${error}`,
    messageProgram: message?.program,
    messageError: message?.error === undefined ? notString : `messageExpression compilation failed: ${message.error}`,
    usesOldSelf: program !== undefined && mentions(program.expr, 'oldSelf'),
    maxCost: program ? estimateCost(program.expr, program.checked).max : 0,
    maxMessageCost: message?.program ? estimateCost(message.program.expr, message.program.checked).max : 0,
  };
}

import { BOOL, type CelType, DYN, formatType, mapOf, opaque, STRING } from '../../../../src/api/cel/cel-type.ts';
import { compile } from '../../../../src/api/cel/environment.ts';

const FIELDS: Readonly<Record<string, CelType>> = {
  driver: STRING,
  attributes: mapOf(STRING, mapOf(STRING, DYN)),
  capacity: mapOf(STRING, mapOf(STRING, opaque('kubernetes.Quantity'))),
  allowMultipleAllocations: BOOL,
};

const VARIABLES: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ['device', { kind: 'object', name: 'kubernetes.DRADevice', field: (name) => (Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined) }],
]);

/** What is wrong with an expression that selects devices; undefined: nothing. dynamic-resource-allocation cel.Compiler.CompileCELExpression */
export function deviceSelectorError(expression: string): string | undefined {
  const { program, error } = compile(expression, VARIABLES);
  if (!program) return `compilation failed: ${error ?? ''}`;
  const { type } = program;
  return type.kind === 'bool' || type.kind === 'dyn' ? undefined : `must evaluate to bool or the unknown type, not ${formatType(type)}`;
}

import { formatType } from '../../../../src/api/cel/cel-type.ts';
import { compileDeviceSelector } from '../../../../src/api/cel/device.ts';

/** What is wrong with an expression that selects devices; undefined: nothing. dynamic-resource-allocation cel.Compiler.CompileCELExpression */
export function deviceSelectorError(expression: string): string | undefined {
  const { program, error } = compileDeviceSelector(expression);
  if (!program) return `compilation failed: ${error ?? ''}`;
  const { type } = program;
  return type.kind === 'bool' || type.kind === 'dyn' ? undefined : `must evaluate to bool or the unknown type, not ${formatType(type)}`;
}

import { DYN } from '../../../../src/api/cel/cel-type.ts';
import { type Compiled, compile } from '../../../../src/api/cel/environment.ts';
import { jsonValue } from '../../../../src/api/cel/json-value.ts';
import { CelError } from '../../../../src/api/cel/values.ts';
import type { Device, DeviceSelector } from '../../../../src/api/kinds/resource-v1.ts';

const VARIABLES = new Map([['device', DYN]]);
const MAX_COMPILED = 500;
const compiled = new Map<string, Compiled>();

/** Whether the device of `driver` satisfies all selectors; a text when one cannot be evaluated. k8s.io/dynamic-resource-allocation/cel */
export function selectorsMatch(selectors: readonly DeviceSelector[], driver: string, device: Device): boolean | string {
  for (const { cel } of selectors) {
    if (!cel) return false;
    const { program, error } = compileOnce(cel.expression);
    if (!program) return `CEL compile error: ${error}`;
    try {
      const { value } = program.evaluate((name) => (name === 'device' ? jsonValue(seen(driver, device)) : undefined));
      if (value !== true) return false;
    } catch (thrown) {
      if (thrown instanceof CelError) return `CEL runtime error: ${thrown.message}`;
      throw thrown;
    }
  }
  return true;
}

function compileOnce(expression: string): Compiled {
  let program = compiled.get(expression);
  if (!program) {
    if (compiled.size >= MAX_COMPILED) compiled.clear();
    program = compile(expression, VARIABLES);
    compiled.set(expression, program);
  }
  return program;
}

/** What an expression sees: attributes by domain, those without one under their driver. */
function seen(driver: string, { attributes = {} }: Device): object {
  const byDomain: Record<string, Record<string, unknown>> = { [driver]: {} };
  for (const [name, { bool, int, string, version }] of Object.entries(attributes)) {
    const slash = name.indexOf('/');
    const domain = slash < 0 ? driver : name.slice(0, slash);
    byDomain[domain] = { ...byDomain[domain], [name.slice(slash + 1)]: bool ?? int ?? string ?? version };
  }
  return { driver, attributes: byDomain };
}

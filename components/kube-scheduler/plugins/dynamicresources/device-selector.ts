import { compileDeviceSelector, deviceValue } from '../../../../src/api/cel/device.ts';
import type { Compiled } from '../../../../src/api/cel/environment.ts';
import { CelError } from '../../../../src/api/cel/values.ts';
import type { Device, DeviceSelector } from '../../../../src/api/kinds/resource-v1.ts';
import { AllocationError } from './allocation-error.ts';

const MAX_COMPILED = 500;
const compiled = new Map<string, Compiled>();

/**
 * Whether the device of `driver` satisfies all selectors: allocator.selectorsMatch (k8s.io/dynamic-resource-allocation/structured).
 * @param owner whose selectors they are, for the message
 * @throws AllocationError when one cannot be evaluated
 */
export function selectorsMatch(owner: string, selectors: readonly DeviceSelector[], of: { driver: string; device: Device }): boolean {
  return selectors.every(({ cel }, i) => {
    const { program, error } = compileOnce(cel?.expression ?? '');
    if (!program) throw new AllocationError(`${owner}: selector #${i}: CEL compile error: ${error}`);
    try {
      return program.evaluate((name) => (name === 'device' ? deviceValue(of.driver, of.device) : undefined)).value === true;
    } catch (thrown) {
      if (thrown instanceof CelError) throw new AllocationError(`${owner}: selector #${i}: CEL runtime error: ${thrown.message}`);
      throw thrown;
    }
  });
}

/** k8s.io/dynamic-resource-allocation/cel Cache.GetOrCompile */
function compileOnce(expression: string): Compiled {
  let program = compiled.get(expression);
  if (!program) {
    if (compiled.size >= MAX_COMPILED) compiled.clear();
    program = compileDeviceSelector(expression);
    compiled.set(expression, program);
  }
  return program;
}

import type { Device, DeviceAttribute } from '../kinds/resource-v1.ts';
import { parseQuantity } from '../quantity.ts';
import { BOOL, type CelType, DYN, mapOf, opaque, STRING } from './cel-type.ts';
import { type Compiled, compile } from './environment.ts';
import { JsonMap } from './json-value.ts';
import { semverOf } from './library/formats.ts';
import { QuantityValue } from './library/kubernetes.ts';
import { LiteralMap, type Value } from './values.ts';

// The variable `device` of expressions that select devices: k8s.io/dynamic-resource-allocation/cel

const FIELDS: Readonly<Record<string, CelType>> = {
  driver: STRING,
  attributes: mapOf(STRING, mapOf(STRING, DYN)),
  capacity: mapOf(STRING, mapOf(STRING, opaque('kubernetes.Quantity'))),
  allowMultipleAllocations: BOOL,
};

const VARIABLES: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ['device', { kind: 'object', name: 'kubernetes.DRADevice', field: (name) => (Object.hasOwn(FIELDS, name) ? FIELDS[name] : undefined) }],
]);

/** Compiler.CompileCELExpression */
export function compileDeviceSelector(expression: string): Compiled {
  return compile(expression, VARIABLES);
}

/** What a selector sees of a device of `driver`. */
export function deviceValue(driver: string, { attributes = {}, capacity = {}, allowMultipleAllocations = false }: Device): Value {
  const amounts = byDomain(driver, capacity, ({ value }) => new QuantityValue(parseQuantity(value)));
  const fields: Readonly<Record<string, Value>> = {
    driver,
    attributes: byDomain(driver, attributes, attributeValue),
    capacity: amounts,
    allowMultipleAllocations,
  };
  return new JsonMap(fields, (value) => value as Value);
}

function attributeValue({ bool, int, string, version }: DeviceAttribute): Value {
  if (int !== undefined) return BigInt(int);
  if (bool !== undefined) return bool;
  return string ?? semverOf(version ?? '');
}

/** By domain, then by name; a name without a domain belongs to the driver's. */
function byDomain<T>(driver: string, items: Readonly<Record<string, T>>, convert: (item: T) => Value): DomainMap {
  const domains = new Map<string, [Value, Value][]>();
  for (const [name, item] of Object.entries(items)) {
    const slash = name.indexOf('/');
    const domain = slash < 0 ? driver : name.slice(0, slash);
    const entries = domains.get(domain) ?? [];
    entries.push([name.slice(slash + 1), convert(item)]);
    domains.set(domain, entries);
  }
  return new DomainMap([...domains].map(([domain, entries]): [Value, Value] => [domain, new LiteralMap(entries)]));
}

const NOTHING = new LiteralMap();

/** A domain that is not there is empty, so that only `in` tells the difference. */
class DomainMap extends LiteralMap {
  override find(key: Value): Value | undefined {
    return super.find(key) ?? NOTHING;
  }

  override has(key: Value): boolean {
    return super.find(key) !== undefined;
  }
}

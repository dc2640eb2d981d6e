import { expect, test } from 'vitest';
import { decode } from '../../../src/api/decode.ts';
import { deepFreeze } from '../../../src/api/freeze.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { apiVersionOf, type Resource } from '../../../src/api/resource.ts';
import { BUILT_IN_RESOURCES } from '../../../src/api/resources.ts';
import { type FieldSchema, type ObjectSchema, schemaOf, schemaOfKind, type TypeSchema } from '../../../src/api/schema.ts';
import { Random } from '../../../src/sim/random.ts';
import type { StrategyContext } from '../storage/strategy.ts';
import { registryStrategy } from './registry.ts';

const TEXTS = ['', 'a', 'web', 'Not OK!', '10.0.0.1', '50%', 'Always', 'example.com/x', '1Gi', 'None'];

/** A random object of a schema: most fields missing, values good and bad. */
class Generator {
  private readonly random: Random;

  constructor(seed: string) {
    this.random = new Random(seed);
  }

  object(schema: ObjectSchema, depth = 0): Record<string, unknown> {
    const out: Record<string, unknown> = {};
    for (const field of schema.fields.values())
      if (this.chance(depth < 2 ? 0.8 : 0.35)) out[field.name] = this.value(field.type, field, depth + 1);
    return out;
  }

  private chance(probability: number): boolean {
    return this.random.float() < probability;
  }

  private pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.random.float() * values.length)] as T;
  }

  private value(type: TypeSchema, field: FieldSchema | undefined, depth: number): unknown {
    switch (type.type) {
      case 'struct':
        return depth > 9 ? {} : this.object(schemaOf(type.definition), depth);
      case 'list':
        return Array.from({ length: this.pick([0, 1, 2]) }, () => this.value(type.items, undefined, depth));
      case 'map':
        return Object.fromEntries(
          Array.from({ length: this.pick([0, 1, 2]) }, () => [this.pick(TEXTS), this.value(type.items, undefined, depth)]),
        );
      case 'string':
        return field?.enum.length && this.chance(0.7) ? this.pick(field.enum) : this.pick(TEXTS);
      case 'bool':
        return this.chance(0.5);
      case 'intOrString':
        return this.pick([0, 80, '50%', 'http']);
      case 'quantity':
        return this.pick(['0', '1', '100m', '1Gi', '-1']);
      case 'bytes':
        return this.pick(['', 'aGVsbG8=']);
      case 'time':
        return '2025-01-01T00:00:00Z';
      case 'microTime':
        return '2025-01-01T00:00:00.000000Z';
      case 'any':
      case 'schemaOrOther':
        return this.pick([{}, { a: 1 }, 'x', [1]]);
      default:
        return this.pick([0, 1, -1, 30, 70_000]);
    }
  }
}

function read(resource: Resource, value: Record<string, unknown>): KubernetesObject {
  const apiVersion = apiVersionOf(resource);
  const schema = schemaOfKind(apiVersion, resource.kind);
  expect(schema).toBeDefined();
  const { object, error } = decode<KubernetesObject>({ ...value, apiVersion, kind: resource.kind }, schema as ObjectSchema);
  expect(error).toBeUndefined();
  object.metadata ??= {};
  return deepFreeze(registryStrategy(resource).setDefaults?.(object) ?? object);
}

const stored = BUILT_IN_RESOURCES.filter(
  ({ verbs, version, resource }) => verbs.includes('update') && !(resource === 'horizontalpodautoscalers' && version === 'v1'),
);

test.each(stored.map((resource) => [`${resource.resource}.${resource.group}`, resource] as const))(
  '%s: whatever a client sends is answered, not crashed on',
  (_name, resource) => {
    const strategy = registryStrategy(resource);
    const context: StrategyContext = { resource, user: { username: 'u', groups: [] }, dryRun: false, wallTime: 0 };
    const schema = schemaOfKind(apiVersionOf(resource), resource.kind) as ObjectSchema;
    for (let round = 0; round < 60; round++) {
      const generator = new Generator(`${resource.resource}-${round}`);
      const old = deepFreeze(
        strategy.prepareForCreate?.(context, read(resource, round === 0 ? {} : generator.object(schema))) ?? { metadata: {} },
      );
      strategy.validate?.(context, old);
      strategy.warningsOnCreate?.(context, old);
      const next = read(resource, generator.object(schema));
      for (const door of [strategy, ...Object.values(strategy.subresources ?? {})]) {
        const updated = door.prepareForUpdate?.(context, next, old) ?? next;
        door.validateUpdate?.(context, updated, old);
        door.warningsOnUpdate?.(context, updated, old);
      }
    }
  },
);

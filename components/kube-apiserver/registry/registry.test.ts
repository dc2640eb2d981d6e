import { expect, test } from 'vitest';
import { decode } from '../../../src/api/decode.ts';
import { deepFreeze } from '../../../src/api/freeze.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import { apiVersionOf, type Resource } from '../../../src/api/resource.ts';
import { BUILT_IN_RESOURCES } from '../../../src/api/resources.ts';
import { type ObjectSchema, schemaOfKind } from '../../../src/api/schema.ts';
import type { StrategyContext } from '../storage/strategy.ts';
import { RandomObjects } from './random-objects.ts';
import { registryStrategy } from './registry.ts';

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
      const generator = new RandomObjects(`${resource.resource}-${round}`);
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

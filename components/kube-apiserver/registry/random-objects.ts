import { type FieldSchema, type ObjectSchema, schemaOf, type TypeSchema } from '../../../src/api/schema.ts';
import { Random } from '../../../src/sim/random.ts';

const TEXTS = ['', 'a', 'web', 'Not OK!', '10.0.0.1', '50%', 'Always', 'example.com/x', '1Gi', 'None'];

/** Random objects of a schema, for tests: most fields missing, values good and bad. */
export class RandomObjects {
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

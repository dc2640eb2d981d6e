type Schema = Readonly<Record<string, unknown>>;

/** Where a value is not what a JSON Schema says. Knows as much of JSON Schema as the schemas in `lessons/` use. */
export function schemaProblems(root: Schema, value: unknown): string[] {
  return problemsAt({ schema: root, root }, value, '');
}

function problemsAt({ schema, root }: { schema: Schema; root: Schema }, value: unknown, path: string): string[] {
  const at = (next: unknown): { schema: Schema; root: Schema } => ({ schema: next as Schema, root });
  const { $ref, anyOf, type, pattern, items, properties, additionalProperties, required } = schema;
  if (typeof $ref === 'string') return problemsAt(at((root['$defs'] as Schema)[$ref.replace('#/$defs/', '')]), value, path);
  const problems: string[] = [];
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (Array.isArray(anyOf)) {
    const all = anyOf.map((one) => problemsAt(at(one), value, path));
    if (all.every((found) => found.length > 0))
      problems.push(`${path}: fits none of the alternatives: ${all.map(([first]) => first).join(' | ')}`);
  }
  if (typeof type === 'string' && typeOf(value) !== type) return [...problems, `${path}: expected ${type}, found ${typeOf(value)}`];
  if ('const' in schema && value !== schema['const']) problems.push(`${path}: expected ${String(schema['const'])}`);
  if (Array.isArray(schema['enum']) && !schema['enum'].includes(value))
    problems.push(`${path}: ${String(value)} is none of ${schema['enum'].join(', ')}`);
  if (typeof pattern === 'string' && typeof value === 'string' && !new RegExp(pattern).test(value))
    problems.push(`${path}: "${value}" does not fit ${pattern}`);
  if (items && Array.isArray(value)) problems.push(...value.flatMap((item, index) => problemsAt(at(items), item, `${path}[${index}]`)));
  if (!isMap) return problems;
  for (const name of (required as string[] | undefined) ?? []) if (!(name in value)) problems.push(`${path}: ${name} is missing`);
  for (const [name, item] of Object.entries(value)) {
    const known = (properties as Schema | undefined)?.[name];
    if (known) problems.push(...problemsAt(at(known), item, `${path}.${name}`));
    else if (additionalProperties === false) problems.push(`${path}.${name}: unknown field`);
    else if (additionalProperties) problems.push(...problemsAt(at(additionalProperties), item, `${path}.${name}`));
  }
  return problems;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

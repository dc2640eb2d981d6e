import { isJsonObject } from './schema/structural-schema.ts';

/** A step into a value: a field, a position in a list, everything (`*`), or the items of which a field has (or has not) a value. */
type Step =
  | { readonly field: string }
  | { readonly index: number }
  | { readonly all: true }
  | { readonly where: readonly Step[]; readonly equals: boolean; readonly value: unknown };

const STEP =
  /\.([A-Za-z_][\w-]*(?:\\\.[\w-]+)*)|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]|\[(-?\d+)\]|(\[\*\]|\.\*)|\[\?\(@([^=!)]+)(==|!=)([^)]*)\)\]/y;

/** A path like `.spec.items[0].name`; undefined when it cannot be read. client-go util/jsonpath, the part of it that columns use */
export function parseJsonPath(text: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  for (let pos = 0; pos < text.length; ) {
    STEP.lastIndex = pos;
    const match = STEP.exec(text);
    if (!match) return undefined;
    pos = STEP.lastIndex;
    const [, name, single, double, index, all, where, operator, literal = ''] = match;
    const field = name ?? single ?? double;
    if (field !== undefined) steps.push({ field: field.replace(/\\(.)/g, '$1') });
    else if (all) steps.push({ all: true });
    else if (where !== undefined) {
      const inner = parseJsonPath(where.trim());
      const value = literalValue(literal.trim());
      if (!inner || value === undefined) return undefined;
      steps.push({ where: inner, equals: operator === '==', value });
    } else steps.push({ index: Number(index) });
  }
  return steps;
}

/** A text in quotes, a number or a boolean. */
function literalValue(text: string): unknown {
  const quoted = /^'(.*)'$/.exec(text)?.[1];
  if (quoted !== undefined) return quoted;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Every value that a path leads to. */
export function findByPath(value: unknown, steps: readonly Step[]): unknown[] {
  let found = [value];
  for (const step of steps) found = found.flatMap((item) => next(item, step));
  return found.filter((item) => item !== undefined);
}

function next(value: unknown, step: Step): unknown[] {
  if ('field' in step) return isJsonObject(value) && Object.hasOwn(value, step.field) ? [value[step.field]] : [];
  if ('index' in step) return Array.isArray(value) ? [value.at(step.index)] : [];
  if ('where' in step) {
    const items = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
    return items.filter((item) => findByPath(item, step.where).some((found) => (found === step.value) === step.equals));
  }
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : [];
}

/** The names in a path that goes through fields only; undefined for others. */
export function fieldNames(text: string): string[] | undefined {
  const steps = parseJsonPath(text);
  const names = steps?.map((step) => ('field' in step ? step.field : undefined));
  return names?.every((name) => name !== undefined) ? names : undefined;
}

/** The object with a value in the place that a path of fields leads to. */
export function withValueAt<T extends object>(object: T, names: readonly string[], value: unknown): T {
  const [first, ...rest] = names;
  if (first === undefined) return object;
  const inner = (object as Record<string, unknown>)[first];
  return { ...object, [first]: rest.length > 0 ? withValueAt(isJsonObject(inner) ? inner : {}, rest, value) : value };
}

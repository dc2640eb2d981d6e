import { isJsonObject } from './schema/structural-schema.ts';

/** A step into a value: a field, a position in a list, or everything (`*`). */
type Step = { readonly field: string } | { readonly index: number } | { readonly all: true };

const STEP = /\.([A-Za-z_][\w-]*(?:\\\.[\w-]+)*)|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]|\[(-?\d+)\]|(\[\*\]|\.\*)/y;

/** A path like `.spec.items[0].name`; undefined when it cannot be read. client-go util/jsonpath, the part of it that columns use */
export function parseJsonPath(text: string): readonly Step[] | undefined {
  const steps: Step[] = [];
  STEP.lastIndex = 0;
  for (let pos = 0; pos < text.length; pos = STEP.lastIndex) {
    STEP.lastIndex = pos;
    const match = STEP.exec(text);
    if (!match) return undefined;
    const [, name, single, double, index, all] = match;
    const field = name ?? single ?? double;
    if (field !== undefined) steps.push({ field: field.replace(/\\(.)/g, '$1') });
    else if (all) steps.push({ all: true });
    else steps.push({ index: Number(index) });
  }
  return steps;
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

import { additionalOf, isJsonObject, itemsOf, type Schema } from './structural-schema.ts';

/** What every object of the API has, root or embedded. */
const TYPE_AND_META: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);

interface Place {
  readonly path: string;
  /** Has apiVersion, kind and metadata beyond its schema. */
  readonly isResource: boolean;
}

/** Leaves out what the schema does not know and tells where that was. apiextensions-apiserver pkg/apiserver/schema/pruning.PruneWithOptions */
export function prune(value: unknown, schema: Schema, unknownPaths: string[]): unknown {
  return pruned(value, schema, { place: { path: '', isResource: true }, unknownPaths });
}

/** The same for a value below the root. */
export function pruneBelow(value: unknown, schema: Schema, unknownPaths: string[]): unknown {
  const place = { path: '', isResource: schema['x-kubernetes-embedded-resource'] === true };
  return pruned(value, schema, { place, unknownPaths });
}

function pruned(value: unknown, schema: Schema, { place, unknownPaths }: { place: Place; unknownPaths: string[] }): unknown {
  const below = (item: unknown, inner: Schema, path: string): unknown =>
    pruned(item, inner, { place: { path, isResource: inner['x-kubernetes-embedded-resource'] === true }, unknownPaths });
  if (Array.isArray(value)) {
    const items = itemsOf(schema);
    if (!items) return value;
    const out = value.map((item, index) => below(item, items, `${place.path}[${index}]`));
    return out.some((item, index) => item !== value[index]) ? out : value;
  }
  if (!isJsonObject(value)) return value;
  const additional = additionalOf(schema);
  const out: Record<string, unknown> = {};
  let changed = false;
  for (const key of Object.keys(value)) {
    const path = place.path ? `${place.path}.${key}` : key;
    const own = schema.properties && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
    if (place.isResource && TYPE_AND_META.has(key)) out[key] = value[key];
    else if (own) out[key] = below(value[key], own, path);
    else if (typeof additional === 'object') out[key] = below(value[key], additional, path);
    else if (additional === true || schema['x-kubernetes-preserve-unknown-fields']) out[key] = value[key];
    else {
      unknownPaths.push(path);
      changed = true;
      continue;
    }
    if (out[key] !== value[key]) changed = true;
  }
  return changed ? out : value;
}

import type { KubernetesObject } from '../../api/object.ts';
import { kindOf } from './kind-of.ts';

/** A JSON object whose fields are not known. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at `path`, or undefined where something on the way is missing. */
export function field(object: unknown, ...path: string[]): unknown {
  let value: unknown = object;
  for (const key of path) value = isJsonObject(value) ? value[key] : undefined;
  return value;
}

export function textField(object: unknown, ...path: string[]): string {
  const value = field(object, ...path);
  return typeof value === 'string' ? value : '';
}

export function numberField(object: unknown, ...path: string[]): number | undefined {
  const value = field(object, ...path);
  return typeof value === 'number' ? value : undefined;
}

export function listField(object: unknown, ...path: string[]): readonly JsonObject[] {
  const value = field(object, ...path);
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The condition of this type in an object's status. */
export function condition(object: unknown, type: string): JsonObject | undefined {
  return listField(object, 'status', 'conditions').find((candidate) => candidate.type === type);
}

export function isTrue(object: unknown, type: string): boolean {
  return condition(object, type)?.status === 'True';
}

/** `Pod web-1`; the namespace is named unless it is `default`. */
export function displayName(object: {
  readonly group?: string;
  readonly resource?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name: string;
}): string {
  const namespace = object.namespace && object.namespace !== 'default' ? `${object.namespace}/` : '';
  return `${kindOf(object)} ${namespace}${object.name}`;
}

export function displayNameOf(object: KubernetesObject): string {
  const { name = '', namespace } = object.metadata;
  return displayName({ kind: object.kind ?? 'object', name, ...(namespace ? { namespace } : {}) });
}

import type { KubernetesObject } from '../api/object.ts';
import { readPath } from '../scenario/matcher.ts';
import type { Comparison, Selection } from './check.ts';

/** Whether an object is among those that are meant. */
export function isSelected(selection: Selection, object: KubernetesObject): boolean {
  const { kind, name, namespace, labels, ready, where } = selection;
  return (
    object.kind === kind &&
    (name === undefined || fitsText(name, object.metadata.name ?? '')) &&
    (namespace === undefined || object.metadata.namespace === namespace) &&
    Object.entries(labels ?? {}).every(([key, value]) => object.metadata.labels?.[key] === value) &&
    (ready === undefined || isReady(object) === ready) &&
    Object.entries(where ?? {}).every(([path, value]) => sameValue(readPath(object, path), value))
  );
}

function isReady(object: KubernetesObject): boolean {
  return readPath(object, 'status.conditions[type=Ready].status') === 'True';
}

/** Equal as JSON; a null in a lesson means that the field is absent. */
export function sameValue(found: unknown, wanted: unknown): boolean {
  return JSON.stringify(found ?? null) === JSON.stringify(wanted ?? null);
}

/** `*` stands for any text. */
export function fitsText(pattern: string, text: string): boolean {
  if (!pattern.includes('*')) return pattern === text;
  const escaped = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${escaped.join('.*')}$`, 's').test(text);
}

/** Whether a value is as it must be. */
export function compares(is: Comparison, value: unknown): boolean {
  const number = typeof value === 'number' ? value : Number.NaN;
  return (
    (!('eq' in is) || sameValue(value, is.eq)) &&
    (!('ne' in is) || !sameValue(value, is.ne)) &&
    (is.lt === undefined || number < is.lt) &&
    (is.gt === undefined || number > is.gt) &&
    (is.min === undefined || number >= is.min) &&
    (is.max === undefined || number <= is.max) &&
    (is.exists === undefined || (value !== undefined && value !== null) === is.exists)
  );
}

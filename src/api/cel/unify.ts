import { type CelType, DYN } from './cel-type.ts';

/** What the places of a declaration stand for, found while arguments are matched. cel-go checker mapping */
export type Mapping = Map<string, CelType>;

const NULLABLE = new Set<CelType['kind']>(['object', 'timestamp', 'duration', 'opaque', 'null']);

/** Whether a value of type `from` may stand where `to` is wanted; binds places on both sides. cel-go checker internalIsAssignable */
export function isAssignable(mapping: Mapping, to: CelType, from: CelType): boolean {
  if (to.kind === 'param') return bindsTo(mapping, to.name, from);
  if (from.kind === 'param') return bindsTo(mapping, from.name, to);
  if (to.kind === 'dyn' || from.kind === 'dyn' || to.kind === 'error' || from.kind === 'error') return true;
  if (from.kind === 'null') return NULLABLE.has(to.kind);
  if (to.kind === 'null') return NULLABLE.has(from.kind);
  if (to.kind === 'list') return from.kind === 'list' && isAssignable(mapping, to.element, from.element);
  if (to.kind === 'map')
    return from.kind === 'map' && isAssignable(mapping, to.key, from.key) && isAssignable(mapping, to.value, from.value);
  if (to.kind === 'opaque') {
    if (from.kind !== 'opaque' || to.name !== from.name) return false;
    return to.params.every((type, index) => isAssignable(mapping, type, from.params[index] ?? DYN));
  }
  if (to.kind === 'object') return from.kind === 'object' && to.name === from.name;
  return to.kind === from.kind;
}

function bindsTo(mapping: Mapping, name: string, type: CelType): boolean {
  if (type.kind === 'param' && type.name === name) return true;
  const bound = mapping.get(name);
  if (bound !== undefined) {
    if (!isAssignable(mapping, bound, type)) return false;
    mapping.set(name, mostGeneral(bound, type));
    return true;
  }
  if (occurs(name, type)) return false;
  mapping.set(name, type);
  return true;
}

function occurs(name: string, type: CelType): boolean {
  switch (type.kind) {
    case 'param':
      return type.name === name;
    case 'list':
      return occurs(name, type.element);
    case 'map':
      return occurs(name, type.key) || occurs(name, type.value);
    case 'opaque':
      return type.params.some((inner) => occurs(name, inner));
    case 'type':
      return occurs(name, type.of);
    default:
      return false;
  }
}

/** The type that takes values of both. */
export function mostGeneral(a: CelType, b: CelType): CelType {
  return isEqualOrLessSpecific(a, b) ? a : b;
}

function isEqualOrLessSpecific(a: CelType, b: CelType): boolean {
  if (a.kind === 'dyn' || a.kind === 'error' || a.kind === 'param') return true;
  if (b.kind === 'dyn' || b.kind === 'error' || b.kind === 'param') return false;
  if (a.kind === 'null' && b.kind !== 'null') return false;
  if (a.kind === 'list' && b.kind === 'list') return isEqualOrLessSpecific(a.element, b.element);
  if (a.kind === 'map' && b.kind === 'map') return isEqualOrLessSpecific(a.key, b.key) && isEqualOrLessSpecific(a.value, b.value);
  return true;
}

/** The type with its places filled in; those that nothing is known of become dyn when `finish` is set. cel-go checker substitute */
export function substitute(mapping: Mapping, type: CelType, finish: boolean): CelType {
  switch (type.kind) {
    case 'param': {
      const bound = mapping.get(type.name);
      if (bound !== undefined) return substitute(mapping, bound, finish);
      return finish ? DYN : type;
    }
    case 'list':
      return { ...type, element: substitute(mapping, type.element, finish) };
    case 'map':
      return { ...type, key: substitute(mapping, type.key, finish), value: substitute(mapping, type.value, finish) };
    case 'opaque':
      return { ...type, params: type.params.map((inner) => substitute(mapping, inner, finish)) };
    case 'type':
      return { ...type, of: substitute(mapping, type.of, finish) };
    default:
      return type;
  }
}

/** A copy with fresh places, so that one use of a declaration says nothing about another. */
export function instantiate(type: CelType, suffix: number): CelType {
  switch (type.kind) {
    case 'param':
      return { kind: 'param', name: `${type.name}#${suffix}` };
    case 'list':
      return { ...type, element: instantiate(type.element, suffix) };
    case 'map':
      return { ...type, key: instantiate(type.key, suffix), value: instantiate(type.value, suffix) };
    case 'opaque':
      return { ...type, params: type.params.map((inner) => instantiate(inner, suffix)) };
    case 'type':
      return { ...type, of: instantiate(type.of, suffix) };
    default:
      return type;
  }
}

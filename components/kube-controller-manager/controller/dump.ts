import { formatQuantity } from './dump-quantity.ts';
import { GO_TYPES } from './go-types.ts';

/** A field of a Go struct. */
export interface GoField {
  readonly name: string;
  readonly type: string;
  /** Undefined for an embedded struct, whose fields are read from the same JSON object. */
  readonly json: string | undefined;
}

type Json = Readonly<Record<string, unknown>>;

const BUILT_IN: ReadonlySet<string> = new Set(['string', 'bool', 'int32', 'int64']);
const ZERO_TIME = '{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}';
const fields = new Map<string, readonly GoField[]>();

/**
 * The text that Go's spew makes of a value of a Go type, given as JSON: apimachinery pkg/util/dump ForHash (`%#v`, sorted keys, no addresses).
 * Absent and empty lists and maps are nil, as they are after decoding.
 */
export function dumpForHash(type: string, value: unknown): string {
  return dump(type, value, true);
}

/** @param typed write the type before the value; left out for what is inside a list, a map or behind a pointer */
function dump(type: string, value: unknown, typed: boolean): string {
  const prefix = typed ? `(${goName(type)})` : '';
  if (type.startsWith('*')) return value === undefined || value === null ? `${prefix}<nil>` : prefix + dump(type.slice(1), value, false);
  if (type.startsWith('[]')) return prefix + dumpList(type.slice(2), value);
  if (type.startsWith('map[')) return prefix + dumpMap(type.slice(type.indexOf(']') + 1), value);
  if (type === 'ResourceList') return prefix + dumpMap('resource.Quantity', value);
  if (type === 'resource.Quantity') return prefix + formatQuantity(value);
  if (type === 'intstr.IntOrString') return prefix + dumpIntOrString(value);
  if (type === 'Time') return prefix + ZERO_TIME;
  if (GO_TYPES[type] !== undefined) return prefix + dumpStruct(type, value);
  return prefix + String(value ?? zeroOf(type));
}

function dumpList(type: string, value: unknown): string {
  if (!Array.isArray(value) || value.length === 0) return '<nil>';
  return `[${value.map((item) => dump(type, item, false)).join(' ')}]`;
}

function dumpMap(type: string, value: unknown): string {
  const map = (value ?? {}) as Json;
  const keys = Object.keys(map).sort();
  return keys.length === 0 ? '<nil>' : `map[${keys.map((key) => `${key}:${dump(type, map[key], false)}`).join(' ')}]`;
}

function dumpStruct(type: string, value: unknown): string {
  const object = (value ?? {}) as Json;
  const texts = fieldsOf(type).map(
    ({ name, type: fieldType, json }) => `${name}:${dump(fieldType, json === undefined ? object : object[json], true)}`,
  );
  return `{${texts.join(' ')}}`;
}

/** apimachinery pkg/util/intstr IntOrString */
function dumpIntOrString(value: unknown): string {
  const isText = typeof value === 'string';
  return `{Type:(intstr.Type)${isText ? 1 : 0} IntVal:(int32)${isText ? 0 : (value ?? 0)} StrVal:(string)${isText ? value : ''}}`;
}

function goName(type: string): string {
  if (type.startsWith('*')) return `*${goName(type.slice(1))}`;
  if (type.startsWith('[]')) return `[]${goName(type.slice(2))}`;
  return BUILT_IN.has(type) || type.includes('.') || type.startsWith('map[') ? type : `v1.${type}`;
}

function zeroOf(type: string): string | number | boolean {
  if (type === 'bool') return false;
  return type === 'int32' || type === 'int64' ? 0 : '';
}

/** The fields of a Go type, in order. */
export function fieldsOf(type: string): readonly GoField[] {
  let known = fields.get(type);
  if (!known) {
    known = (GO_TYPES[type] ?? '').split(', ').map(parseField);
    fields.set(type, known);
  }
  return known;
}

function parseField(text: string): GoField {
  if (text.startsWith('+')) return { name: text.slice(1), type: text.slice(1), json: undefined };
  const [name = '', rest = ''] = text.split(' ');
  const [type = '', json = jsonName(name)] = rest.split('=');
  return { name, type, json };
}

/** `DNSPolicy` → `dnsPolicy`, `TTY` → `tty`. */
function jsonName(goField: string): string {
  return goField.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]+$|^[A-Z]/, (start) => start.toLowerCase());
}

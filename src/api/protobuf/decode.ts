// Kubernetes' protobuf form of objects, read into their JSON form.
import { bytesToBase64 } from '../base64.ts';
import { isDeeperThan, MAX_DEPTH } from '../depth.ts';
import { formatMicroTime, formatTime } from '../time.ts';
import { type Field, fieldsOf, isList, MAGIC, messageOf } from './messages.ts';
import { ProtobufError, ProtobufReader } from './reader.ts';

const RAW_FIELD = 2;

type Message = Record<string, unknown>;

/** The JSON form of an object. @throws ProtobufError */
export function decodeProtobuf(bytes: Uint8Array): Message {
  try {
    const object = readObject(bytes);
    if (!isDeeperThan(object, MAX_DEPTH)) return object;
  } catch (error) {
    // JSON inside that is none, times out of range, messages in messages without end.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    throw new ProtobufError(error.message);
  }
  throw new ProtobufError('exceeded max depth');
}

function readObject(bytes: Uint8Array): Message {
  if (MAGIC.some((byte, index) => bytes[index] !== byte))
    throw new ProtobufError('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  const { typeMeta = {}, raw = new Uint8Array() } = readEnvelope(bytes.subarray(MAGIC.length));
  const { apiVersion = '', kind = '' } = typeMeta;
  const name = messageOf(apiVersion, kind);
  if (!name)
    throw new ProtobufError(`no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/api/legacyscheme/scheme.go:30"`);
  return { apiVersion, kind, ...(readMessage(raw, name) as Message) };
}

function readEnvelope(bytes: Uint8Array): { typeMeta?: { apiVersion?: string; kind?: string }; raw?: Uint8Array } {
  const reader = new ProtobufReader(bytes);
  let typeMeta = {};
  let raw: Uint8Array | undefined;
  while (!reader.done) {
    const { number, value } = reader.field();
    if (number === 1) typeMeta = readMessage(bytesOf(value, 'typeMeta'), 'pkg.runtime.TypeMeta') as Message;
    if (number === RAW_FIELD) raw = bytesOf(value, 'raw');
  }
  return { typeMeta, ...(raw ? { raw } : {}) };
}

/** Messages whose JSON form is no object of their fields. */
const SPECIAL: Readonly<Record<string, (message: Message) => unknown>> = {
  'meta.v1.Time': (time) => timeOf(time, (ms) => formatTime(ms)),
  'meta.v1.MicroTime': (time) =>
    timeOf(time, (ms, nanos) => `${formatMicroTime(ms).slice(0, -4)}${String(Math.floor((nanos % 1e6) / 1e3)).padStart(3, '0')}Z`),
  'meta.v1.Duration': ({ duration }) => duration,
  'api.resource.Quantity': ({ string }) => string ?? '0',
  'util.intstr.IntOrString': ({ type, intVal, strVal }) => (type === 1 ? (strVal ?? '') : (intVal ?? 0)),
  'pkg.runtime.RawExtension': ({ raw }) => jsonOf(raw),
  'meta.v1.FieldsV1': ({ Raw }) => jsonOf(Raw),
  'apiextensions.v1.JSON': ({ raw }) => jsonOf(raw),
  'apiextensions.v1.JSONSchemaPropsOrBool': ({ allows, schema }) => schema ?? allows ?? false,
  'apiextensions.v1.JSONSchemaPropsOrArray': ({ schema, jSONSchemas }) => schema ?? jSONSchemas ?? {},
  'apiextensions.v1.JSONSchemaPropsOrStringArray': ({ schema, property }) => schema ?? property ?? [],
};

function timeOf(
  { seconds = 0, nanos = 0 }: { seconds?: number; nanos?: number },
  format: (ms: number, nanos: number) => string,
): string | null {
  return seconds === 0 && nanos === 0 ? null : format(seconds * 1000 + Math.floor(nanos / 1e6), nanos);
}

/** Bytes that hold JSON come as base64 like all others. */
function jsonOf(base64: unknown): unknown {
  return typeof base64 === 'string' && base64
    ? JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))))
    : null;
}

function readMessage(bytes: Uint8Array, name: string): unknown {
  const fields = fieldsOf(name);
  if (!fields) throw new ProtobufError(`unknown message ${name}`);
  const reader = new ProtobufReader(bytes);
  const message: Message = {};
  while (!reader.done) {
    const { number, value } = reader.field();
    const field = fields.get(number);
    if (field) setField(message, field, value);
  }
  const special = SPECIAL[name];
  if (special) return special(message);
  return isList(fields) ? (message['='] ?? []) : message;
}

function setField(message: Message, { name, type }: Field, value: number | Uint8Array): void {
  if (type.startsWith('<')) {
    Object.assign(message, fieldValue(value, { name, type: type.slice(1) }));
  } else if (type.startsWith('*')) {
    const list = (message[name] ?? []) as unknown[];
    message[name] = list;
    if (type === '*i' && value instanceof Uint8Array) list.push(...packed(value));
    else list.push(fieldValue(value, { name, type: type.slice(1) }));
  } else if (type.startsWith('m')) {
    const [key, entry] = readEntry(bytesOf(value, name), type.slice(1));
    message[name] = { ...(message[name] as object | undefined), [key]: entry };
  } else {
    message[name] = fieldValue(value, { name, type });
  }
}

function packed(bytes: Uint8Array): number[] {
  const reader = new ProtobufReader(bytes);
  const numbers: number[] = [];
  while (!reader.done) numbers.push(reader.varint());
  return numbers;
}

function readEntry(bytes: Uint8Array, type: string): [string, unknown] {
  const reader = new ProtobufReader(bytes);
  let key = '';
  let entry: unknown = type === 's' || type === 'y' ? '' : undefined;
  while (!reader.done) {
    const { number, value } = reader.field();
    if (number === 1) key = String(fieldValue(value, { name: 'mapkey', type: 's' }));
    if (number === 2) entry = fieldValue(value, { name: 'mapvalue', type });
  }
  return [key, entry];
}

function fieldValue(value: number | Uint8Array, { name, type }: Field): unknown {
  if (type.startsWith('.')) return readMessage(bytesOf(value, name), type.slice(1));
  if (type === 's') return new TextDecoder().decode(bytesOf(value, name));
  if (type === 'y') return bytesToBase64(bytesOf(value, name));
  if (type === 'd') {
    const bytes = bytesOf(value, name);
    return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getFloat64(0, true);
  }
  if (typeof value !== 'number') throw wrongWireType(2, name);
  return type === 'b' ? value !== 0 : value;
}

function bytesOf(value: number | Uint8Array, name: string): Uint8Array {
  if (typeof value === 'number') throw wrongWireType(0, name);
  return value;
}

const wrongWireType = (type: number, name: string): ProtobufError =>
  new ProtobufError(`proto: wrong wireType = ${type} for field ${name.charAt(0).toUpperCase()}${name.slice(1)}`);

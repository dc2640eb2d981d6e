// Kubernetes' protobuf form of objects, written out of their JSON form.
import { base64ToBytes } from '../base64.ts';
import { parseTime } from '../time.ts';
import { type Field, fieldsOf, isList, MAGIC, messageOf } from './messages.ts';
import { ProtobufWriter } from './writer.ts';

type Message = Readonly<Record<string, unknown>>;

interface Typed {
  readonly apiVersion?: string;
  readonly kind?: string;
}

const encoded = new WeakMap<object, Uint8Array<ArrayBuffer>>();

/** Whether objects of a kind have this form: custom resources and Tables have none. */
export function hasProtobuf({ apiVersion = '', kind = '' }: Typed): boolean {
  return messageOf(apiVersion, kind) !== undefined;
}

/** An object, a list or a Status: the prefix and the envelope runtime.Unknown around the message. What is frozen is encoded once. */
export function encodeProtobuf(object: Typed): Uint8Array<ArrayBuffer> {
  const known = encoded.get(object);
  if (known) return known;
  const { apiVersion = '', kind = '' } = object;
  const message = messageOf(apiVersion, kind);
  const writer = new ProtobufWriter();
  // Empty, as it is in the real one.
  writer.text(4, '');
  writer.text(3, '');
  writer.message(2, () => {
    if (message) writeMessage(writer, object as Message, message);
  });
  writer.message(1, () => writeMessage(writer, { apiVersion, kind }, 'pkg.runtime.TypeMeta'));
  writer.raw(MAGIC);
  const { result } = writer;
  if (Object.isFrozen(object)) encoded.set(object, result);
  return result;
}

const FRAME_HEADER = 4;

/** A frame of a watch: the length in four bytes, then meta.v1.WatchEvent around the encoded object. apimachinery pkg/util/framer */
export function encodeProtobufWatchEvent(type: string, object: Typed): Uint8Array<ArrayBuffer> {
  const writer = new ProtobufWriter();
  writer.message(2, () => writer.bytes(1, encodeProtobuf(object)));
  writer.text(1, type);
  const { length } = writer;
  const header = new Uint8Array(FRAME_HEADER);
  new DataView(header.buffer).setUint32(0, length);
  writer.raw(header);
  return writer.result;
}

/** How the JSON form of messages that are no object there becomes their fields. */
const SPECIAL: Readonly<Record<string, (value: unknown) => Message>> = {
  'meta.v1.Time': (time) => timestamp(time),
  'meta.v1.MicroTime': (time) => timestamp(time),
  'meta.v1.Duration': (duration) => ({ duration }),
  'api.resource.Quantity': (quantity) => ({ string: String(quantity) }),
  'util.intstr.IntOrString': (value) => (typeof value === 'number' ? { type: 0, intVal: value } : { type: 1, strVal: value }),
  'pkg.runtime.RawExtension': (value) => ({ raw: json(value) }),
  'meta.v1.FieldsV1': (value) => ({ Raw: json(value) }),
  'apiextensions.v1.JSON': (value) => ({ raw: json(value) }),
  'apiextensions.v1.JSONSchemaPropsOrBool': (value) => (typeof value === 'boolean' ? { allows: value } : { allows: true, schema: value }),
  'apiextensions.v1.JSONSchemaPropsOrArray': (value) => (Array.isArray(value) ? { jSONSchemas: value } : { schema: value }),
  'apiextensions.v1.JSONSchemaPropsOrStringArray': (value) => (Array.isArray(value) ? { property: value } : { schema: value }),
};

const json = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

const FRACTION = /\.(\d{1,9})/;

/** Seconds since 1970 and the rest in nanoseconds; nothing for no time. */
function timestamp(time: unknown): Message {
  const text = typeof time === 'string' ? time : '';
  const ms = parseTime(text);
  if (ms === undefined) return {};
  const nanos = Number((FRACTION.exec(text)?.[1] ?? '').padEnd(9, '0'));
  return { seconds: Math.floor(ms / 1000), nanos };
}

interface Entry extends Field {
  readonly number: number;
}

const reversed = new Map<string, readonly Entry[]>();

/** The fields of a message, last first. */
function entriesOf(name: string): readonly Entry[] {
  let entries = reversed.get(name);
  if (!entries) {
    entries = [...(fieldsOf(name) ?? [])].map(([number, field]) => ({ number, ...field })).reverse();
    reversed.set(name, entries);
  }
  return entries;
}

function writeMessage(writer: ProtobufWriter, value: unknown, name: string): void {
  const fields = fieldsOf(name);
  const special = SPECIAL[name];
  const message = special ? special(value) : fields && isList(fields) ? { '=': value } : (value as Message | null);
  if (!message) return;
  for (const { number, name: field, type } of entriesOf(name)) {
    if (type.startsWith('<')) writeEmbedded(writer, number, { message, name: type.slice(2) });
    else writeField(writer, number, { value: message[field], type });
  }
}

/** Fields that JSON holds beside those of the message around them. */
function writeEmbedded(writer: ProtobufWriter, number: number, { message, name }: { message: Message; name: string }): void {
  const before = writer.length;
  writeMessage(writer, message, name);
  const length = writer.length - before;
  if (length === 0) return;
  writer.varint(length);
  writer.varint(number * 8 + 2);
}

function writeField(writer: ProtobufWriter, number: number, { value, type }: { value: unknown; type: string }): void {
  if (value === undefined || value === null) return;
  if (type.startsWith('*')) {
    const list = value as readonly unknown[];
    for (let index = list.length - 1; index >= 0; index--) writeItem(writer, number, { value: list[index], type: type.slice(1) });
  } else if (type.startsWith('m')) {
    for (const [key, item] of Object.entries(value).reverse())
      writer.message(number, () => {
        writeValue(writer, 2, { value: item, type: type.slice(1) });
        writer.text(1, key);
      });
  } else writeValue(writer, number, { value, type });
}

const messages = new WeakMap<object, Uint8Array<ArrayBuffer>>();

/** Objects of the store in a list are encoded once. */
function writeItem(writer: ProtobufWriter, number: number, { value, type }: { value: unknown; type: string }): void {
  if (!isStored(value)) {
    writeValue(writer, number, { value, type });
    return;
  }
  let message = messages.get(value);
  if (!message) {
    const own = new ProtobufWriter();
    writeMessage(own, value, type.slice(1));
    message = own.result;
    messages.set(value, message);
  }
  writer.bytes(number, message);
}

function isStored(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'metadata' in value && 'apiVersion' in value && Object.isFrozen(value);
}

function writeValue(writer: ProtobufWriter, number: number, { value, type }: { value: unknown; type: string }): void {
  if (type === 's') writer.text(number, String(value ?? ''));
  else if (type === 'b') writer.integer(number, value ? 1 : 0);
  else if (type === 'i') writer.integer(number, Number(value));
  else if (type === 'd') writer.double(number, Number(value));
  else if (type === 'y') writer.bytes(number, value instanceof Uint8Array ? value : base64ToBytes(String(value ?? '')));
  else writer.message(number, () => writeMessage(writer, value, type.slice(1)));
}

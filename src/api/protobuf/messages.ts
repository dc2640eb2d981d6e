// The messages of Kubernetes' protobuf form, read on demand out of the generated table. Its entries are `number name:type`, with the types s(tring)
// b(ool) (b)y(tes) i(nteger) d(ouble) .message, before which * stands for repeated, m for a map from strings, < for an embedded message.
import { PROTOBUF_TABLE } from '../generated/protobuf-table.ts';

/** apimachinery pkg/runtime/serializer/protobuf: the bytes that every object begins with. */
export const MAGIC: readonly number[] = [0x6b, 0x38, 0x73, 0x00];

/** A field of a message under its name in JSON. */
export interface Field {
  readonly name: string;
  readonly type: string;
}

let table: Readonly<Record<string, string>> | undefined;
const messages = new Map<string, ReadonlyMap<number, Field>>();

/** Whether a Content-Type or Accept clause means this form. */
export function isProtobuf(mediaType: string): boolean {
  return mediaType.startsWith('application/vnd.kubernetes.protobuf');
}

/** The message that stands for a kind: packages are named after the first part of the group. */
export function messageOf(apiVersion: string, kind: string): string | undefined {
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion];
  const name = `${group.split('.')[0]}.${version}.${kind}`;
  return [name, `meta.v1.${kind}`].find((candidate) => fieldsOf(candidate) !== undefined);
}

/** The fields of a message by number; undefined when there is no such message. */
export function fieldsOf(name: string): ReadonlyMap<number, Field> | undefined {
  const known = messages.get(name);
  if (known) return known;
  table ??= JSON.parse(PROTOBUF_TABLE) as Record<string, string>;
  const text = table[name];
  if (text === undefined) return undefined;
  const fields = new Map<number, Field>();
  for (const [, number, field = '', type = ''] of text.matchAll(/(\d+)([^:,]+):([^,]+)/g))
    fields.set(Number(number), { name: name === 'apiextensions.v1.JSONSchemaProps' ? schemaField(field) : field, type });
  messages.set(name, fields);
  return fields;
}

/** Fields of a schema whose JSON names protobuf cannot have. */
function schemaField(field: string): string {
  if (field === 'ref' || field === 'schema') return `$${field}`;
  return field.startsWith('xKubernetes') ? field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`) : field;
}

/** Go types that are lists, such as authorization/v1 ExtraValue, are messages with nothing but items. */
export function isList(fields: ReadonlyMap<number, Field>): boolean {
  const only = fields.size === 1 ? fields.get(1) : undefined;
  return only?.name === '=';
}

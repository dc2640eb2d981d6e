import { describe, expect, it } from 'vitest';
import { schemaOf } from '../../../src/api/schema.ts';
import { dumpForHash, fieldsOf, type GoField } from './dump.ts';
import { GO_TYPES } from './go-types.ts';

/** Those of embedded structs included, as in JSON. */
function jsonFields(type: string): GoField[] {
  return fieldsOf(type).flatMap((field) => (field.json === undefined ? jsonFields(field.type) : [field]));
}

/** `list`, `map`, `int32`, … of a Go type, as the schema names it. */
function shapeOf(goType: string): string {
  const type = goType.replace(/^\*/, '');
  if (type.startsWith('[]')) return 'list';
  if (type.startsWith('map[') || type === 'ResourceList') return 'map';
  if (GO_TYPES[type]) return 'struct';
  const named: Record<string, string> = {
    'resource.Quantity': 'quantity',
    'intstr.IntOrString': 'intOrString',
    Time: 'time',
    int32: 'int32',
    int64: 'int64',
    bool: 'bool',
  };
  return named[type] ?? 'string';
}

const embedded = new Set(['ProbeHandler', 'VolumeSource']);
const types = Object.keys(GO_TYPES).filter((type) => !embedded.has(type));

describe('the table of Go types', () => {
  it.each(types)('%s has the fields of the API', (type) => {
    const schema = [schemaOf(`core.v1.${type}`), schemaOf(`meta.v1.${type}`)].find(({ fields }) => fields.size > 0);
    const expected = [...(schema?.fields.values() ?? [])].map((field) => `${field.name} ${field.type.type}`);
    expect(
      jsonFields(type)
        .map((field) => `${field.json} ${shapeOf(field.type)}`)
        .sort(),
    ).toEqual(expected.sort());
  });

  it('knows every struct that it mentions', () => {
    const mentioned = types.flatMap((type) => jsonFields(type).map((field) => ({ type, field })));
    const unknown = mentioned.filter(({ type, field }) => {
      const schema = [schemaOf(`core.v1.${type}`), schemaOf(`meta.v1.${type}`)].find(({ fields }) => fields.size > 0);
      const declared = schema?.fields.get(field.json ?? '')?.type;
      const inner = declared?.type === 'list' ? declared.items : declared;
      return inner?.type === 'struct' && !GO_TYPES[field.type.replace(/^[*[\]]+/, '')];
    });
    const beyondTemplates = ['OwnerReference', 'ManagedFieldsEntry', 'EphemeralContainer'];
    expect(unknown.map(({ field }) => field.type.replace(/^[*[\]]+/, '')).filter((name) => !beyondTemplates.includes(name))).toEqual([]);
  });
});

describe('dumpForHash', () => {
  it('writes types before fields, and not before what is inside lists, maps and pointers', () => {
    expect(dumpForHash('EnvVar', { name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } })).toBe(
      '(v1.EnvVar){Name:(string)A Value:(string) ValueFrom:(*v1.EnvVarSource){FieldRef:(*v1.ObjectFieldSelector){APIVersion:(string) FieldPath:(string)metadata.name} ' +
        'ResourceFieldRef:(*v1.ResourceFieldSelector)<nil> ConfigMapKeyRef:(*v1.ConfigMapKeySelector)<nil> SecretKeyRef:(*v1.SecretKeySelector)<nil> FileKeyRef:(*v1.FileKeySelector)<nil>}}',
    );
    expect(dumpForHash('Capabilities', { add: ['NET_ADMIN', 'KILL'], drop: [] })).toBe(
      '(v1.Capabilities){Add:([]v1.Capability)[NET_ADMIN KILL] Drop:([]v1.Capability)<nil>}',
    );
    expect(dumpForHash('HTTPGetAction', { port: 'http' })).toContain(
      'Port:(intstr.IntOrString){Type:(intstr.Type)1 IntVal:(int32)0 StrVal:(string)http}',
    );
  });

  it.each([
    ['100m', 'value:(int64)100 scale:(resource.Scale)-3}', 'DecimalSI'],
    ['2', 'value:(int64)2 scale:(resource.Scale)0}', 'DecimalSI'],
    ['1Gi', 'value:(int64)1073741824 scale:(resource.Scale)0}', 'BinarySI'],
    ['0', 'value:(int64)0 scale:(resource.Scale)0}', ''],
  ])('writes the quantity %s as Go holds it', (text, amount, format) => {
    expect(dumpForHash('ResourceRequirements', { limits: { cpu: text } })).toContain(
      `Limits:(v1.ResourceList)map[cpu:{i:(resource.int64Amount){${amount} d:(resource.infDecAmount){Dec:(*inf.Dec)<nil>} s:(string)${text} Format:(resource.Format)${format}}]`,
    );
  });
});

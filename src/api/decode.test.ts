import { expect, test } from 'vitest';
import { decode } from './decode.ts';
import { parseJson } from './json-text.ts';
import { type ObjectSchema, schemaOf } from './schema.ts';

const pod = (spec: unknown, metadata: unknown = { name: 'web' }): unknown => ({ apiVersion: 'v1', kind: 'Pod', metadata, spec });
const read = (value: unknown, schema: ObjectSchema = schemaOf('core.v1.Pod')) => decode<Record<string, unknown>>(value, schema);

test('zero values are kept or left out as Go does', () => {
  const { object, error } = read(
    pod({
      hostNetwork: false,
      priority: 0,
      volumes: [],
      nodeSelector: {},
      hostname: '',
      containers: [{ name: 'c', image: null, env: [{ name: 'A', value: '' }], resources: { limits: { cpu: 0.5, memory: '1024Mi' } } }],
    }),
  );
  expect(error).toBeUndefined();
  expect(object).toEqual({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web' },
    spec: { priority: 0, containers: [{ name: 'c', env: [{ name: 'A' }], resources: { limits: { cpu: '500m', memory: '1Gi' } } }] },
    status: {},
  });
});

test('unknown and duplicate fields are dropped and reported with their paths', () => {
  const { object, strictProblems } = read(
    parseJson(
      '{"metadata":{"name":"a","name":"b","label":{}},"spec":{"containers":[{"name":"c","comand":[],"ports":[{"containerport":80}]}]},"Spec":1}',
    ),
  );
  expect(strictProblems).toEqual([
    'duplicate field "metadata.name"',
    'unknown field "metadata.label"',
    'unknown field "spec.containers[0].comand"',
    'unknown field "spec.containers[0].ports[0].containerport"',
    'unknown field "Spec"',
  ]);
  expect(object.metadata).toEqual({ name: 'b' });
});

test('wrong types are told in the words of Go', () => {
  const say = (value: unknown, schema?: ObjectSchema) => read(value, schema).error;
  const container = (more: object) => pod({ containers: [{ name: 'c', ...more }] });
  expect(say(container({ env: [{ name: 'A', value: 1 }] }))).toBe(
    'json: cannot unmarshal number into Go struct field EnvVar.spec.containers.env.value of type string',
  );
  expect(say(pod({ containers: { name: 'x' } }))).toBe(
    'json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container',
  );
  expect(say(pod({}, { labels: { on: true } }))).toBe(
    'json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.labels of type string',
  );
  expect(say(pod({}, []))).toBe('json: cannot unmarshal array into Go struct field Pod.metadata of type v1.ObjectMeta');
  expect(say(container({ command: 'sh' }))).toBe(
    'json: cannot unmarshal string into Go struct field Container.spec.containers.command of type []string',
  );
  expect(say(container({ livenessProbe: { tcpSocket: { port: 80.5 } } }))).toBe(
    'json: cannot unmarshal number 80.5 into Go struct field TCPSocketAction.spec.containers.livenessProbe.tcpSocket.port of type int32',
  );
  expect(say(parseJson('{"spec":{"terminationGracePeriodSeconds":1.0}}'))).toBe(
    'json: cannot unmarshal number 1.0 into Go struct field PodSpec.spec.terminationGracePeriodSeconds of type int64',
  );
  expect(say({ data: { port: 80 } }, schemaOf('core.v1.ConfigMap'))).toBe(
    'json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
  );
  expect(say(container({ resources: { limits: { memory: '1GB' } } }))).toMatch(/^quantities must match/);
  expect(say({ data: { a: '???' } }, schemaOf('core.v1.Secret'))).toBe('illegal base64 data at input byte 0');
  expect(say({ spec: { renewTime: 'yesterday' } }, schemaOf('coordination.v1.Lease'))).toBe(
    'parsing time "yesterday" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "yesterday" as "2006"',
  );
});

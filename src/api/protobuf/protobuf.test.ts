import { expect, test } from 'vitest';
import { decodeProtobuf } from './decode.ts';
import { encodeProtobuf, encodeProtobufWatchEvent, hasProtobuf } from './encode.ts';

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'web',
    namespace: 'default',
    generation: 3_000_000_000,
    creationTimestamp: '2026-01-02T03:04:05Z',
    labels: { app: 'web', tier: 'front' },
    managedFields: [{ manager: 'k', operation: 'Update', fieldsType: 'FieldsV1', fieldsV1: { 'f:data': { '.': {} } } }],
  },
  spec: {
    activeDeadlineSeconds: -1,
    containers: [
      {
        name: 'c',
        image: 'nginx',
        resources: { limits: { cpu: '500m' } },
        livenessProbe: { httpGet: { port: 'http', path: '/' }, periodSeconds: 10 },
        readinessProbe: { tcpSocket: { port: 80 } },
        env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 's', key: 'k', optional: false } } }],
      },
    ],
    volumes: [{ name: 'v', configMap: { name: 'm', defaultMode: 420 } }],
  },
};

test('an object survives the way to bytes and back', () => {
  const bytes = encodeProtobuf(pod);
  expect(new TextDecoder().decode(bytes.subarray(0, 3))).toBe('k8s');
  expect(decodeProtobuf(bytes)).toEqual(pod);
});

test.each([
  {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'l' },
    spec: { renewTime: '2026-01-02T03:04:05.123456Z', leaseDurationSeconds: 40 },
  },
  { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, data: { k: 'AAECAw==' } },
  {
    apiVersion: 'v1',
    kind: 'Status',
    metadata: {},
    status: 'Failure',
    message: 'no',
    reason: 'NotFound',
    details: { name: 'x' },
    code: 404,
  },
  { apiVersion: 'v1', kind: 'PodList', metadata: { resourceVersion: '7' }, items: [{ metadata: { name: 'a' } }] },
  { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata: { name: 'r' }, data: { spec: { a: [1] } }, revision: 2 },
  {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: 'm' },
    webhooks: [{ name: 'w.example.com', rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }] }],
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'i' },
    spec: {
      rules: [
        { host: 'h', http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }] } },
      ],
    },
  },
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'c' },
    spec: {
      group: 'g',
      versions: [
        {
          name: 'v1',
          schema: {
            openAPIV3Schema: {
              type: 'object',
              'x-kubernetes-preserve-unknown-fields': true,
              additionalProperties: { type: 'string', default: 'd' },
              properties: { a: { items: { type: 'integer', enum: [1, 2] }, minimum: 1.5 } },
            },
          },
        },
      ],
    },
  },
])('so does a $kind', (object) => {
  expect(decodeProtobuf(encodeProtobuf(object))).toEqual(object);
});

test('frames of a watch carry their length and the encoded object', () => {
  const frame = encodeProtobufWatchEvent('ADDED', pod);
  expect(new DataView(frame.buffer).getUint32(0)).toBe(frame.length - 4);
  const object = encodeProtobuf(pod);
  expect(frame.subarray(frame.length - object.length)).toEqual(object);
});

test('what is frozen is encoded once; Tables and custom resources have no such form', () => {
  const frozen = Object.freeze({ ...pod });
  expect(encodeProtobuf(frozen)).toBe(encodeProtobuf(frozen));
  expect(hasProtobuf({ apiVersion: 'meta.k8s.io/v1', kind: 'Table' })).toBe(false);
  expect(hasProtobuf({ apiVersion: 'example.com/v1', kind: 'Widget' })).toBe(false);
});

import type { CustomResourceDefinition, JSONSchemaProps } from '../../src/api/kinds/apiextensions-v1.ts';
import type { Resource } from '../../src/api/resource.ts';
import { volumesnapshotclasses, volumesnapshotcontents, volumesnapshots } from '../../src/client/volume-snapshot.ts';

type Columns = NonNullable<CustomResourceDefinition['spec']['versions'][number]['additionalPrinterColumns']>;

const text: JSONSchemaProps = { type: 'string' };
const bool: JSONSchemaProps = { type: 'boolean' };
const dateTime: JSONSchemaProps = { type: 'string', format: 'date-time' };
const int64: JSONSchemaProps = { type: 'integer', format: 'int64' };
const policy: JSONSchemaProps = { type: 'string', enum: ['Delete', 'Retain'] };
const error: JSONSchemaProps = { type: 'object', properties: { message: text, time: dateTime } };
const AGE = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

const immutable = (name: string): JSONSchemaProps => ({
  ...text,
  'x-kubernetes-validations': [{ message: `${name} is immutable`, rule: 'self == oldSelf' }],
});

/** One of two texts, which cannot be changed. */
function source(a: string, b: string): JSONSchemaProps {
  const onceSet = (name: string) => ({ message: `${name} is required once set`, rule: `!has(oldSelf.${name}) || has(self.${name})` });
  const oneOf = {
    message: `exactly one of ${a} and ${b} must be set`,
    rule: `(has(self.${a}) && !has(self.${b})) || (!has(self.${a}) && has(self.${b}))`,
  };
  return {
    type: 'object',
    properties: { [a]: immutable(a), [b]: immutable(b) },
    'x-kubernetes-validations': [onceSet(a), onceSet(b), oneOf],
  };
}

const className: JSONSchemaProps = {
  ...text,
  'x-kubernetes-validations': [{ message: 'volumeSnapshotClassName must not be the empty string when set', rule: 'size(self) > 0' }],
};

const SNAPSHOT_SCHEMA: JSONSchemaProps = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      required: ['source'],
      properties: { source: source('volumeSnapshotContentName', 'persistentVolumeClaimName'), volumeSnapshotClassName: className },
    },
    status: {
      type: 'object',
      properties: {
        boundVolumeSnapshotContentName: text,
        creationTime: dateTime,
        error,
        readyToUse: bool,
        restoreSize: {
          type: 'string',
          pattern:
            '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$',
          'x-kubernetes-int-or-string': true,
        },
        volumeGroupSnapshotName: text,
      },
    },
  },
};

const REFERENCE_FIELDS = ['apiVersion', 'fieldPath', 'kind', 'name', 'namespace', 'resourceVersion', 'uid'];

const CONTENT_SCHEMA: JSONSchemaProps = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      required: ['deletionPolicy', 'driver', 'source', 'volumeSnapshotRef'],
      properties: {
        deletionPolicy: policy,
        driver: text,
        source: source('volumeHandle', 'snapshotHandle'),
        sourceVolumeMode: immutable('sourceVolumeMode'),
        volumeSnapshotClassName: text,
        volumeSnapshotRef: {
          type: 'object',
          properties: Object.fromEntries(REFERENCE_FIELDS.map((name) => [name, text])),
          'x-kubernetes-map-type': 'atomic',
          'x-kubernetes-validations': [
            {
              message: 'both spec.volumeSnapshotRef.name and spec.volumeSnapshotRef.namespace must be set',
              rule: 'has(self.name) && has(self.__namespace__)',
            },
          ],
        },
      },
      'x-kubernetes-validations': [
        { message: 'sourceVolumeMode is required once set', rule: '!has(oldSelf.sourceVolumeMode) || has(self.sourceVolumeMode)' },
      ],
    },
    status: {
      type: 'object',
      properties: {
        creationTime: int64,
        error,
        readyToUse: bool,
        restoreSize: { ...int64, minimum: 0 },
        snapshotHandle: text,
        volumeGroupSnapshotHandle: text,
      },
    },
  },
};

const CLASS_SCHEMA: JSONSchemaProps = {
  type: 'object',
  required: ['deletionPolicy', 'driver'],
  properties: { deletionPolicy: policy, driver: text, parameters: { type: 'object', additionalProperties: text } },
};

function definition(
  { group, resource, kind, singular, shortNames, namespaced }: Omit<Resource, 'columns'>,
  { schema, columns, status, pull }: { schema: JSONSchemaProps; columns: Columns; status: boolean; pull: number },
): CustomResourceDefinition {
  const approved = `https://github.com/kubernetes-csi/external-snapshotter/pull/${pull}`;
  return {
    metadata: { name: `${resource}.${group}`, annotations: { 'api-approved.kubernetes.io': approved } },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural: resource, shortNames: [...shortNames], singular },
      scope: namespaced ? 'Namespaced' : 'Cluster',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          additionalPrinterColumns: [...columns, AGE],
          subresources: status ? { status: {} } : {},
          schema: { openAPIV3Schema: schema },
        },
      ],
    },
  };
}

const column = (name: string, type: string, jsonPath: string): Columns[number] => ({ name, type, jsonPath });

/** The definitions that come with external-snapshotter: client/config/crd */
export const DEFINITIONS: readonly CustomResourceDefinition[] = [
  definition(volumesnapshotclasses, {
    schema: CLASS_SCHEMA,
    columns: [column('Driver', 'string', '.driver'), column('DeletionPolicy', 'string', '.deletionPolicy')],
    status: false,
    pull: 814,
  }),
  definition(volumesnapshotcontents, {
    schema: CONTENT_SCHEMA,
    columns: [
      column('ReadyToUse', 'boolean', '.status.readyToUse'),
      column('RestoreSize', 'integer', '.status.restoreSize'),
      column('DeletionPolicy', 'string', '.spec.deletionPolicy'),
      column('Driver', 'string', '.spec.driver'),
      column('VolumeSnapshotClass', 'string', '.spec.volumeSnapshotClassName'),
      column('VolumeSnapshot', 'string', '.spec.volumeSnapshotRef.name'),
      column('VolumeSnapshotNamespace', 'string', '.spec.volumeSnapshotRef.namespace'),
    ],
    status: true,
    pull: 955,
  }),
  definition(volumesnapshots, {
    schema: SNAPSHOT_SCHEMA,
    columns: [
      column('ReadyToUse', 'boolean', '.status.readyToUse'),
      column('SourcePVC', 'string', '.spec.source.persistentVolumeClaimName'),
      column('SourceSnapshotContent', 'string', '.spec.source.volumeSnapshotContentName'),
      column('RestoreSize', 'string', '.status.restoreSize'),
      column('SnapshotClass', 'string', '.spec.volumeSnapshotClassName'),
      column('SnapshotContent', 'string', '.status.boundVolumeSnapshotContentName'),
      column('CreationTime', 'date', '.status.creationTime'),
    ],
    status: true,
    pull: 814,
  }),
];

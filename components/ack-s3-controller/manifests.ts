import type { CustomResourceDefinition } from '../../src/api/kinds/apiextensions-v1.ts';
import type { PolicyRule } from '../../src/api/kinds/rbac-v1.ts';
import { customresourcedefinitions } from '../../src/api/resources.ts';
import type { Client } from '../../src/client/client.ts';
import { unlessThere } from '../../src/client/install.ts';
import { buckets } from './api.ts';

export const ACK_S3_CONTROLLER = 'ack-s3-controller';
export const ACK_S3_CONTROLLER_RULES: readonly PolicyRule[] = [
  { apiGroups: [buckets.group], resources: ['buckets'], verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'] },
  { apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'list', 'watch'] },
  { apiGroups: [buckets.group], resources: ['buckets/status'], verbs: ['get', 'patch', 'update'] },
];

const text = { type: 'string' };
const condition = {
  type: 'object',
  required: ['status', 'type'],
  properties: { lastTransitionTime: { ...text, format: 'date-time' }, message: text, reason: text, status: text, type: text },
};
const metadata = { type: 'object', required: ['ownerAccountID', 'region'], properties: { arn: text, ownerAccountID: text, region: text } };

const DEFINITION: CustomResourceDefinition = {
  metadata: { name: `${buckets.resource}.${buckets.group}` },
  spec: {
    group: buckets.group,
    names: { kind: buckets.kind, listKind: 'BucketList', plural: buckets.resource, singular: 'bucket' },
    scope: 'Namespaced',
    versions: [
      {
        name: buckets.version,
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                required: ['name'],
                properties: { name: text, createBucketConfiguration: { type: 'object', properties: { locationConstraint: text } } },
              },
              status: {
                type: 'object',
                properties: { ackResourceMetadata: metadata, conditions: { type: 'array', items: condition }, location: text },
              },
            },
          },
        },
      },
    ],
  },
};

/** Creates the definition of Buckets. What is there already stays. */
export async function installAckS3Controller(client: Client): Promise<void> {
  await unlessThere(client.resource(customresourcedefinitions).create(DEFINITION));
}

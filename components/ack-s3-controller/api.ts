import type { KubernetesObject } from '../../src/api/object.ts';
import { customResource } from '../../src/client/custom-resource.ts';

/** aws-controllers-k8s/runtime apis/core/v1alpha1 Condition */
export interface AckCondition {
  type: 'ACK.ResourceSynced' | 'ACK.Recoverable' | 'ACK.Terminal';
  status: 'True' | 'False' | 'Unknown';
  lastTransitionTime?: string;
  message?: string;
  reason?: string;
}

/** A bucket of S3: github.com/aws-controllers-k8s/s3-controller apis/v1alpha1 Bucket */
export interface Bucket extends KubernetesObject {
  spec: {
    name: string;
    createBucketConfiguration?: { locationConstraint?: string };
  };
  status?: {
    ackResourceMetadata?: { arn?: string; ownerAccountID: string; region: string };
    conditions?: AckCondition[];
    location?: string;
  };
}

export const buckets = customResource<Bucket>({ group: 's3.services.k8s.aws', version: 'v1alpha1', resource: 'buckets', kind: 'Bucket' });

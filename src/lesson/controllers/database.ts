import type { KubernetesObject } from '../../api/object.ts';
import { customResource } from '../../client/custom-resource.ts';

/** What the lessons' CustomResourceDefinition describes. */
export interface Database extends KubernetesObject {
  readonly spec: { readonly engine: 'postgresql' | 'mysql'; readonly version: string; readonly replicas?: number };
  readonly status?: { readonly phase: string; readonly readyReplicas: number; readonly observedGeneration: number };
}

export const databases = customResource<Database>({ group: 'example.com', version: 'v1', resource: 'databases', kind: 'Database' });

import type { Condition } from '../../api/kinds/meta-v1.ts';
import type { KubernetesObject } from '../../api/object.ts';
import { customResource } from '../../client/custom-resource.ts';

/** A Website of the lessons: so many servers. */
export interface Website extends KubernetesObject {
  readonly spec: { readonly replicas: number };
  readonly status?: {
    readonly phase?: string;
    readonly lastChecked?: string;
    readonly observedGeneration?: number;
    readonly conditions?: readonly Condition[];
  };
}

export const websites = customResource<Website>({ group: 'example.com', version: 'v1', resource: 'websites', kind: 'Website' });

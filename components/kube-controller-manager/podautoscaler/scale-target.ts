import type { Scale } from '../../../src/api/kinds/autoscaling-v1.ts';
import type { CrossVersionObjectReference } from '../../../src/api/kinds/autoscaling-v2.ts';
import type { APIResourceList } from '../../../src/api/kinds/meta-v1.ts';
import { parseGroupVersion } from '../../../src/api/meta.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import type { Resource } from '../../../src/api/resource.ts';
import { BUILT_IN_RESOURCES } from '../../../src/api/resources.ts';
import type { Client, ResourceClient } from '../../../src/client/client.ts';
import { customResource } from '../../../src/client/custom-resource.ts';
import { SyncError } from '../controller/sync-error.ts';

/** The scale of what an autoscaler is for, and the way to write it. */
export interface ScaleTarget {
  readonly client: ResourceClient<KubernetesObject>;
  readonly scale: Scale;
}

/** pkg/controller/podautoscaler/horizontal.go scaleForResourceMappings, with the RESTMapper */
export async function getScaleTarget(client: Client, reference: CrossVersionObjectReference, namespace: string): Promise<ScaleTarget> {
  const { apiVersion = '', kind, name } = reference;
  if (apiVersion.split('/').length > 2)
    throw new SyncError(`invalid API version in scale target reference: unexpected GroupVersion string: ${apiVersion}`);
  const { group, version } = parseGroupVersion(apiVersion);
  const built = BUILT_IN_RESOURCES.filter((resource) => resource.group === group && resource.kind === kind);
  const mappings = built.length > 0 ? built : await discover(client, { group, version, kind });
  if (mappings.length === 0) throw new SyncError(`no matches for kind "${kind}" in group "${group}"`);
  let first: unknown;
  for (const resource of mappings) {
    const target = client.resource(resource);
    try {
      return { client: target, scale: await target.getScale({ namespace, name }) };
    } catch (error) {
      first ??= error;
    }
  }
  throw first;
}

/** What discovery knows of a kind that is not built in. */
async function discover(client: Client, { group, version, kind }: { group: string; version: string; kind: string }): Promise<Resource[]> {
  const path = `/apis/${group}/${version}`;
  const none = { group: '', version: '', resource: '', subresource: '', namespace: '', name: '' };
  const response = await client.send({ info: { isResourceRequest: false, verb: 'get', path, ...none }, query: {}, headers: {} });
  if (response.code !== 200) return [];
  const { resources } = response.body as APIResourceList;
  const found = resources.filter((candidate) => candidate.kind === kind && !candidate.name.includes('/'));
  return found.map(({ name, namespaced }) => customResource({ group, version, resource: name, kind, namespaced }));
}

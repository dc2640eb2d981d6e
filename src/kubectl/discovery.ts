import type { APIGroupList } from '../api/kinds/meta-v1.ts';
import type { Resource } from '../api/resource.ts';
import { BUILT_IN_RESOURCES } from '../api/resources.ts';
import type { Client } from '../client/client.ts';
import { readPath, serverResourcesForGroupVersion } from '../client/discovery.ts';

const BUILT_IN_GROUPS: ReadonlySet<string> = new Set(BUILT_IN_RESOURCES.map(({ group }) => group));

/** Resources of groups that are not built in, preferred versions first. client-go discovery.ServerPreferredResources */
export async function discoverResources(client: Client): Promise<Resource[]> {
  const groups = await readPath<APIGroupList>(client, '/apis');
  const found: Resource[] = [];
  for (const { name, versions } of groups?.groups ?? []) {
    if (BUILT_IN_GROUPS.has(name)) continue;
    for (const { version } of versions) found.push(...(await serverResourcesForGroupVersion(client, { group: name, version })));
  }
  return found;
}

/** All versions that are served, `v1` among them, sorted. client-go discovery ServerGroups */
export async function discoverVersions(client: Client): Promise<string[]> {
  const groups = await readPath<APIGroupList>(client, '/apis');
  const versions = (groups?.groups ?? []).flatMap((group) => group.versions.map(({ groupVersion }) => groupVersion));
  return [...versions, 'v1'].sort();
}

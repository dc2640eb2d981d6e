import type { APIGroupList, APIResourceList } from '../api/kinds/meta-v1.ts';
import type { Resource } from '../api/resource.ts';
import { BUILT_IN_RESOURCES } from '../api/resources.ts';
import type { Client } from '../client/client.ts';

const BUILT_IN_GROUPS: ReadonlySet<string> = new Set(BUILT_IN_RESOURCES.map(({ group }) => group));

/** Resources of groups that are not built in, preferred versions first. client-go discovery.ServerPreferredResources */
export async function discoverResources(client: Client): Promise<Resource[]> {
  const groups = await read<APIGroupList>(client, '/apis');
  const found: Resource[] = [];
  for (const { name, versions } of groups?.groups ?? []) {
    if (BUILT_IN_GROUPS.has(name)) continue;
    for (const { version } of versions) {
      const list = await read<APIResourceList>(client, `/apis/${name}/${version}`);
      found.push(...resourcesOf(list, name, version));
    }
  }
  return found;
}

function resourcesOf(list: APIResourceList | undefined, group: string, version: string): Resource[] {
  const whole = (list?.resources ?? []).filter(({ name }) => !name.includes('/'));
  return whole.map(({ name, singularName, kind, namespaced, verbs, shortNames = [], categories = [] }) => ({
    group,
    version,
    resource: name,
    singular: singularName,
    kind,
    namespaced,
    verbs,
    shortNames,
    categories,
    subresources: [],
  }));
}

async function read<T>(client: Client, path: string): Promise<T | undefined> {
  const info = {
    isResourceRequest: false,
    verb: 'get',
    path,
    group: '',
    version: '',
    resource: '',
    subresource: '',
    namespace: '',
    name: '',
  };
  const response = await client.send({ info, query: {}, headers: { accept: 'application/json' } });
  return response.code === 200 ? (response.body as T) : undefined;
}

import type { APIResourceList } from '../../src/api/kinds/meta-v1.ts';
import { parseGroupVersion } from '../../src/api/meta.ts';
import { apiVersionOf, type Resource } from '../../src/api/resource.ts';
import { BUILT_IN_RESOURCES } from '../../src/api/resources.ts';
import { ApiStatusError } from '../../src/api/status-error.ts';
import type { Client } from '../../src/client/client.ts';
import { readPath } from '../../src/client/discovery.ts';
import type { ResourceRule } from './api.ts';

/** What the server knows of a resource. @throws ApiStatusError when it knows none of that name */
export async function discover(client: Client, { apiVersion, resource: plural }: ResourceRule): Promise<Resource> {
  const builtIn = BUILT_IN_RESOURCES.find((resource) => resource.resource === plural && apiVersionOf(resource) === apiVersion);
  if (builtIn) return builtIn;
  const { group, version } = parseGroupVersion(apiVersion);
  const list = group ? await readPath<APIResourceList>(client, `/apis/${group}/${version}`) : undefined;
  const found = list?.resources.find(({ name }) => name === plural);
  if (!list || !found)
    throw new ApiStatusError({
      code: 404,
      reason: 'NotFound',
      message: `discovery: can't find resource ${plural} in apiVersion ${apiVersion}`,
    });
  const subresources = list.resources.flatMap(({ name, verbs, kind }) =>
    name.startsWith(`${plural}/`) ? [{ name: name.slice(plural.length + 1), verbs, kind, group, version }] : [],
  );
  const { kind, singularName, namespaced, verbs, shortNames = [], categories = [] } = found;
  return { group, version, resource: plural, singular: singularName, kind, namespaced, verbs, shortNames, categories, subresources };
}

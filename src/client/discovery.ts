import type { APIResourceList } from '../api/kinds/meta-v1.ts';
import type { RequestInfo } from '../api/request.ts';
import type { Resource } from '../api/resource.ts';
import type { Client } from './client.ts';

export interface ReadPathOptions {
  /** Which form of the answer. Plain JSON if absent. */
  readonly accept?: string;
  readonly background?: boolean;
}

/** What kube-apiserver says at a path that is no resource, e.g. `/apis`; undefined when it answers anything but 200. client-go rest.Request.AbsPath */
export async function readPath<T>(client: Client, path: string, options: ReadPathOptions = {}): Promise<T | undefined> {
  const { accept = 'application/json', background = false } = options;
  const info: RequestInfo = {
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
  const response = await client.send({ info, query: {}, headers: { accept }, background });
  return response.code === 200 ? (response.body as T) : undefined;
}

/** The resources of one version of a group of `/apis`, without their subresources. client-go discovery.DiscoveryInterface.ServerResourcesForGroupVersion */
export async function serverResourcesForGroupVersion(
  client: Client,
  { group, version }: Pick<Resource, 'group' | 'version'>,
  options?: ReadPathOptions,
): Promise<Resource[]> {
  const list = await readPath<APIResourceList>(client, `/apis/${group}/${version}`, options);
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

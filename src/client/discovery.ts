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

/** The part of apidiscovery.k8s.io/v2 APIGroupDiscoveryList that is read here. */
export interface GroupDiscoveryList {
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly {
      readonly version: string;
      readonly freshness?: string;
      readonly resources?: readonly {
        readonly resource: string;
        readonly scope: string;
        readonly verbs: readonly string[];
        readonly responseKind?: { readonly kind?: string };
      }[];
    }[];
  }[];
}

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** All groups below `/api` or `/apis` with their resources, in one answer. client-go discovery.DiscoveryClient.downloadAPIs */
export function groupDiscovery(client: Client, path: '/api' | '/apis'): Promise<GroupDiscoveryList | undefined> {
  return readPath<GroupDiscoveryList>(client, path, { accept: AGGREGATED });
}

/** The versions whose server could not be asked any more, as discovery's errors tell of them. client-go discovery StaleGroupVersionError */
export function staleVersions({ items = [] }: GroupDiscoveryList): string[] {
  return items.flatMap(({ metadata, versions = [] }) =>
    versions
      .filter(({ freshness }) => freshness === 'Stale')
      .map(({ version }) => `${metadata?.name}/${version}: stale GroupVersion discovery: ${metadata?.name}/${version}`),
  );
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

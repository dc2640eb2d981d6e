import type { ApiRequest, ApiResponse } from '../../../src/api/request.ts';
import type { Resource } from '../../../src/api/resource.ts';
import { BUILT_IN_RESOURCES } from '../../../src/api/resources.ts';
import { compareVersions } from '../apiextensions/custom-resource-version.ts';
import { customResourceVersionOf } from '../apiextensions/version-of.ts';
import { DEFAULT_ADVERTISED } from '../bootstrap.ts';
import { digestOf } from '../http/etag.ts';
import type { ServerCore } from '../server-core.ts';
import { groupPriority } from './group-priority.ts';
import { healthPaths } from './health.ts';
import { negotiate, notAcceptable } from './negotiate.ts';

const BUILT_IN_GROUPS: ReadonlySet<string> = new Set(BUILT_IN_RESOURCES.map(({ group }) => group));
const AGGREGATED = { 'apidiscovery.k8s.io/v2': ['APIGroupDiscoveryList'] };
const AGGREGATED_TYPE = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** A group with its versions, each with its resources. */
interface Group {
  readonly name: string;
  readonly versions: readonly ServedVersion[];
  /** Higher comes first. */
  readonly priority: number;
  /** Served by another server. */
  readonly remote: boolean;
}

interface ServedVersion {
  readonly version: string;
  readonly resources: readonly Resource[];
}

/** `/api`, `/apis` and what is below them; undefined for other paths. apiserver pkg/endpoints/discovery and pkg/endpoints/discovery/aggregated */
export function discovery(server: ServerCore, request: ApiRequest): ApiResponse | undefined {
  const [root, first, second, ...more] = request.info.path.split('/').filter(Boolean);
  if ((root !== 'api' && root !== 'apis') || more.length > 0) return undefined;
  const groups = groupsOf(server);
  if (first === undefined) return rootDocument(server, request, groups);
  if (root === 'api') return second === undefined && first === 'v1' ? { code: 200, body: resourceList(groups, '', 'v1') } : undefined;
  const group = groups.find(({ name }) => name === first);
  if (!group) return undefined;
  if (second === undefined) return { code: 200, body: { kind: 'APIGroup', apiVersion: 'v1', ...groupDocument(group) } };
  return group.versions.some(({ version }) => version === second) ? { code: 200, body: resourceList(groups, first, second) } : undefined;
}

/** `/` */
export function rootPaths(server: ServerCore): ApiResponse {
  const groups = groupsOf(server).filter(({ name }) => name !== '');
  const paths = groups.flatMap(({ name, versions }) => [`/apis/${name}`, ...versions.map(({ version }) => `/apis/${name}/${version}`)]);
  return {
    code: 200,
    body: {
      paths: [
        '/.well-known/openid-configuration',
        '/api',
        '/api/v1',
        '/apis',
        '/apis/',
        '/metrics',
        '/metrics/slis',
        '/openapi/v2',
        '/openapi/v3',
        '/openapi/v3/',
        '/openid/v1/jwks',
        '/version',
        ...healthPaths(),
        ...paths,
      ].sort(),
    },
  };
}

function rootDocument(server: ServerCore, request: ApiRequest, groups: readonly Group[]): ApiResponse {
  const core = request.info.path.startsWith('/apis') ? undefined : groups.find(({ name }) => name === '');
  const wanted = negotiate(request.headers.accept, AGGREGATED);
  if (!wanted) throw notAcceptable();
  const shown = core ? [core] : groups.filter(({ name }) => name !== '');
  if (wanted.as) return aggregated(server, shown);
  if (!core) return { code: 200, body: { kind: 'APIGroupList', apiVersion: 'v1', groups: shown.map(groupDocument) } };
  const serverAddress = server.config.advertise ?? DEFAULT_ADVERTISED;
  return {
    code: 200,
    body: { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }] },
  };
}

function aggregated(server: ServerCore, groups: readonly Group[]): ApiResponse {
  const items = groups.map((group) => ({
    metadata: { ...(group.name ? { name: group.name } : {}) },
    versions: group.versions.map((served) => (group.remote ? remoteVersion(server, group.name, served.version) : localVersion(served))),
  }));
  const body = { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items };
  const etag = `"${digestOf(JSON.stringify(body))}"`;
  return { code: 200, body, headers: { 'content-type': AGGREGATED_TYPE, etag, vary: 'Accept', 'cache-control': 'public' } };
}

const localVersion = ({ version, resources }: ServedVersion): object => ({
  version,
  resources: resources.map(aggregatedResource),
  freshness: 'Current',
});

interface ListedResource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  readonly kind: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
}

/** What another server has told of its resources; stale when it has told nothing yet, or cannot be asked any more. kube-aggregator pkg/apiserver discoveryManager */
function remoteVersion(server: ServerCore, group: string, version: string): object {
  const known = server.aggregator?.resourcesOf(group, version) as readonly ListedResource[] | undefined;
  if (!known) return { version, freshness: 'Stale' };
  const resources = known
    .filter(({ name }) => !name.includes('/'))
    .map(({ name, singularName, namespaced, kind, verbs, shortNames }) => ({
      resource: name,
      responseKind: { group, version, kind },
      scope: namespaced ? 'Namespaced' : 'Cluster',
      singularResource: singularName,
      verbs,
      ...(shortNames?.length ? { shortNames } : {}),
    }));
  return { version, resources, freshness: server.aggregator?.isAvailable(group, version) ? 'Current' : 'Stale' };
}

function aggregatedResource(resource: Resource): Record<string, unknown> {
  const { shortNames, categories, subresources } = resource;
  return {
    resource: resource.resource,
    responseKind: { group: '', version: '', kind: resource.kind },
    scope: resource.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: resource.singular,
    verbs: resource.verbs,
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    ...(subresources.length > 0
      ? {
          subresources: subresources.map(({ name, kind, group, version, verbs }) => ({
            subresource: name,
            responseKind: { group, version, kind },
            verbs,
          })),
        }
      : {}),
  };
}

function groupDocument({ name, versions }: Group): Record<string, unknown> {
  const all = versions.map(({ version }) => ({ groupVersion: `${name}/${version}`, version }));
  return { name, versions: all, preferredVersion: all[0] };
}

function resourceList(groups: readonly Group[], group: string, version: string): Record<string, unknown> {
  const found = groups.find(({ name }) => name === group)?.versions.find((served) => served.version === version);
  const resources = (found?.resources ?? []).flatMap((resource) => [
    plainResource(resource),
    ...resource.subresources.map((sub) => plainSubresource(resource, sub)),
  ]);
  // Those of definitions come in the order in which they are served.
  if (BUILT_IN_GROUPS.has(group)) resources.sort((a, b) => (String(a['name']) < String(b['name']) ? -1 : 1));
  return {
    kind: 'APIResourceList',
    ...(group ? { apiVersion: 'v1' } : {}),
    groupVersion: group ? `${group}/${version}` : version,
    resources,
  };
}

function plainResource(resource: Resource): Record<string, unknown> {
  const { resource: name, singular, namespaced, kind, verbs, shortNames, categories } = resource;
  const storageVersionHash = customResourceVersionOf(resource)?.storageVersionHash;
  return {
    name,
    singularName: singular,
    namespaced,
    kind,
    verbs,
    ...(shortNames.length > 0 ? { shortNames } : {}),
    ...(categories.length > 0 ? { categories } : {}),
    ...(storageVersionHash ? { storageVersionHash } : {}),
  };
}

function plainSubresource(resource: Resource, sub: Resource['subresources'][number]): Record<string, unknown> {
  const { name, kind, group, version, verbs } = sub;
  return {
    name: `${resource.resource}/${name}`,
    singularName: '',
    namespaced: resource.namespaced,
    ...(version ? { group, version } : {}),
    kind,
    verbs,
  };
}

/** Groups and versions in the order in which clients are to prefer them. */
function groupsOf(server: ServerCore): Group[] {
  const groups = new Map<string, Map<string, Resource[]>>();
  for (const resource of server.resources()) {
    const versions = groups.get(resource.group) ?? new Map<string, Resource[]>();
    groups.set(resource.group, versions);
    versions.set(resource.version, [...(versions.get(resource.version) ?? []), resource]);
  }
  const local = [...groups].map(([name, versions]) => ({
    name,
    versions: [...versions].map(([version, resources]) => ({ version, resources })).sort((a, b) => compareVersions(a.version, b.version)),
    priority: groupPriority(name),
    remote: false,
  }));
  const remote = remoteGroups(server).filter(({ name }) => !groups.has(name));
  return [...local, ...remote].sort((a, b) => b.priority - a.priority || (a.name < b.name ? -1 : 1));
}

function remoteGroups(server: ServerCore): Group[] {
  const served = server.aggregator?.groupVersions() ?? [];
  return [...new Set(served.map(({ group }) => group))].map((name) => {
    const mine = served.filter(({ group }) => group === name);
    const ordered = [...mine].sort((a, b) => b.versionPriority - a.versionPriority || compareVersions(a.version, b.version));
    return {
      name,
      versions: ordered.map(({ version }) => ({ version, resources: [] })),
      priority: Math.max(...mine.map(({ groupPriority: priority }) => priority)),
      remote: true,
    };
  });
}

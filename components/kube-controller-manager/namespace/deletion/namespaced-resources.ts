import type { Resource } from '../../../../src/api/resource.ts';
import type { Client } from '../../../../src/client/client.ts';
import { type GroupDiscoveryList, groupDiscovery, staleVersions } from '../../../../src/client/discovery.ts';

/** What can be deleted from namespaces, and the API groups whose resources could not be found out. */
export interface DiscoveredResources {
  readonly resources: readonly Resource[];
  readonly failed: readonly string[];
}

/**
 * Asks kube-apiserver for all namespaced resources that can be deleted, each in its preferred version.
 * client-go discovery ServerPreferredNamespacedResources
 */
export async function serverPreferredNamespacedResources(client: Client): Promise<DiscoveredResources> {
  const resources = new Map<string, Resource>();
  const failed: string[] = [];
  for (const path of ['/api', '/apis'] as const) {
    const list = await groupDiscovery(client, path);
    if (list) collect(list, resources);
    failed.push(...(list ? staleVersions(list) : [path]));
  }
  return { resources: [...resources.values()], failed };
}

function collect(list: GroupDiscoveryList, resources: Map<string, Resource>): void {
  for (const { metadata, versions = [] } of list.items ?? []) {
    const group = metadata?.name ?? '';
    for (const { version, freshness, resources: found = [] } of versions) {
      if (freshness === 'Stale') continue;
      for (const { resource, scope, verbs, responseKind } of found) {
        const key = `${resource}.${group}`;
        if (scope !== 'Namespaced' || !verbs.includes('delete') || resources.has(key)) continue;
        const kind = responseKind?.kind ?? '';
        resources.set(key, {
          group,
          version,
          resource,
          singular: '',
          kind,
          namespaced: true,
          verbs,
          shortNames: [],
          categories: [],
          subresources: [],
        });
      }
    }
  }
}

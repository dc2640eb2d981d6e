import type { Resource } from '../../../../src/api/resource.ts';
import type { Client } from '../../../../src/client/client.ts';
import { readPath } from '../../../../src/client/discovery.ts';

/** The part of apidiscovery.k8s.io/v2 APIGroupDiscoveryList that is read here. */
interface GroupDiscoveryList {
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

/** What can be deleted from namespaces, and the API groups whose resources could not be found out. */
export interface DiscoveredResources {
  readonly resources: readonly Resource[];
  readonly failed: readonly string[];
}

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/**
 * Asks kube-apiserver for all namespaced resources that can be deleted, each in its preferred version.
 * client-go discovery ServerPreferredNamespacedResources
 */
export async function serverPreferredNamespacedResources(client: Client): Promise<DiscoveredResources> {
  const resources = new Map<string, Resource>();
  const failed: string[] = [];
  for (const path of ['/api', '/apis']) {
    const list = await readPath<GroupDiscoveryList>(client, path, { accept: AGGREGATED });
    if (list) collect(list, resources, failed);
    else failed.push(path);
  }
  return { resources: [...resources.values()], failed };
}

function collect(list: GroupDiscoveryList, resources: Map<string, Resource>, failed: string[]): void {
  for (const { metadata, versions = [] } of list.items ?? []) {
    const group = metadata?.name ?? '';
    for (const { version, freshness, resources: found = [] } of versions) {
      if (freshness === 'Stale') {
        failed.push(`${group}/${version}: stale GroupVersion discovery: ${group}/${version}`);
        continue;
      }
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

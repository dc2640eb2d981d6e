import { apiVersionOf, type Resource } from '../../api/resource.ts';
import { BUILT_IN_RESOURCES } from '../../api/resources.ts';
import type { Client } from '../../client/client.ts';
import { groupDiscovery, staleVersions } from '../../client/discovery.ts';
import type { Command } from '../command.ts';
import { discoverResources } from '../discovery.ts';
import { KubectlError } from '../kubectl-error.ts';
import { printTable } from '../table.ts';

/** kubectl api-resources. Differs: what is built in comes from the program itself, the rest from discovery. */
export const apiResources: Command = {
  flags: {
    namespaced: { type: 'boolean' },
    'api-group': { type: 'string' },
    verbs: { type: 'list' },
    'no-headers': { type: 'boolean' },
    output: { type: 'string', short: 'o' },
    categories: { type: 'list' },
    'sort-by': { type: 'string' },
  },
  async run(context) {
    const { flags, client, args } = context;
    if (args.length)
      throw new KubectlError(`error: unexpected arguments: [${args.join(' ')}]\nSee 'kubectl api-resources -h' for help and examples`);
    const output = flags.string('output') ?? '';
    if (!['', 'wide', 'name'].includes(output)) throw new KubectlError(`error: --output ${output} is not available`);
    const all = preferred([...(BUILT_IN_RESOURCES as readonly Resource[]), ...(await discoverResources(client))]);
    const group = flags.string('api-group');
    const wanted = all.filter(
      ({ namespaced, verbs, categories, ...resource }) =>
        (flags.string('namespaced') === undefined || namespaced === flags.boolean('namespaced')) &&
        (group === undefined || resource.group === group) &&
        flags.list('verbs').every((verb) => verbs.includes(verb)) &&
        flags.list('categories').every((category) => categories.includes(category)),
    );
    const key = flags.string('sort-by');
    const order = (a: Resource, b: Resource): number =>
      key === 'name'
        ? compare(a.resource, b.resource)
        : key === 'kind'
          ? compare(a.kind, b.kind)
          : compare(a.group, b.group) || compare(a.resource, b.resource);
    const sorted = [...wanted].sort(order);
    if (output === 'name') {
      for (const { group: own, resource } of sorted) context.out(own ? `${resource}.${own}` : resource);
      return tellStale(client);
    }
    const columns = ['NAME', 'SHORTNAMES', 'APIVERSION', 'NAMESPACED', 'KIND', ...(output === 'wide' ? ['VERBS', 'CATEGORIES'] : [])];
    const rows = sorted.map((each) => ({
      cells: [
        each.resource,
        each.shortNames.join(','),
        apiVersionOf(each),
        String(each.namespaced),
        each.kind,
        ...(output === 'wide' ? [[...each.verbs].sort().join(','), each.categories.join(',')] : []),
      ],
    }));
    const table = { columnDefinitions: columns.map((name) => ({ name, priority: 0 })), rows };
    for (const line of printTable(table, { wide: true, namespaces: false, prefix: '', headings: !flags.boolean('no-headers') }))
      context.out(line);
    await tellStale(client);
  },
};

/** What is known has been printed; some may be missing. */
async function tellStale(client: Client): Promise<void> {
  const stale = staleVersions((await groupDiscovery(client, '/apis')) ?? {});
  if (stale.length) throw new KubectlError(`error: unable to retrieve the complete list of server APIs: ${stale.sort().join(', ')}`);
}

/** Of each resource the first version alone, which is the preferred one. client-go discovery ServerPreferredResources */
function preferred(all: readonly Resource[]): Resource[] {
  const first = new Map<string, Resource>();
  for (const each of all) {
    const key = `${each.group}/${each.resource}`;
    if (!first.has(key)) first.set(key, each);
  }
  return [...first.values()];
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

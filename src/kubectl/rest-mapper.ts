import type { KubernetesObject } from '../api/object.ts';
import { apiVersionOf, type Resource } from '../api/resource.ts';
import { BUILT_IN_RESOURCES } from '../api/resources.ts';
import type { Client } from '../client/client.ts';
import { discoverResources } from './discovery.ts';
import { KubectlError } from './kubectl-error.ts';

/** `deployment.apps`, `pod`: how kubectl names the kind of an object in what it prints. */
export function kindName(resource: Resource): string {
  return resource.group ? `${resource.singular}.${resource.group}` : resource.singular;
}

const isNamed = (resource: Resource, name: string, wanted: string): boolean =>
  [resource.resource, resource.singular, resource.kind.toLowerCase(), ...resource.shortNames].includes(name) &&
  (!wanted || [resource.group, `${resource.version}.${resource.group}`, resource.version].includes(wanted));

/**
 * The resource that a word on the command line means: plural, singular, short name, kind, or any of the first with its group. Those that are not built
 * in are asked of the server.
 * @throws KubectlError
 */
export async function resourceFor(client: Client, word: string): Promise<Resource> {
  const [name = '', ...group] = word.toLowerCase().split('.');
  const wanted = group.join('.');
  const found =
    BUILT_IN_RESOURCES.find((resource) => isNamed(resource, name, wanted)) ??
    (await discoverResources(client)).find((resource) => isNamed(resource, name, wanted));
  if (!found) throw new KubectlError(`error: the server doesn't have a resource type "${name}"`);
  return found;
}

const isKind = (resource: Resource, { apiVersion, kind }: KubernetesObject): boolean =>
  resource.kind === kind && apiVersionOf(resource) === apiVersion;

/** The resource of an object out of a manifest; undefined when the server has none. */
export async function findResourceOf(client: Client, object: KubernetesObject): Promise<Resource | undefined> {
  return (
    BUILT_IN_RESOURCES.find((resource) => isKind(resource, object)) ??
    (await discoverResources(client)).find((resource) => isKind(resource, object))
  );
}

/** What a client is told when there is no resource for an object. */
export function noMapping({ apiVersion = '', kind = '', metadata }: KubernetesObject, source: string): KubectlError {
  const { name = '', namespace = '' } = metadata;
  const where = `resource mapping not found for name: "${name}" namespace: "${namespace}" from "${source}"`;
  return new KubectlError(`error: ${where}: no matches for kind "${kind}" in version "${apiVersion}"\nensure CRDs are installed first`);
}

/** Objects named on the command line: `pod a b`, `pod/a deployment/b`, `pods,services`. */
export interface Named {
  readonly resource: Resource;
  /** Absent: all, or those that a selector picks. */
  readonly name?: string;
  /** That of the file which names it; that of the command if absent. */
  readonly namespace?: string;
}

/** Those of a category, such as `all`, or the one of that name. k8s.io/client-go/restmapper categoryExpander */
async function resourcesFor(client: Client, word: string): Promise<Resource[]> {
  const isOfIt = ({ categories }: Resource): boolean => categories.includes(word);
  const builtIn = (BUILT_IN_RESOURCES as readonly Resource[]).filter(isOfIt);
  if (builtIn.length === 0) return [await resourceFor(client, word)];
  return [...builtIn, ...(await discoverResources(client)).filter(isOfIt)];
}

/** @throws KubectlError */
export async function namedObjects(client: Client, args: readonly string[]): Promise<Named[]> {
  const [first, ...names] = args;
  if (first === undefined) throw new KubectlError('error: You must specify the type of resource.');
  const named: Named[] = [];
  if (args.length > 1 && args.some((word) => word.includes('/')) && !args.every((word) => word.includes('/')))
    throw new KubectlError(
      "error: there is no need to specify a resource type as a separate argument when passing arguments in resource/name form (e.g. 'kubectl get resource/<resource_name>' instead of 'kubectl get resource resource/<resource_name>'",
    );
  if (args.some((word) => word.includes('/'))) {
    for (const word of args) {
      const [type = '', name = '', ...more] = word.split('/');
      if (!type || !name || more.length)
        throw new KubectlError(`error: arguments in resource/name form must have a single resource and name`);
      named.push({ resource: await resourceFor(client, type), name });
    }
    return named;
  }
  for (const word of first.split(',')) {
    for (const resource of await resourcesFor(client, word))
      named.push(...(names.length ? names.map((name) => ({ resource, name })) : [{ resource }]));
  }
  return named;
}

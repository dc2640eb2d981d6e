import type { KubernetesObject } from '../api/object.ts';
import type { Resource } from '../api/resource.ts';
import { BUILT_IN_RESOURCES } from '../api/resources.ts';
import { KubectlError } from './kubectl-error.ts';

/** `deployment.apps`, `pod`: how kubectl names the kind of an object in what it prints. */
export function kindName(resource: Resource): string {
  return resource.group ? `${resource.singular}.${resource.group}` : resource.singular;
}

/**
 * The resource that a word on the command line means: plural, singular, short name, kind, or any of the first with its group.
 * @throws KubectlError
 */
export function resourceFor(word: string): Resource {
  const [name = '', ...group] = word.toLowerCase().split('.');
  const wanted = group.join('.');
  const found = BUILT_IN_RESOURCES.find(
    (resource) =>
      [resource.resource, resource.singular, resource.kind.toLowerCase(), ...resource.shortNames].includes(name) &&
      (!wanted || [resource.group, `${resource.version}.${resource.group}`, resource.version].includes(wanted)),
  );
  if (!found) throw new KubectlError(`error: the server doesn't have a resource type "${word}"`);
  return found;
}

/** The resource of an object out of a manifest. @throws KubectlError */
export function resourceOf(object: KubernetesObject, source: string): Resource {
  const { apiVersion = '', kind = '' } = object;
  const found = BUILT_IN_RESOURCES.find(
    (resource) => resource.kind === kind && (resource.group ? `${resource.group}/${resource.version}` : resource.version) === apiVersion,
  );
  if (found) return found;
  const { name = '', namespace = '' } = object.metadata;
  const where = `resource mapping not found for name: "${name}" namespace: "${namespace}" from "${source}"`;
  throw new KubectlError(`error: ${where}: no matches for kind "${kind}" in version "${apiVersion}"\nensure CRDs are installed first`);
}

/** Objects named on the command line: `pod a b`, `pod/a deployment/b`, `pods,services`. */
export interface Named {
  readonly resource: Resource;
  /** Absent: all, or those that a selector picks. */
  readonly name?: string;
}

/** @throws KubectlError */
export function namedObjects(args: readonly string[]): Named[] {
  const [first, ...names] = args;
  if (first === undefined) throw new KubectlError('error: You must specify the type of resource.');
  if (args.some((word) => word.includes('/'))) {
    return args.map((word) => {
      const [type = '', name = '', ...more] = word.split('/');
      if (!type || !name || more.length)
        throw new KubectlError(`error: arguments in resource/name form must have a single resource and name`);
      return { resource: resourceFor(type), name };
    });
  }
  const resources = first.split(',').map(resourceFor);
  return resources.flatMap((resource): Named[] => (names.length ? names.map((name) => ({ resource, name })) : [{ resource }]));
}

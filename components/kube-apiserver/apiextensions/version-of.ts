import type { CustomResourceVersion } from './custom-resource-version.ts';

const VERSIONS = new WeakMap<object, CustomResourceVersion>();

/** Remembers what a served resource is a version of. */
export function setVersionOf(resource: object, version: CustomResourceVersion): void {
  VERSIONS.set(resource, version);
}

/** The version of a custom resource that a served resource is; undefined for built-in ones. */
export function customResourceVersionOf(resource: object): CustomResourceVersion | undefined {
  return VERSIONS.get(resource);
}

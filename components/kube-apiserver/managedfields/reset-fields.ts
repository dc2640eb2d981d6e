import type { Resource } from '../../../src/api/resource.ts';
import { FieldSet } from '../../../src/api/structured-merge-diff/field-set.ts';
import type { PathElement } from '../../../src/api/structured-merge-diff/path-element.ts';

/** Leaves out of a set what writes through an endpoint do not touch. structured-merge-diff fieldpath.Filter */
export type FieldFilter = (set: FieldSet) => FieldSet;

const everything: FieldFilter = (set) => set;

/**
 * What a write through the object itself or one of its subresources cannot change, so that nobody owns it for that.
 * apiserver pkg/registry/rest.ResetFieldsStrategy, of each kind
 */
export function resetFieldsFilter(resource: Resource, subresource: string, custom: boolean): FieldFilter {
  const name = `${resource.resource}.${resource.group}`;
  const special = SPECIAL[`${name}/${subresource}`];
  if (special) return special;
  if (subresource === 'status') return custom ? only([['f:status']]) : without([['f:spec']]);
  const hasStatus = resource.subresources.some((known) => known.name === 'status');
  return hasStatus ? without([['f:status']]) : everything;
}

const SPECIAL: Readonly<Record<string, FieldFilter>> = {
  'pods./status': without([['f:spec'], ['f:metadata', 'f:deletionTimestamp'], ['f:metadata', 'f:ownerReferences']]),
  // The strategy of `pods/resize` has a filter too, but recordings show that nobody asks it.
  'pods./ephemeralcontainers': only([['f:spec', 'f:ephemeralContainers']]),
  'certificatesigningrequests.certificates.k8s.io/approval': without([['f:spec']]),
  'deployments.apps/status': without([['f:spec'], ['f:metadata', 'f:labels']]),
  'customresourcedefinitions.apiextensions.k8s.io/status': without([['f:metadata'], ['f:spec']]),
};

/** structured-merge-diff fieldpath.NewExcludeSetFilter */
function without(paths: readonly (readonly PathElement[])[]): FieldFilter {
  const excluded = FieldSet.ofPaths(paths);
  return (set) => set.recursiveDifference(excluded);
}

/** structured-merge-diff fieldpath.NewIncludeMatcherFilter */
function only(patterns: readonly (readonly PathElement[])[]): FieldFilter {
  return (set) => matching(set, patterns);
}

function matching(set: FieldSet, patterns: readonly (readonly PathElement[])[]): FieldSet {
  const members = new Set<PathElement>();
  const children = new Map<PathElement, FieldSet>();
  for (const element of set.elements()) {
    const fitting = patterns.filter(([first]) => first === element);
    const whole = fitting.some((pattern) => pattern.length === 1);
    if (whole && set.members.has(element)) members.add(element);
    const child = set.children.get(element);
    const kept =
      child &&
      (whole
        ? child
        : matching(
            child,
            fitting.map((pattern) => pattern.slice(1)),
          ));
    if (kept && !kept.isEmpty) children.set(element, kept);
  }
  return FieldSet.of(members, children);
}

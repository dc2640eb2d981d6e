import type { ObjectMeta } from '../../../src/api/kinds/meta-v1.ts';
import type { Resource } from '../../../src/api/resource.ts';
import type { FieldError } from '../../../src/api/status-error.ts';
import { isValidPathSegmentName } from '../../../src/api/validation/content.ts';
import { validateObjectMeta } from '../../../src/api/validation/object-meta.ts';

/** The metadata rules that storage itself checks, besides those of the kind: any name that can be a part of a path. apiserver pkg/registry/rest.BeforeCreate */
export function genericMetaErrors(resource: Resource, meta: ObjectMeta): readonly FieldError[] {
  return validateObjectMeta(meta, { namespaced: resource.namespaced, validateName: isValidPathSegmentName, core: false });
}

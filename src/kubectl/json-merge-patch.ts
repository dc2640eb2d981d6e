import { deepEqual } from '../api/deep-equal.ts';

type Json = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * What makes the present object what a user wants, and takes away what the user wanted before and no longer names; undefined when nothing changes.
 * apimachinery pkg/util/jsonmergepatch.CreateThreeWayJSONMergePatch
 */
export function createThreeWayJsonMergePatch(about: {
  readonly original: object;
  readonly modified: object;
  readonly current: object;
}): Json | undefined {
  const original = about.original as Json;
  const modified = about.modified as Json;
  const current = about.current as Json;
  const patch: Record<string, unknown> = {};
  for (const [key, wanted] of Object.entries(modified)) {
    const present = current[key];
    if (isObject(wanted) && isObject(present)) {
      const before = original[key];
      const inner = createThreeWayJsonMergePatch({ original: isObject(before) ? before : {}, modified: wanted, current: present });
      if (inner) patch[key] = inner;
    } else if (!deepEqual(wanted, present)) patch[key] = wanted;
  }
  for (const key of Object.keys(original)) if (!Object.hasOwn(modified, key) && Object.hasOwn(current, key)) patch[key] = null;
  return Object.keys(patch).length > 0 ? patch : undefined;
}

import { isRecord } from './is-record.ts';
/** Applies a JSON merge patch (RFC 7396) and returns the changed copy; what is not changed is shared. */
export function applyMergePatch<T>(original: T, patch: unknown): T {
  return merge(original, patch) as T;
}

function merge(original: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const out: Record<string, unknown> = isRecord(original) ? { ...original } : {};
  for (const key in patch) {
    const value = patch[key];
    if (value === null) delete out[key];
    else if (value !== undefined) out[key] = merge(out[key], value);
  }
  return out;
}

/** The merge patch that turns `from` into `to` (jsonmergepatch). Undefined when they are equal. */
export function createMergePatch(from: unknown, to: unknown): Record<string, unknown> | undefined {
  if (!isRecord(from) || !isRecord(to)) return undefined;
  const patch: Record<string, unknown> = {};
  for (const key in from) if (from[key] !== undefined && to[key] === undefined) patch[key] = null;
  for (const key in to) {
    if (to[key] === undefined || from[key] === to[key]) continue;
    if (isRecord(from[key]) && isRecord(to[key])) {
      const inner = createMergePatch(from[key], to[key]);
      if (inner) patch[key] = inner;
    } else if (JSON.stringify(from[key]) !== JSON.stringify(to[key])) patch[key] = to[key];
  }
  return Object.keys(patch).length > 0 ? patch : undefined;
}

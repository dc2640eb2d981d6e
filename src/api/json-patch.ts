import { deepEqual } from './deep-equal.ts';
import { isRecord } from './is-record.ts';
import { ApiStatusError, newBadRequest } from './status-error.ts';

/** One step of a JSON patch (RFC 6902). */
export interface JsonPatchOperation {
  readonly op?: string;
  readonly path?: string;
  readonly from?: string;
  readonly value?: unknown;
}

/** apiserver's limit of operations in one patch. */
const MAX_OPERATIONS = 10_000;

/**
 * Applies a JSON patch and returns the changed copy; what is not changed is shared. It has the quirks of the library that the API uses:
 * `replace` of a missing key adds it, `add` without a value sets null, a negative index counts from the end, a path may lack its first slash.
 * @throws ApiStatusError 400 for what is no list of operations, 413 for too many, 422 when an operation fails
 */
export function applyJsonPatch<T>(original: T, patch: unknown): T {
  if (!Array.isArray(patch))
    throw newBadRequest(`error decoding patch: json: cannot unmarshal ${jsonType(patch)} into Go value of type []handlers.jsonPatchOp`);
  if (patch.length > MAX_OPERATIONS) {
    const message = `Request entity too large: The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${patch.length}`;
    throw new ApiStatusError({ message, reason: 'RequestEntityTooLarge', code: 413 });
  }
  for (const operation of patch) assertOperation(operation);
  return patch.reduce<unknown>((document, operation) => applyOperation(document, (operation ?? {}) as JsonPatchOperation), original) as T;
}

/** Whether the operation is what Go reads as one. */
function assertOperation(operation: unknown): void {
  if (operation === null) return;
  const refused = (what: string): Error => newBadRequest(`error decoding patch: json: cannot unmarshal ${what}`);
  if (!isRecord(operation)) throw refused(`${jsonType(operation)} into Go value of type handlers.jsonPatchOp`);
  for (const field of ['op', 'path', 'from']) {
    const given = operation[field] ?? '';
    if (typeof given !== 'string') throw refused(`${jsonType(given)} into Go struct field jsonPatchOp.${field} of type string`);
  }
}

function applyOperation(document: unknown, operation: JsonPatchOperation): unknown {
  try {
    const changed = perform(document, operation);
    // A document is an object or a list.
    if (typeof changed !== 'object' || changed === null) throw new Failure(NO_WAY);
    return changed;
  } catch (error) {
    if (error instanceof Failure) throw failed(describe(operation, error));
    throw error;
  }
}

function perform(document: unknown, operation: JsonPatchOperation): unknown {
  const path = pointer(operation.path);
  switch (operation.op) {
    case 'add':
      return add(document, path, operation.value === undefined ? null : operation.value);
    case 'replace':
      return replace(document, path, operation.value === undefined ? null : operation.value);
    case 'remove':
      return remove(document, path);
    case 'copy':
      return add(document, path, lookup(document, pointer(operation.from)));
    case 'move': {
      const from = pointer(operation.from);
      return add(remove(document, from), path, lookup(document, from));
    }
    case 'test': {
      const found = find(document, path);
      if (!deepEqual(found ?? null, operation.value ?? null)) throw new Failure('test failed');
      return document;
    }
    default:
      throw new Failure('');
  }
}

/** An operation that cannot be done: the way to the place leads nowhere, or the place is not as it must be. */
class Failure extends Error {
  override name = 'Failure';
}

const NO_WAY = 'missing value';

/** What the library that the API uses says. */
function describe({ op = 'unknown', path = '', from = '' }: JsonPatchOperation, { message }: Failure): string {
  switch (op) {
    case 'add':
    case 'remove':
      if (message === NO_WAY) return `${op} operation does not apply: doc is missing path: "${path}": ${message}`;
      return `error in ${op} for path: '${path}': ${message}`;
    case 'replace':
      return `replace operation does not apply: doc is missing ${message === NO_WAY ? 'path' : 'key'}: ${path}: missing value`;
    case 'move':
    case 'copy':
      if (message === NO_WAY) return `${op} operation does not apply: doc is missing from path: ${from}: ${message}`;
      return `error in ${op} for path: '${path}': ${message}`;
    case 'test':
      return `testing value ${path} failed: test failed`;
    default:
      return `Unexpected kind: ${op}`;
  }
}

function pointer(path: string | null | undefined): string[] {
  if (path === undefined || path === null) throw new Failure(NO_WAY);
  if (path === '') return [];
  const [, ...parts] = path.split('/');
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at a path; undefined when the last step leads nowhere. The way there must exist. */
function find(document: unknown, path: readonly string[]): unknown {
  let current = document;
  for (const [depth, key] of path.entries()) {
    const last = depth === path.length - 1;
    if (Array.isArray(current)) {
      const index = listIndex(current, key);
      if (index >= current.length) throw new Failure(NO_WAY);
      current = current[index];
    } else if (isRecord(current)) current = Object.hasOwn(current, key) ? current[key] : undefined;
    else throw new Failure(NO_WAY);
    if (current === undefined && !last) throw new Failure(NO_WAY);
  }
  return current;
}

function lookup(document: unknown, path: readonly string[]): unknown {
  const found = find(document, path);
  if (found === undefined) throw new Failure(NO_WAY);
  return found;
}

/** Rebuilds the containers along a path around a change of the last one. */
function edit(
  document: unknown,
  path: readonly string[],
  change: (container: Record<string, unknown> | unknown[], key: string) => void,
): unknown {
  const [key, ...rest] = path;
  if (key === undefined) throw new Failure(NO_WAY);
  if (Array.isArray(document)) {
    const copy = [...(document as unknown[])];
    if (rest.length === 0) change(copy, key);
    else {
      const index = listIndex(copy, key);
      if (index >= copy.length) throw new Failure(NO_WAY);
      copy[index] = edit(copy[index], rest, change);
    }
    return copy;
  }
  if (!isRecord(document)) throw new Failure(NO_WAY);
  const copy = { ...document };
  if (rest.length === 0) change(copy, key);
  else {
    if (!Object.hasOwn(copy, key)) throw new Failure(NO_WAY);
    copy[key] = edit(copy[key], rest, change);
  }
  return copy;
}

function add(document: unknown, path: readonly string[], value: unknown): unknown {
  if (path.length === 0) return value;
  return edit(document, path, (container, key) => {
    if (!Array.isArray(container)) container[key] = value;
    else if (key === '-') container.push(value);
    else {
      const index = listIndex(container, key, 1);
      if (index > container.length) throw new Failure(`Unable to access invalid index: ${index}: invalid index referenced`);
      container.splice(index, 0, value);
    }
  });
}

function replace(document: unknown, path: readonly string[], value: unknown): unknown {
  if (path.length === 0) return value;
  return edit(document, path, (container, key) => {
    if (!Array.isArray(container)) container[key] = value;
    else {
      const index = listIndex(container, key);
      if (index >= container.length) throw new Failure(`Unable to access invalid index: ${index}: invalid index referenced`);
      container[index] = value;
    }
  });
}

function remove(document: unknown, path: readonly string[]): unknown {
  return edit(document, path, (container, key) => {
    if (Array.isArray(container)) {
      const index = listIndex(container, key);
      if (index >= container.length) throw new Failure(`Unable to access invalid index: ${index}: invalid index referenced`);
      container.splice(index, 1);
    } else {
      if (!Object.hasOwn(container, key)) throw new Failure(`Unable to remove nonexistent key: ${key}: missing value`);
      delete container[key];
    }
  });
}

function listIndex(list: readonly unknown[], key: string, extra = 0): number {
  if (!/^[+-]?\d+$/.test(key))
    throw new Failure(`value was not a proper array index: '${key}': strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`);
  const index = Number(key);
  if (index >= 0) return index;
  if (-index > list.length + extra) throw new Failure(`Unable to access invalid index: ${index}: invalid index referenced`);
  return index + list.length + extra;
}

/** What the API answers when an operation cannot be applied; what the library said is its cause. */
function failed(why: string): ApiStatusError {
  return new ApiStatusError(
    { message: 'the server rejected our request due to an error in our request', reason: 'Invalid', details: {}, code: 422 },
    { cause: why },
  );
}

function jsonType(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

import type { KubernetesObject } from '../../../src/api/object.ts';
import type { ApiResponse } from '../../../src/api/request.ts';
import { apiVersionOf } from '../../../src/api/resource.ts';
import { newBadRequest } from '../../../src/api/status-error.ts';
import { Compacted } from '../../etcd/compacted.ts';
import type { RangeResult, Version } from '../../etcd/keyspace.ts';
import { customResourceVersionOf } from '../apiextensions/version-of.ts';
import type { RequestContext } from '../request-context.ts';
import { type Selection, selectionOf } from '../storage/selection.ts';
import { decodeContinue, encodeContinue } from './continue-token.ts';
import { validateListOptions, withPathName } from './list-options.ts';
import { minimumRevision, parseListResourceVersion, resourceExpired, tooLargeResourceVersion } from './revision.ts';

const TOO_OLD = 'The resourceVersion for the provided list is too old.';
const INCONSISTENT_CONTINUE =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

export interface ListPage {
  readonly items: KubernetesObject[];
  readonly revision: number;
  readonly continue: string;
  readonly remaining: number | undefined;
}

/** GET of a collection. apiserver pkg/endpoints/handlers.ListResource */
export function list(context: RequestContext): ApiResponse {
  const { resource } = context;
  const page = listPage(context, withPathName(context.request.query, context.request.info.name));
  const metadata = {
    resourceVersion: String(page.revision),
    ...(page.continue || customResourceVersionOf(resource) ? { continue: page.continue } : {}),
    ...(page.remaining === undefined ? {} : { remainingItemCount: page.remaining }),
  };
  return { code: 200, body: { kind: `${resource.kind}List`, apiVersion: apiVersionOf(resource), metadata, items: page.items } };
}

/** The objects that a list's options are about. apiserver pkg/storage/etcd3 store.GetList */
export function listPage(context: RequestContext, query: Readonly<Record<string, string>>): ListPage {
  validateListOptions(query);
  const { storage } = context;
  const selection = selectionOf(context, query);
  const namespace = context.namespace || (storage.resource.namespaced ? (selection.fieldEquals('metadata.namespace') ?? '') : '');
  const prefix = namespace ? `${storage.keyspace.prefix}${namespace}/` : storage.keyspace.prefix;
  const read = readingOf(context, query);
  if (selection.name !== undefined && (namespace || !storage.resource.namespaced))
    return onePage(context, { name: selection.name, namespace, selection, read });
  const whole = selection.everything && read.limit > 0;
  const result = rangeOf(context, { prefix, read, limit: whole ? read.limit : undefined });
  return whole ? firstPage(result, prefix) : select(result, { selection, limit: read.limit, prefix });
}

/** A page of everything there is: the store has stopped at the limit. */
function firstPage({ versions, remaining, revision }: RangeResult<KubernetesObject>, prefix: string): ListPage {
  const items = versions.map((version) => version.value as KubernetesObject);
  const last = versions.at(-1);
  if (remaining === 0 || !last) return { items, revision, continue: '', remaining: undefined };
  return { items, revision, continue: encodeContinue(last.key.slice(prefix.length), revision), remaining };
}

/** At which revision to read, from which key, and how much. */
interface Reading {
  readonly revision: number | undefined;
  readonly start: string;
  readonly limit: number;
}

function readingOf(context: RequestContext, query: Readonly<Record<string, string>>): Reading {
  const { resourceVersion = '', resourceVersionMatch: match = '', continue: token = '' } = query;
  const wanted = Math.max(0, Number(query['limit'] ?? 0));
  if (token) {
    if (resourceVersion !== '' && resourceVersion !== '0')
      throw newBadRequest('specifying resource version is not allowed when using continue');
    const { revision, start } = decodeContinue(token);
    assertKnown(context, revision);
    return { revision: revision > 0 ? revision : undefined, start, limit: resourceVersion === '0' ? 0 : wanted };
  }
  if (resourceVersion === '0') return { revision: undefined, start: '', limit: 0 };
  if (match === 'Exact' || (match === '' && resourceVersion !== '' && wanted > 0))
    return { revision: exactRevision(context, resourceVersion), start: '', limit: wanted };
  parseListResourceVersion(resourceVersion);
  minimumRevision(context, resourceVersion);
  return { revision: undefined, start: '', limit: wanted };
}

function exactRevision(context: RequestContext, text: string): number {
  const wanted = parseListResourceVersion(text);
  assertKnown(context, wanted);
  return wanted;
}

/** The store cannot tell of the future. */
function assertKnown(context: RequestContext, wanted: number): void {
  const current = context.server.etcd.revision;
  if (wanted > current) throw tooLargeResourceVersion({ wanted, current });
}

function rangeOf(
  context: RequestContext,
  { prefix, read, limit }: { prefix: string; read: Reading; limit: number | undefined },
): RangeResult<KubernetesObject> {
  const { keyspace } = context.storage;
  const from = read.start ? prefix + read.start : undefined;
  try {
    return keyspace.range(prefix, { revision: read.revision, from, limit });
  } catch (error) {
    if (!(error instanceof Compacted)) throw error;
    throw read.start ? resourceExpired(INCONSISTENT_CONTINUE, encodeContinue(read.start.slice(0, -1), -1)) : resourceExpired(TOO_OLD);
  }
}

interface Page {
  readonly selection: Selection<KubernetesObject>;
  readonly limit: number;
  readonly prefix: string;
}

function select({ versions, revision }: RangeResult<KubernetesObject>, { selection, limit, prefix }: Page): ListPage {
  const items: KubernetesObject[] = [];
  for (let index = 0; index < versions.length; index++) {
    const version = versions[index] as Version<KubernetesObject>;
    const object = version.value as KubernetesObject;
    if (!selection.everything && !selection.matches(object)) continue;
    items.push(object);
    if (items.length !== limit || index === versions.length - 1) continue;
    const remaining = selection.everything ? versions.length - index - 1 : undefined;
    return { items, revision, continue: encodeContinue(version.key.slice(prefix.length), revision), remaining };
  }
  return { items, revision, continue: '', remaining: undefined };
}

function onePage(
  context: RequestContext,
  one: { name: string; namespace: string; selection: Selection<KubernetesObject>; read: Reading },
): ListPage {
  const { storage } = context;
  const version = storage.keyspace.get(storage.key(one.namespace, one.name), one.read.revision);
  const items = version?.value && one.selection.matches(version.value) ? [version.value] : [];
  return { items, revision: one.read.revision ?? storage.etcd.revision, continue: '', remaining: undefined };
}

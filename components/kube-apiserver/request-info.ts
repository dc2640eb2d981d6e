import { parseFieldSelector } from '../../src/api/field-selector.ts';
import type { RequestInfo } from '../../src/api/request.ts';
import { isTrue } from './endpoints/query.ts';

const VERBS: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};
const SPECIAL_VERBS = new Set(['watch', 'proxy']);
const NAMESPACE_SUBRESOURCES = new Set(['status', 'finalize']);

/** Reads what a request is about out of its path. apiserver pkg/endpoints/request.RequestInfoFactory.NewRequestInfo */
export function requestInfoOf(method: string, path: string, query: Readonly<Record<string, string>>): RequestInfo {
  const parts = path.split('/').filter((part, index, all) => part !== '' || (index > 0 && index < all.length - 1 && part !== ''));
  const nonResource = { ...NON_RESOURCE, verb: method.toLowerCase(), path };
  if (parts.length < 3 || (parts[0] !== 'api' && parts[0] !== 'apis')) return nonResource;
  const grouped = parts[0] === 'apis';
  if (grouped && parts.length < 4) return nonResource;
  const group = grouped ? (parts[1] ?? '') : '';
  const version = (grouped ? parts[2] : parts[1]) ?? '';
  let rest = parts.slice(grouped ? 3 : 2);
  let verb = VERBS[method] ?? '';
  if (SPECIAL_VERBS.has(rest[0] ?? '')) {
    if (rest.length < 2) return { ...nonResource, isResourceRequest: true, group, version, verb: '' };
    verb = rest[0] ?? '';
    rest = rest.slice(1);
  }
  const place = placeOf(rest);
  return withCollectionVerb({ isResourceRequest: true, verb, path, group, version, ...place }, query);
}

const NON_RESOURCE: RequestInfo = {
  isResourceRequest: false,
  verb: '',
  path: '',
  group: '',
  version: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
};

function placeOf(parts: readonly string[]): Pick<RequestInfo, 'namespace' | 'resource' | 'name' | 'subresource'> {
  let rest = parts;
  let namespace = '';
  if (rest[0] === 'namespaces' && rest.length > 1) {
    namespace = rest[1] ?? '';
    if (rest.length > 2 && !NAMESPACE_SUBRESOURCES.has(rest[2] ?? '')) rest = rest.slice(2);
  }
  const [resource = '', name = '', ...below] = rest;
  // Only a proxied request goes on below the subresource.
  const subresource = below[0] === 'proxy' ? 'proxy' : below.join('/');
  return { namespace, resource, name, subresource };
}

/** A verb on a path without name is about the collection. */
function withCollectionVerb(info: RequestInfo, query: Readonly<Record<string, string>>): RequestInfo {
  if (info.name) return info;
  if (info.verb === 'delete') return { ...info, verb: 'deletecollection' };
  if (info.verb !== 'get' && info.verb !== 'watch') return info;
  const verb = info.verb === 'watch' || isTrue(query['watch']) ? 'watch' : 'list';
  return { ...info, verb, name: nameInSelector(query['fieldSelector']) };
}

/** A selector for one name makes the request one about that name, for authorization. */
function nameInSelector(selector: string | undefined): string {
  if (!selector) return '';
  try {
    return (
      parseFieldSelector(selector).requirements.find(({ field, operator }) => field === 'metadata.name' && operator === '=')?.value ?? ''
    );
  } catch {
    return '';
  }
}

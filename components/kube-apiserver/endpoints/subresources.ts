import type { ApiResponse } from '../../../src/api/request.ts';
import { newBadRequest, newNotFound } from '../../../src/api/status-error.ts';
import { customResourceVersionOf } from '../apiextensions/version-of.ts';
import type { RequestContext } from '../request-context.ts';
import { asSteps, type Steps } from '../steps.ts';
import { bindPod } from './binding.ts';
import { evictPod } from './eviction.ts';
import { get } from './get.ts';
import { connectToPod, readLog } from './node-proxy.ts';
import { patch } from './patch.ts';
import { proxy } from './proxy.ts';
import { methodNotAllowed, noSuchResource, notImplemented } from './refusals.ts';
import { getScale, patchScale, updateScale } from './scale.ts';
import { requestToken } from './token.ts';
import { update } from './update.ts';

type SubresourceHandler = (context: RequestContext) => ApiResponse | Steps<ApiResponse>;

/** Subresources that connect the client with something else. */
const CONNECTIONS: ReadonlySet<string> = new Set(['attach', 'exec', 'portforward', 'proxy']);

/** Subresources with behaviour of their own, by `resource/subresource` (or the subresource alone) and verb. */
const HANDLERS: Readonly<Record<string, Readonly<Record<string, SubresourceHandler>>>> = {
  'pods/binding': { create: bindPod },
  'pods/eviction': { create: evictPod },
  'pods/log': { get: readLog },
  'pods/exec': { get: connectToPod, create: connectToPod },
  'pods/attach': { get: connectToPod, create: connectToPod },
  'pods/portforward': { get: connectToPod, create: connectToPod },
  'serviceaccounts/token': { create: requestToken },
  proxy: { get: proxy, create: proxy, update: proxy, patch: proxy, delete: proxy },
  scale: { get: getScale, update: updateScale, patch: patchScale },
};

/** A request to a subresource. */
export function* handleSubresource(context: RequestContext): Steps<ApiResponse> {
  const { resource, subresource, request } = context;
  const { verb } = request.info;
  const known = resource.subresources.find(({ name }) => name === subresource);
  if (!known) throw customResourceVersionOf(resource) ? newNotFound(resource, request.info.name) : noSuchResource();
  if (!known.verbs.includes(verb)) throw methodNotAllowed();
  if (CONNECTIONS.has(subresource) && request.query['dryRun'] !== undefined) throw newBadRequest('dryRun is not supported');
  const special = HANDLERS[`${resource.resource}/${subresource}`]?.[verb] ?? HANDLERS[subresource]?.[verb];
  if (special) return yield* asSteps(special(context));
  if (verb === 'get') return get(context);
  if (!context.storage.strategy.subresources?.[subresource]) throw notImplemented(`${resource.resource}/${subresource}`);
  if (verb === 'update') return yield* update(context);
  if (verb === 'patch') return yield* patch(context);
  throw methodNotAllowed();
}

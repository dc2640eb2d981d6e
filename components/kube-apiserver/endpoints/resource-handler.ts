import type { ApiRequest, ApiResponse, RequestInfo } from '../../../src/api/request.ts';
import type { Resource } from '../../../src/api/resource.ts';
import { BUILT_IN_RESOURCES } from '../../../src/api/resources.ts';
import { askConversionWebhook, ConversionNeeded, withConversions } from '../apiextensions/conversion-webhook.ts';
import { customResourceVersionOf } from '../apiextensions/version-of.ts';
import { asTable } from '../printers/table.ts';
import type { RequestContext } from '../request-context.ts';
import type { ServerCore } from '../server-core.ts';
import type { Stages } from '../stages.ts';
import type { Steps } from '../steps.ts';
import { conversionOf } from '../storage/conversion.ts';
import { bindPod } from './binding.ts';
import { componentStatuses } from './component-status.ts';
import { create } from './create.ts';
import { deleteCollection, deleteOne } from './delete.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { type Negotiated, namesMediaType, negotiate, notAcceptable, OBJECT_ALTERNATIVES, unknownRepresentation } from './negotiate.ts';
import { asPartialMetadata } from './partial-metadata.ts';
import { patch } from './patch.ts';
import { present } from './present.ts';
import { isTrue } from './query.ts';
import { methodNotAllowed, noSuchResource } from './refusals.ts';
import { review } from './reviews.ts';
import { handleSubresource } from './subresources.ts';
import { update } from './update.ts';
import { watch } from './watch.ts';

/** What is gathered on the way of a request, also when it is refused. */
export interface Notes {
  readonly stages: Stages;
  readonly warnings: string[];
}

/** Finds who answers for the path, and asks. apiserver pkg/endpoints.APIInstaller.registerResourceHandlers */
export function* handleResource(server: ServerCore, request: ApiRequest, notes: Notes): Steps<ApiResponse> {
  const { info } = request;
  const resource = server.resource(info);
  if (!resource || !fitsScope(info, resource)) {
    if (!server.hasGroup(info.group) || !isBuiltInGroup(info.group)) return { code: 404, text: '404 page not found\n' };
    throw noSuchResource();
  }
  const custom = customResourceVersionOf(resource);
  if (info.name !== '' && !resource.verbs.some((verb) => VERBS_OF_OBJECTS.has(verb))) throw noSuchResource();
  if (!allows(request, resource)) {
    if (custom && info.verb === 'create') return { code: 404, text: '404 page not found\n' };
    throw methodNotAllowed();
  }
  const wanted = negotiate(request.headers.accept, OBJECT_ALTERNATIVES);
  if (!wanted) throw request.headers.accept && namesMediaType(request.headers.accept) ? unknownRepresentation() : notAcceptable();
  const about = { request, resource, ...notes };
  const deprecation = custom?.deprecationWarning ?? DEPRECATED[`${resource.resource}.${resource.group}`];
  if (deprecation) notes.warnings.push(deprecation);
  return custom ? yield* answerCustom(server, about, wanted) : yield* answerOnce(server, about, wanted);
}

function* answerOnce(server: ServerCore, about: About, wanted: Negotiated): Steps<ApiResponse> {
  const context = newContext(server, about);
  return shown(context, about.request.info.subresource ? yield* handleSubresource(context) : yield* handleVerb(context), wanted);
}

/** Before anything is written the request can begin anew, after a webhook has converted what it is about; afterwards only the answer can wait for it. */
function* answerCustom(server: ServerCore, about: About, wanted: Negotiated): Steps<ApiResponse> {
  const warnings = about.warnings.length;
  for (;;) {
    const context = newContext(server, about);
    try {
      const response = about.request.info.subresource ? yield* handleSubresource(context) : yield* handleVerb(context);
      return yield* withConversions(server, () => shown(context, response, wanted));
    } catch (error) {
      if (!(error instanceof ConversionNeeded)) throw error;
      about.warnings.length = warnings;
      yield* askConversionWebhook(server, error);
    }
  }
}

function shown(context: RequestContext, answer: ApiResponse, wanted: Negotiated): ApiResponse {
  const response = present(context, answer);
  if (wanted.as === 'Table') return asTable(context, response, wanted);
  return wanted.as.startsWith('PartialObjectMetadata') ? asPartialMetadata(response, wanted) : response;
}

const BUILT_IN_GROUPS: ReadonlySet<string> = new Set(BUILT_IN_RESOURCES.map(({ group }) => group));

const isBuiltInGroup = (group: string): boolean => BUILT_IN_GROUPS.has(group);

/** Kinds of which every answer warns. apiserver pkg/endpoints/deprecation.WarningMessage */
const DEPRECATED: Readonly<Record<string, string>> = {
  'endpoints.': 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  'componentstatuses.': 'v1 ComponentStatus is deprecated in v1.19+',
};

/** Objects of a namespaced resource are reached through their namespace, cluster-scoped ones are not. */
function fitsScope({ namespace, name, verb, resource: plural, group }: RequestInfo, resource: Resource): boolean {
  if (!resource.namespaced) return namespace === '' || (plural === 'namespaces' && group === '' && namespace === name);
  return namespace !== '' || name === '' || verb === 'list' || verb === 'watch';
}

function allows({ info, method }: ApiRequest, resource: Resource): boolean {
  if (method === 'HEAD') return false;
  if (info.subresource) return true;
  if (info.verb === 'create' && info.name !== '') return false;
  if ((info.verb === 'update' || info.verb === 'patch') && info.name === '') return false;
  if ((info.verb === 'deletecollection' || info.verb === 'create') && resource.namespaced && info.namespace === '') return false;
  return true;
}

/** Resources without any of these, e.g. bindings and reviews, have no paths of single objects. apiserver pkg/endpoints.APIInstaller */
const VERBS_OF_OBJECTS: ReadonlySet<string> = new Set(['get', 'update', 'patch', 'delete']);

type About = Notes & { readonly request: ApiRequest; readonly resource: Resource };

function newContext(server: ServerCore, about: About): RequestContext {
  const { request, resource, stages, warnings } = about;
  return {
    server,
    request,
    resource,
    storage: server.storage(resource),
    conversion: conversionOf(resource),
    subresource: request.info.subresource,
    namespace: resource.namespaced ? request.info.namespace : '',
    user: request.user,
    dryRun: isTrue(request.query['dryRun']),
    wallTime: server.simulation.wallTime,
    warnings,
    stages,
    owners: { next: undefined },
  };
}

function* handleVerb(context: RequestContext): Steps<ApiResponse> {
  const { verb } = context.request.info;
  if (!context.resource.verbs.includes(verb)) throw methodNotAllowed();
  if (context.resource.resource === 'componentstatuses') return yield* componentStatuses(context);
  switch (verb) {
    case 'get':
      return get(context);
    case 'list':
      return list(context);
    case 'watch':
      return watch(context);
    case 'create':
      return review(context) ?? (context.resource.resource === 'bindings' ? yield* bindPod(context) : yield* create(context));
    case 'update':
      return yield* update(context);
    case 'patch':
      return yield* patch(context);
    case 'delete':
      return yield* deleteOne(context);
    case 'deletecollection':
      return yield* deleteCollection(context);
    default:
      throw methodNotAllowed();
  }
}

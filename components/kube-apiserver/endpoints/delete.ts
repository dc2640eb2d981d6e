import { decode } from '../../../src/api/decode.ts';
import { JsonSyntaxError, parseJson } from '../../../src/api/json-text.ts';
import type { CustomResourceDefinition } from '../../../src/api/kinds/apiextensions-v1.ts';
import type { Namespace } from '../../../src/api/kinds/core-v1.ts';
import type { DeleteOptions } from '../../../src/api/kinds/meta-v1.ts';
import type { KubernetesObject } from '../../../src/api/object.ts';
import type { ApiResponse } from '../../../src/api/request.ts';
import { apiVersionOf } from '../../../src/api/resource.ts';
import { schemaOf } from '../../../src/api/schema.ts';
import { ApiStatusError, type FieldError, isNotFound, newBadRequest, newForbidden, newInvalid } from '../../../src/api/status-error.ts';
import { markDefinition } from '../apiextensions/delete-definition.ts';
import { customResourceVersionOf } from '../apiextensions/version-of.ts';
import type { RequestContext } from '../request-context.ts';
import type { Steps } from '../steps.ts';
import { type DeleteResult, deleteObject } from '../storage/delete.ts';
import { assertMediaType } from './body.ts';
import { listPage } from './list.ts';
import { markNamespace } from './namespace.ts';
import { isTrue } from './query.ts';
import { dryRunErrors } from './write-options.ts';

/** DELETE of one object. apiserver pkg/endpoints/handlers.DeleteResource */
export function* deleteOne(context: RequestContext): Steps<ApiResponse> {
  const options = deleteOptionsOf(context);
  const request = withDryRun(context, options);
  const { name } = context.request.info;
  warnOfOrphans(request, options);
  const result = yield* deleteWithAdmission(request, { name, attributesName: name, options });
  const accepted = options.orphanDependents === false && !result.deleted;
  return { code: accepted ? 202 : 200, body: answer(request, name, result) };
}

/** Deletes one object with the admission that a delete needs. */
export function* deleteWithAdmission(
  context: RequestContext,
  target: { readonly name: string; readonly attributesName: string; readonly options: DeleteOptions },
): Steps<DeleteResult<KubernetesObject>> {
  const { admission } = context.server;
  assertMayGo(context, target.name);
  const { name, attributesName, options } = target;
  const check = function* (oldObject: KubernetesObject): Steps<void> {
    const attributes = { context, operation: 'DELETE', name: attributesName, oldObject, options } as const;
    yield* admission.mutate(attributes);
    yield* admission.validate(attributes);
  };
  if (context.resource.resource === 'namespaces') {
    const marked = yield* markNamespace(context as unknown as RequestContext<Namespace>, name, { options, check });
    if (marked) return marked;
  }
  if (context.resource.resource === 'customresourcedefinitions') {
    const marked = yield* markDefinition(context as unknown as RequestContext<CustomResourceDefinition>, name, { options, check });
    if (marked) return marked;
  }
  return yield* deleteObject(context, name, { options, check });
}

/** pkg/registry/scheduling/priorityclass/storage.REST.Delete */
function assertMayGo({ resource }: RequestContext, name: string): void {
  if (resource.kind !== 'PriorityClass' || !SYSTEM_PRIORITY_CLASSES.has(name)) return;
  throw newForbidden(resource, name, 'this is a system priority class and cannot be deleted');
}

const SYSTEM_PRIORITY_CLASSES = new Set(['system-node-critical', 'system-cluster-critical']);

/** DELETE of a collection. apiserver pkg/registry/generic/registry.Store.DeleteCollection */
export function* deleteCollection(context: RequestContext): Steps<ApiResponse> {
  const options = deleteOptionsOf(context);
  const request = withDryRun(context, options);
  const { query } = context.request;
  const page = listPage(request, query);
  for (const { metadata } of page.items) {
    const place = { ...request, namespace: metadata.namespace ?? '' };
    try {
      yield* deleteWithAdmission(place, { name: metadata.name ?? '', attributesName: '', options });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  const { kind } = context.resource;
  const always = customResourceVersionOf(context.resource) !== undefined;
  const metadata = { resourceVersion: String(page.revision), ...(page.continue || always ? { continue: page.continue } : {}) };
  return { code: 200, body: { kind: `${kind}List`, apiVersion: apiVersionOf(context.resource), metadata, items: page.items } };
}

function withDryRun(context: RequestContext, options: DeleteOptions): RequestContext {
  // Options in the body make the query count for nothing.
  const dryRun = Boolean(options.dryRun?.length);
  return dryRun === context.dryRun ? context : { ...context, dryRun };
}

function answer(context: RequestContext, name: string, { object, marked }: DeleteResult<KubernetesObject>): unknown {
  if (marked || context.storage.strategy.returnDeletedObject) return object;
  const { group, resource } = context.resource;
  const { uid } = object.metadata;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name, ...(group ? { group } : {}), kind: resource, ...(uid ? { uid } : {}) },
  };
}

/** The options in the body, else in the query. */
export function deleteOptionsOf(context: RequestContext): DeleteOptions {
  const { body, query, headers } = context.request;
  if (typeof body === 'string') assertMediaType(headers.contentType);
  const options = body === undefined ? optionsOfQuery(query) : optionsOfBody(body);
  const errors: FieldError[] = dryRunErrors(options.dryRun?.[0]);
  if (options.orphanDependents !== undefined && options.propagationPolicy !== undefined) {
    errors.push({
      reason: 'FieldValueInvalid',
      field: 'propagationPolicy',
      body: `Invalid value: ${JSON.stringify(options.propagationPolicy)}: orphanDependents and deletionPropagation cannot be both set`,
    });
  }
  if (options.propagationPolicy !== undefined && !['Foreground', 'Background', 'Orphan'].includes(options.propagationPolicy)) {
    errors.push({
      reason: 'FieldValueNotSupported',
      field: 'propagationPolicy',
      body: `Unsupported value: ${JSON.stringify(options.propagationPolicy)}: supported values: "Foreground", "Background", "Orphan", "nil"`,
    });
  }
  if (errors.length > 0) throw newInvalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors);
  return options;
}

/** A body that is no DeleteOptions is a plain error of the server. */
function optionsOfBody(body: unknown): DeleteOptions {
  if (body instanceof Uint8Array)
    throw new ApiStatusError({ message: 'provided data does not appear to be a protobuf message', code: 500 });
  const options = typeof body === 'string' ? parseOptions(body) : (body as DeleteOptions);
  if (options.kind === undefined || options.kind === 'DeleteOptions') return typeof body === 'string' ? typed(options) : options;
  const message = `no kind "${options.kind}" is registered for version "${options.apiVersion}" in scheme "pkg/runtime/scheme.go:110"`;
  throw new ApiStatusError({ message, code: 500 });
}

/** Values of a wrong type are an error of the server as well; unknown fields are nothing. */
function typed(options: DeleteOptions): DeleteOptions {
  const { object, error } = decode<DeleteOptions>(options, schemaOf('meta.v1.DeleteOptions'));
  if (error !== undefined) throw new ApiStatusError({ message: error, code: 500 });
  return object;
}

function parseOptions(text: string): DeleteOptions {
  try {
    return parseJson(text) as DeleteOptions;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new ApiStatusError({ message: `couldn't get version/kind; json parse error: ${error.message}`, code: 500 });
  }
}

function optionsOfQuery(query: Readonly<Record<string, string>>): DeleteOptions {
  const { gracePeriodSeconds, propagationPolicy, orphanDependents, dryRun } = query;
  if (gracePeriodSeconds && !/^[+-]?\d+$/.test(gracePeriodSeconds)) {
    throw newBadRequest(`strconv.ParseInt: parsing ${JSON.stringify(gracePeriodSeconds)}: invalid syntax`);
  }
  return {
    ...(gracePeriodSeconds ? { gracePeriodSeconds: Number(gracePeriodSeconds) } : {}),
    ...(propagationPolicy ? { propagationPolicy } : {}),
    ...(orphanDependents === undefined ? {} : { orphanDependents: isTrue(orphanDependents) }),
    ...(dryRun ? { dryRun: [dryRun] } : {}),
  };
}

function warnOfOrphans(context: RequestContext, { orphanDependents, propagationPolicy }: DeleteOptions): void {
  const { group, resource } = context.resource;
  if (group !== 'batch' || resource !== 'jobs' || orphanDependents !== undefined || propagationPolicy !== undefined) return;
  context.warnings.push(
    'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  );
}

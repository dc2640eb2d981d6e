import type { Namespace } from '../../../src/api/kinds/core-v1.ts';
import type { DeleteOptions } from '../../../src/api/kinds/meta-v1.ts';
import { newNotFound } from '../../../src/api/status-error.ts';
import { withOwnersOf } from '../managedfields/field-owners.ts';
import type { RequestContext } from '../request-context.ts';
import type { Steps } from '../steps.ts';
import { commitPut } from '../storage/commit.ts';
import { assertPreconditions, type DeleteResult, deletionFinalizers } from '../storage/delete.ts';

/**
 * The first delete of a namespace marks it; it goes when nothing holds it any more. Undefined: nothing holds it, delete it like any object.
 * pkg/registry/core/namespace/storage.REST.Delete
 */
export function* markNamespace(
  context: RequestContext<Namespace>,
  name: string,
  request: { readonly options: DeleteOptions; readonly check: (old: Namespace) => Steps<void> },
): Steps<DeleteResult<Namespace> | undefined> {
  const version = context.storage.find('', name);
  const namespace = version?.value;
  if (!version || !namespace) throw newNotFound(context.resource, name);
  const uid = request.options.preconditions?.uid ?? namespace.metadata.uid ?? '';
  assertPreconditions(
    context,
    { ...request.options, preconditions: { ...request.options.preconditions, uid } },
    { object: namespace, revision: version.revision },
  );
  if (!namespace.metadata.deletionTimestamp) {
    yield* request.check(namespace);
    return { object: mark(context, namespace, request.options), deleted: false, marked: true };
  }
  if (namespace.spec?.finalizers?.length) return { object: namespace, deleted: false, marked: true };
  return undefined;
}

function mark(context: RequestContext<Namespace>, namespace: Namespace, options: DeleteOptions): Namespace {
  const finalizers = deletionFinalizers(context, namespace.metadata, options);
  const { finalizers: _, ...metadata } = namespace.metadata;
  const object: Namespace = {
    ...namespace,
    metadata: { ...metadata, deletionTimestamp: context.server.now, ...(finalizers.length > 0 ? { finalizers } : {}) },
    status: { ...namespace.status, phase: 'Terminating' },
  };
  return context.dryRun ? withOwnersOf(object, namespace) : commitPut(context, object);
}

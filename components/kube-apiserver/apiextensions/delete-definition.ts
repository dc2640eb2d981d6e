import type { CustomResourceDefinition } from '../../../src/api/kinds/apiextensions-v1.ts';
import type { DeleteOptions } from '../../../src/api/kinds/meta-v1.ts';
import { newNotFound } from '../../../src/api/status-error.ts';
import { withOwnersOf } from '../managedfields/field-owners.ts';
import type { RequestContext } from '../request-context.ts';
import type { Steps } from '../steps.ts';
import { commitPut } from '../storage/commit.ts';
import { assertPreconditions, type DeleteResult } from '../storage/delete.ts';
import { CLEANUP_FINALIZER } from './definition-controller.ts';
import { withCondition } from './naming.ts';

/** The first delete of a definition marks it; its objects go before it does. apiextensions-apiserver pkg/registry/customresourcedefinition.REST.Delete */
export function* markDefinition(
  context: RequestContext<CustomResourceDefinition>,
  name: string,
  request: { readonly options: DeleteOptions; readonly check: (old: CustomResourceDefinition) => Steps<void> },
): Steps<DeleteResult<CustomResourceDefinition> | undefined> {
  const version = context.storage.find('', name);
  const old = version?.value;
  if (!version || !old) throw newNotFound(context.resource, name);
  assertPreconditions(context, request.options, { object: old, revision: version.revision });
  if (old.metadata.deletionTimestamp) return undefined;
  yield* request.check(old);
  const { now } = context.server;
  const finalizers = old.metadata.finalizers ?? [];
  const marked: CustomResourceDefinition = {
    ...old,
    metadata: {
      ...old.metadata,
      deletionTimestamp: now,
      finalizers: finalizers.includes(CLEANUP_FINALIZER) ? finalizers : [...finalizers, CLEANUP_FINALIZER],
    },
  };
  const condition = {
    type: 'Terminating',
    status: 'True',
    reason: 'InstanceDeletionPending',
    message: 'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
  };
  const object = withCondition(marked, condition, now);
  return { object: context.dryRun ? withOwnersOf(object, old) : commitPut(context, object), deleted: false, marked: true };
}

import type { Binding, Pod } from '../../../src/api/kinds/core-v1.ts';
import type { ApiResponse } from '../../../src/api/request.ts';
import { pods } from '../../../src/api/resources.ts';
import { ApiStatusError, newBadRequest, newConflict, newNotFound } from '../../../src/api/status-error.ts';
import type { RequestContext } from '../request-context.ts';
import type { Steps } from '../steps.ts';
import { commitPut } from '../storage/commit.ts';
import { OPTIMISTIC_LOCK_TEXT, uidPreconditionFailed } from '../storage/update.ts';
import { bodyOf } from './body.ts';
import { decodeAs } from './decode-body.ts';

const BINDING = { group: '', version: 'v1', kind: 'Binding' };

/** POST to pods/binding: the scheduler's decision. pkg/registry/core/pod/storage.BindingREST.Create */
export function* bindPod(context: RequestContext): Steps<ApiResponse> {
  const binding = decodeAs<Binding>(context, BINDING, bodyOf(context, BINDING));
  const bodyName = binding.metadata?.name ?? '';
  const name = context.request.info.name || bodyName;
  const given = binding.metadata?.name;
  if (given && given !== name) throw newBadRequest('name in URL does not match name in Binding object');
  const { kind = '', name: target } = binding.target ?? {};
  if (kind !== '' && kind !== 'Node') {
    throw new ApiStatusError({
      message: `target.kind: Unsupported value: ${JSON.stringify(kind)}: supported values: "Node", "<empty>"`,
      code: 500,
    });
  }
  if (!target) throw new ApiStatusError({ message: 'target.name: Required value', code: 500 });
  yield* context.server.admission.validate({ context, operation: 'CREATE', name, object: binding });
  const scope =
    context.resource.resource === 'pods'
      ? context
      : { ...context, resource: pods, subresource: 'binding', storage: context.server.storage(pods) };
  assignPod(scope as unknown as RequestContext<Pod>, name, binding);
  return { code: 201, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 } };
}

/** pkg/registry/core/pod/storage.BindingREST.setPodHostAndAnnotations */
function assignPod(context: RequestContext<Pod>, name: string, binding: Binding): void {
  const pod = context.storage.get(context.namespace, name);
  if (!pod) throw newNotFound(context.resource, name);
  const { uid, resourceVersion, annotations } = binding.metadata;
  const bindingResource = { group: '', resource: 'pods/binding' };
  const refuse = (why: string): ApiStatusError => newConflict(bindingResource, name, why);
  if (uid && uid !== pod.metadata.uid) {
    throw uidPreconditionFailed(context, name, { wanted: uid, present: pod.metadata.uid ?? '' });
  }
  if (resourceVersion && resourceVersion !== pod.metadata.resourceVersion) throw refuse(OPTIMISTIC_LOCK_TEXT);
  if (pod.metadata.deletionTimestamp) throw refuse(`pod ${name} is being deleted, cannot be assigned to a host`);
  if (pod.spec?.nodeName) throw refuse(`pod ${name} is already assigned to node "${pod.spec.nodeName}"`);
  if (pod.spec?.schedulingGates?.length) throw refuse(`pod ${name} has non-empty .spec.schedulingGates`);
  if (context.dryRun) return;
  const metadata = annotations ? { ...pod.metadata, annotations: { ...pod.metadata.annotations, ...annotations } } : pod.metadata;
  const spec = { ...pod.spec, nodeName: binding.target.name } as NonNullable<Pod['spec']>;
  commitPut(context, { ...pod, metadata, spec, status: withScheduled(context, pod) });
}

function withScheduled(context: RequestContext<Pod>, pod: Pod): NonNullable<Pod['status']> {
  const conditions = pod.status?.conditions ?? [];
  const present = conditions.find(({ type }) => type === 'PodScheduled');
  if (present?.status === 'True') return pod.status ?? {};
  const scheduled = {
    lastProbeTime: null as unknown as string,
    lastTransitionTime: context.server.now,
    status: 'True',
    type: 'PodScheduled',
  };
  return {
    ...pod.status,
    conditions: present ? conditions.map((condition) => (condition === present ? scheduled : condition)) : [...conditions, scheduled],
  };
}

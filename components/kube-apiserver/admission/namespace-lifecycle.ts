import { namespaces } from '../../../src/api/resources.ts';
import { ApiStatusError, newNotFound } from '../../../src/api/status-error.ts';
import type { Steps } from '../steps.ts';
import { wait } from '../steps.ts';
import type { AdmissionAttributes, AdmissionPlugin } from './chain.ts';
import { admissionForbidden } from './forbidden.ts';

const IMMORTAL = new Set(['default', 'kube-system', 'kube-public']);
/** How long a create waits for a namespace that may be about to appear. */
const MISSING_NAMESPACE_WAIT_MS = 50;

/** apiserver pkg/admission/plugin/namespace/lifecycle */
export const namespaceLifecycle: AdmissionPlugin = {
  name: 'NamespaceLifecycle',
  mutate: (attributes) => {
    const { context, operation, name } = attributes;
    const isNamespace = context.resource.resource === 'namespaces' && context.resource.group === '';
    if (isNamespace && operation === 'DELETE' && IMMORTAL.has(name))
      throw admissionForbidden(attributes, 'this namespace may not be deleted');
    if (!context.namespace || operation === 'DELETE' || isNamespace || context.resource.resource === 'localsubjectaccessreviews')
      return undefined;
    const namespace = context.server.storage(namespaces).get('', context.namespace);
    if (!namespace) return missing(attributes);
    if (operation === 'CREATE' && namespace.status?.phase === 'Terminating') throw terminating(attributes);
    return undefined;
  },
};

function* missing({ context, operation }: AdmissionAttributes): Steps<undefined> {
  const { actor } = context.server.config;
  if (operation === 'CREATE' && actor) yield* wait(actor.sleep(MISSING_NAMESPACE_WAIT_MS));
  if (!context.server.storage(namespaces).get('', context.namespace)) throw newNotFound(namespaces, context.namespace);
}

function terminating(attributes: AdmissionAttributes): ApiStatusError {
  const { namespace } = attributes.context;
  const error = admissionForbidden(attributes, `unable to create new content in namespace ${namespace} because it is being terminated`);
  const cause = { reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated`, field: 'metadata.namespace' };
  return new ApiStatusError({ ...error.status, details: { ...error.status.details, causes: [cause] } });
}

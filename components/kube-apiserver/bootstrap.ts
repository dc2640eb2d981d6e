import type { KubernetesObject } from '../../src/api/object.ts';
import type { UserInfo } from '../../src/api/request.ts';
import type { Resource } from '../../src/api/resource.ts';
import { namespaces } from '../../src/api/resources.ts';
import type { RequestContext } from './request-context.ts';
import type { ServerCore } from './server-core.ts';
import { runSteps } from './steps.ts';
import { createObject } from './storage/create.ts';

/** Who kube-apiserver is when it writes for itself. apiserver pkg/authentication/user.APIServerUser */
export const APISERVER_USER: UserInfo = { username: 'system:apiserver', groups: ['system:masters', 'system:authenticated'] };

const SYSTEM_NAMESPACES = ['kube-system', 'kube-public', 'kube-node-lease', 'default'];

/** Creates what a cluster has from its first moment, as far as it is not there. */
export function createBootstrapObjects(server: ServerCore): void {
  for (const name of SYSTEM_NAMESPACES) {
    const labels = { 'kubernetes.io/metadata.name': name };
    ensure(server, namespaces, {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
  }
}

/** Creates an object past admission, unless it exists. */
export function ensure<T extends KubernetesObject>(server: ServerCore, resource: Resource<T>, object: T): void {
  const { namespace = '', name = '' } = object.metadata;
  const storage = server.storage(resource);
  if (storage.get(namespace, name)) return;
  const context = internalContext(server, resource, namespace);
  void runSteps(createObject(context, object, function* () {}));
}

/** A request that kube-apiserver makes of itself. */
export function internalContext<T extends KubernetesObject>(
  server: ServerCore,
  resource: Resource<T>,
  namespace: string,
): RequestContext<T> {
  const { group, version, resource: plural } = resource;
  const info = {
    isResourceRequest: true,
    verb: 'create',
    path: '',
    group,
    version,
    resource: plural,
    subresource: '',
    namespace,
    name: '',
  };
  const request = { info, query: {}, headers: {}, user: APISERVER_USER, traced: server.simulation.cause };
  const { wallTime } = server.simulation;
  return {
    server,
    request,
    resource,
    storage: server.storage(resource),
    subresource: '',
    namespace,
    user: APISERVER_USER,
    dryRun: false,
    wallTime,
    warnings: [],
  };
}

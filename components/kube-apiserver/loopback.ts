import type { KubernetesObject } from '../../src/api/object.ts';
import type { ApiRequest, UserInfo } from '../../src/api/request.ts';
import type { Resource } from '../../src/api/resource.ts';
import { recordAudit } from './audit.ts';
import { trackUpdate } from './managedfields/track.ts';
import type { RequestContext } from './request-context.ts';
import type { ServerCore } from './server-core.ts';
import { Stages } from './stages.ts';
import { commitDelete, commitPut } from './storage/commit.ts';
import type { ResourceStorage } from './storage/resource-storage.ts';

/** Who kube-apiserver is when it writes through its own API. apiserver pkg/authentication/user.APIServerUser */
export const APISERVER_USER: UserInfo = { username: 'system:apiserver', groups: ['system:authenticated', 'system:masters'] };

interface LoopbackWrite<T extends KubernetesObject> {
  readonly resource: Resource<T>;
  readonly verb: 'create' | 'update' | 'patch' | 'delete';
  readonly subresource?: string;
}

/**
 * A write that kube-apiserver makes of itself while it serves another request, e.g. of the usage of a quota. It skips authorization and admission, and is
 * in the audit log like any other.
 */
export function loopbackWrite<T extends KubernetesObject>(server: ServerCore, object: T, write: LoopbackWrite<T>): T {
  const { resource, verb, subresource = '' } = write;
  const { namespace = '', name = '' } = object.metadata;
  const storage = server.storage(resource);
  const context = loopbackContext(server, { storage, object, verb, subresource });
  if (verb !== 'delete') trackUpdate(context, { live: verb === 'create' ? undefined : storage.get(namespace, name), next: object });
  const stored = verb === 'delete' ? commitDelete(context, object) : commitPut(context, object);
  const received = server.simulation.wallTime;
  recordAudit(server, context.request, { response: { code: verb === 'create' ? 201 : 200, body: stored }, received });
  return stored;
}

/** The context of a request that kube-apiserver makes of itself. */
export function loopbackContext<T extends KubernetesObject>(
  server: ServerCore,
  about: {
    readonly storage: ResourceStorage<T>;
    readonly object: T;
    readonly verb: LoopbackWrite<T>['verb'];
    readonly subresource?: string;
  },
): RequestContext<T> {
  const { storage, object, verb, subresource = '' } = about;
  const { resource } = storage;
  const { namespace = '', name = '' } = object.metadata;
  const { group, version, resource: plural } = resource;
  const info = {
    isResourceRequest: true,
    verb,
    path: '',
    group,
    version,
    resource: plural,
    subresource,
    namespace,
    name: verb === 'create' ? '' : name,
  };
  const { simulation } = server;
  const request: ApiRequest = {
    info,
    query: {},
    headers: { userAgent: 'kube-apiserver' },
    user: APISERVER_USER,
    traced: simulation.cause,
    ...(verb === 'delete' ? {} : { body: object }),
  };
  return {
    server,
    request,
    resource,
    storage,
    subresource,
    namespace,
    user: APISERVER_USER,
    dryRun: false,
    wallTime: simulation.wallTime,
    warnings: [],
    stages: new Stages(server, request),
    owners: { next: undefined },
  };
}

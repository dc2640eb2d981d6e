import type { ApiRequest, ApiResponse } from '../../src/api/request.ts';
import type { Resource } from '../../src/api/resource.ts';
import { BUILT_IN_RESOURCES, services } from '../../src/api/resources.ts';
import type { Simulation } from '../../src/sim/simulation.ts';
import type { Etcd } from '../etcd/etcd.ts';
import { AdmissionChain } from './admission/chain.ts';
import { ADMISSION_PLUGINS } from './admission/plugins.ts';
import { Aggregator } from './aggregator/aggregator.ts';
import { CustomResourceDefinitions } from './apiextensions/custom-resource-definitions.ts';
import { NodeAuthorizer } from './authorization/node.ts';
import { RbacAuthorizer } from './authorization/rbac.ts';
import { unionAuthorizer } from './authorization/union.ts';
import { bootstrapObjects, createBootstrapObjects } from './bootstrap.ts';
import type { KubeApiserverConfig } from './config.ts';
import { SystemObjects } from './controlplane/system-objects.ts';
import { type Overload, PriorityAndFairness } from './flowcontrol/priority-and-fairness.ts';
import { Handler } from './handler.ts';
import { createFetch } from './http/fetch.ts';
import { registryStrategy } from './registry/registry.ts';
import { ServerCore } from './server-core.ts';
import { ServiceHooks } from './service/service-hooks.ts';
import { conversionOf } from './storage/conversion.ts';
import { kindRules } from './storage/kind-rules.ts';
import type { Strategy } from './storage/strategy.ts';

/** A running kube-apiserver: the door to everything that the cluster knows. */
export interface KubeApiserver {
  /** Answers a request of a component in the same process. */
  handle(request: ApiRequest): ApiResponse | Promise<ApiResponse>;
  /** Answers a request over HTTP. */
  fetch(request: Request): Promise<Response>;
  /** From now on more comes than it has seats for; undefined ends it. */
  overload(overload: Overload | undefined): void;
  /** After a restart: puts back what belongs to a cluster and is not there any more. */
  runPostStartHooks(): void;
}

/**
 * Makes a kube-apiserver on a store, with the objects that a new cluster has from the start. Everything it knows is in the store: one made on the same
 * store goes on where the last one stopped.
 * @example const apiserver = createKubeApiserver({ simulation, etcd: new Etcd(), config: {} });
 */
export function createKubeApiserver(options: {
  readonly simulation: Simulation;
  readonly etcd: Etcd;
  readonly config: KubeApiserverConfig;
}): KubeApiserver {
  const server = new ServerCore(options);
  for (const resource of BUILT_IN_RESOURCES) {
    // Another form of what is stored already has no store of its own.
    if (!conversionOf(resource)) server.addStorage({ resource, strategy: strategyOf(resource) });
    server.addResource(resource);
  }
  server.admission = new AdmissionChain(ADMISSION_PLUGINS.filter(({ name }) => !options.config.disableAdmissionPlugins?.includes(name)));
  const rbac = new RbacAuthorizer(server);
  server.authorizer = unionAuthorizer([new NodeAuthorizer(server), rbac]);
  server.rulesFor = (user, namespace) => rbac.rulesFor(user, namespace);
  const objects = bootstrapObjects(server);
  createBootstrapObjects(server, objects);
  // What was before the first moment cannot be read, as in a cluster that has been compacted.
  if (options.etcd.compactRevision === 0) options.etcd.compact(options.etcd.revision);
  server.addHooks(services, new ServiceHooks(server));
  new CustomResourceDefinitions(server);
  server.aggregator = new Aggregator(server);
  const handler = new Handler(server);
  const systemObjects = new SystemObjects(server, handler, objects);
  return {
    handle: (request) => handler.handle(request),
    fetch: createFetch(server, handler),
    overload: (overload) => {
      server.flowControl ??= new PriorityAndFairness(server);
      server.flowControl.overload = overload;
    },
    runPostStartHooks: () => systemObjects.runPostStartHooks(),
  };
}

function strategyOf(resource: Resource): Strategy {
  return { ...kindRules(resource), ...registryStrategy(resource) };
}

import type { CloudProvider, InstanceMetadata } from '../../../src/api/cloud-provider.ts';
import type { Node, Service } from '../../../src/api/kinds/core-v1.ts';
import { keyOf } from '../../../src/api/object.ts';
import type { Actor } from '../../../src/sim/actor.ts';
import type { BalancedService, SimulatedCloud } from './cloud.ts';

/** How `caller` talks to the cloud: each method is a call to it over the network. */
export function simulatedProvider(caller: Actor, cloud: SimulatedCloud): CloudProvider {
  const requestMs = Math.ceil(cloud.options.latencyMs / 2);
  const ask = <T>(method: string, answer: () => T): Promise<T> => {
    const request = (): T => {
      cloud.check(method);
      return answer();
    };
    return caller.call(cloud.actor, request, { requestMs, responseMs: requestMs });
  };
  /** Calls that change something check for failures themselves: they are noted first. */
  const change = <T>(request: () => T): Promise<T> => caller.call(cloud.actor, request, { requestMs, responseMs: requestMs });
  return {
    instances: {
      instanceExists: (node) => ask('InstanceExists', () => cloud.instances.has(nameOf(node))),
      instanceShutdown: (node) => ask('InstanceShutdown', () => cloud.instance(nameOf(node)).shutdown ?? false),
      instanceMetadata: (node) => ask('InstanceMetadata', () => metadataOf(cloud, nameOf(node))),
    },
    loadBalancer: {
      getLoadBalancer: (service) => ask('GetLoadBalancer', () => cloud.loadBalancers.get(keyOf(service))?.status),
      ensureLoadBalancer: (service, nodes) => change(() => cloud.ensureLoadBalancer(balanced(service), nodes.map(nameOf))),
      updateLoadBalancer: (service, nodes) => change(() => cloud.updateLoadBalancer(keyOf(service), nodes.map(nameOf))),
      ensureLoadBalancerDeleted: (service) => change(() => cloud.deleteLoadBalancer(keyOf(service))),
    },
    routes: {
      listRoutes: () => ask('ListRoutes', () => [...cloud.routes.values()]),
      createRoute: (route) => change(() => cloud.createRoute(route)),
      deleteRoute: (route) => change(() => cloud.deleteRoute(route)),
    },
  };
}

function metadataOf(cloud: SimulatedCloud, node: string): InstanceMetadata {
  const { providerID, type, zone, region, addresses } = cloud.instance(node);
  return {
    providerID,
    nodeAddresses: addresses,
    ...(type === undefined ? {} : { instanceType: type }),
    ...(zone === undefined ? {} : { zone }),
    ...(region === undefined ? {} : { region }),
  };
}

const nameOf = ({ metadata }: Node): string => metadata.name ?? '';

function balanced({ metadata: { name = '', namespace = '' }, spec }: Service): BalancedService {
  const isLocal = spec?.externalTrafficPolicy === 'Local';
  const ports = (spec?.ports ?? []).map(({ port, nodePort = 0 }) => ({ port, nodePort, isLocal }));
  return { name, namespace, ports };
}

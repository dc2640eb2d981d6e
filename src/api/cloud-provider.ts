import type { LoadBalancerStatus, Node, NodeAddress, Service } from './kinds/core-v1.ts';

/**
 * What cloud-controller-manager asks of a cloud: k8s.io/cloud-provider Interface. Each method is a call over the network: it takes time and may reject with a
 * `CloudError`.
 */
export interface CloudProvider {
  readonly instances: Instances;
  readonly loadBalancer: LoadBalancer;
  readonly routes: Routes;
}

/** k8s.io/cloud-provider InstanceMetadata: what the cloud knows of a machine. */
export interface InstanceMetadata {
  readonly providerID: string;
  readonly instanceType?: string;
  readonly zone?: string;
  readonly region?: string;
  readonly nodeAddresses: readonly NodeAddress[];
  readonly additionalLabels?: Readonly<Record<string, string>>;
}

/** k8s.io/cloud-provider InstancesV2 */
export interface Instances {
  instanceExists(node: Node): Promise<boolean>;
  instanceShutdown(node: Node): Promise<boolean>;
  /** @throws CloudError when there is no such instance */
  instanceMetadata(node: Node): Promise<InstanceMetadata>;
}

/** k8s.io/cloud-provider LoadBalancer */
export interface LoadBalancer {
  /** Nothing when there is none for this Service. */
  getLoadBalancer(service: Service): Promise<LoadBalancerStatus | undefined>;
  /** Creates it, or makes it what the Service asks for now. */
  ensureLoadBalancer(service: Service, nodes: readonly Node[]): Promise<LoadBalancerStatus>;
  updateLoadBalancer(service: Service, nodes: readonly Node[]): Promise<void>;
  /** Does nothing when there is none. */
  ensureLoadBalancerDeleted(service: Service): Promise<void>;
}

/** k8s.io/cloud-provider Route: packets to these addresses go to that node. */
export interface Route {
  readonly name: string;
  readonly targetNode: string;
  readonly destinationCIDR: string;
}

/** k8s.io/cloud-provider Routes */
export interface Routes {
  listRoutes(): Promise<readonly Route[]>;
  createRoute(route: Omit<Route, 'name'>): Promise<void>;
  deleteRoute(route: Route): Promise<void>;
}

/** What a cloud answers when it refuses. */
export class CloudError extends Error {
  override name = 'CloudError';
}

/** k8s.io/cloud-provider InstanceNotFound */
export function instanceNotFound(): CloudError {
  return new CloudError('instance not found');
}

import { deepEqual } from '../../../src/api/deep-equal.ts';
import type { Service, ServicePort } from '../../../src/api/kinds/core-v1.ts';

/** k8s.io/cloud-provider service/helpers LoadBalancerCleanupFinalizer */
export const LOAD_BALANCER_CLEANUP_FINALIZER = 'service.kubernetes.io/load-balancer-cleanup';

/** Whether it is ours: a Service with a class is left to whoever serves that class. controllers/service/controller.go wantsLoadBalancer */
export function wantsLoadBalancer({ spec }: Service): boolean {
  return spec?.type === 'LoadBalancer' && spec.loadBalancerClass === undefined;
}

export function hasFinalizer({ metadata }: Service): boolean {
  return metadata.finalizers?.includes(LOAD_BALANCER_CLEANUP_FINALIZER) ?? false;
}

/** Whether a load balancer is to be taken away. controllers/service/controller.go needsCleanup */
export function needsCleanup(service: Service): boolean {
  return hasFinalizer(service) && (service.metadata.deletionTimestamp !== undefined || !wantsLoadBalancer(service));
}

/** Whether the cloud has to hear of the change. controllers/service/controller.go needsUpdate */
export function needsUpdate(old: Service, service: Service): boolean {
  const wanted = wantsLoadBalancer(service);
  if (wantsLoadBalancer(old) !== wanted) return true;
  return wanted && (old.metadata.uid !== service.metadata.uid || !deepEqual(whatTheCloudSees(old), whatTheCloudSees(service)));
}

function whatTheCloudSees({ metadata, spec = {} }: Service): unknown {
  return {
    annotations: metadata.annotations ?? {},
    ports: (spec.ports ?? []).map(portForLoadBalancer),
    sourceRanges: spec.loadBalancerSourceRanges ?? [],
    affinity: [spec.sessionAffinity, spec.sessionAffinityConfig ?? null],
    addresses: [spec.loadBalancerIP ?? '', spec.externalIPs ?? []],
    policy: [spec.externalTrafficPolicy ?? '', spec.healthCheckNodePort ?? 0],
    families: [spec.ipFamilies ?? [], spec.ipFamilyPolicy ?? ''],
  };
}

/** controllers/service/controller.go portEqualForLB: the target port is no matter of the load balancer, which sends to node ports. */
function portForLoadBalancer({ name = '', protocol, port, nodePort = 0 }: ServicePort): unknown {
  return [name, protocol, port, nodePort];
}

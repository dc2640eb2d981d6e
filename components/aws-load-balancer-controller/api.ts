import type { LabelSelector } from '../../src/api/kinds/meta-v1.ts';
import type { KubernetesObject } from '../../src/api/object.ts';
import { customResource } from '../../src/client/custom-resource.ts';

/** Says that the endpoints of a Service are the targets of a target group. apis/elbv2/v1beta1 TargetGroupBinding */
export interface TargetGroupBinding extends KubernetesObject {
  spec: {
    targetGroupARN: string;
    targetType: 'instance' | 'ip';
    serviceRef: { name: string; port: number | string };
    ipAddressType?: string;
    vpcID?: string;
  };
  status?: { observedGeneration?: number };
}

export const targetgroupbindings = customResource<TargetGroupBinding>({
  group: 'elbv2.k8s.aws',
  version: 'v1beta1',
  resource: 'targetgroupbindings',
  kind: 'TargetGroupBinding',
});

/** What all Ingresses of a class have in common, whatever their annotations say. apis/elbv2/v1beta1 IngressClassParams */
export interface IngressClassParams extends KubernetesObject {
  spec?: {
    group?: { name: string };
    /** Namespaces whose Ingresses may name the class. */
    namespaceSelector?: LabelSelector;
    scheme?: 'internal' | 'internet-facing';
    targetType?: 'instance' | 'ip';
  };
}

export const ingressclassparams = customResource<IngressClassParams>({
  group: 'elbv2.k8s.aws',
  version: 'v1beta1',
  resource: 'ingressclassparams',
  singular: 'ingressclassparams',
  kind: 'IngressClassParams',
  namespaced: false,
});

import type { Service } from '../../src/api/kinds/core-v1.ts';
import { BuildProblem, type Model, resourceName, type TargetGroupModel, type TargetType } from './model.ts';

const PREFIX = 'service.beta.kubernetes.io/aws-load-balancer-';
/** What a Service of ours names. */
export const LOAD_BALANCER_CLASS = 'service.k8s.aws/nlb';

/** Whether a Service is this controller's, and not cloud-controller-manager's. pkg/service serviceUtils.IsServiceSupported */
export function isOurs({ metadata, spec }: Service): boolean {
  if (spec?.type !== 'LoadBalancer') return false;
  if (spec.loadBalancerClass !== undefined) return spec.loadBalancerClass === LOAD_BALANCER_CLASS;
  return ['external', 'nlb-ip'].includes(metadata.annotations?.[`${PREFIX}type`] ?? '');
}

/** What a Service of type LoadBalancer asks for: pkg/service ModelBuilder @throws BuildProblem */
export function serviceModel({ metadata, spec }: Service): Model {
  const { namespace = '', name = '', annotations = {}, uid = '' } = metadata;
  const scheme = annotations[`${PREFIX}scheme`] ?? 'internal';
  if (scheme !== 'internal' && scheme !== 'internet-facing') throw new BuildProblem(`unknown scheme: ${scheme}`);
  const targetType = (annotations[`${PREFIX}nlb-target-type`] ?? 'instance') as TargetType;
  if (targetType !== 'instance' && targetType !== 'ip')
    throw new BuildProblem(`unsupported target type "${targetType}" for load balancer type "external"`);
  const groups = (spec?.ports ?? []).map(({ port, targetPort, nodePort }): TargetGroupModel => {
    if (targetType === 'instance' && !nodePort)
      throw new BuildProblem('unable to support instance target type with an unallocated NodePort');
    return {
      name: resourceName(namespace, name, uid, port, targetType),
      protocol: 'TCP',
      port: targetType === 'instance' ? (nodePort ?? 0) : typeof targetPort === 'number' ? targetPort : 1,
      targetType,
      service: { name, port },
    };
  });
  return {
    stack: { prefix: 'service.k8s.aws', namespace, name },
    loadBalancer: { name: resourceName(namespace, name, scheme), type: 'network', scheme },
    targetGroups: groups,
    listeners: groups.map((group) => ({
      port: Number(group.service.port),
      protocol: 'TCP',
      defaultAction: { targetGroup: group.name },
      rules: [],
    })),
  };
}

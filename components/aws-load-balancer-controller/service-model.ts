import type { Service } from '../../src/api/kinds/core-v1.ts';
import { BuildProblem, checkedName, type Model, resourceName, type TargetGroupModel, type TargetType } from './model.ts';

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
  const scheme = annotations[`${PREFIX}scheme`] ?? (annotations[`${PREFIX}internal`] === 'false' ? 'internet-facing' : 'internal');
  if (scheme !== 'internal' && scheme !== 'internet-facing') throw new BuildProblem(`unknown scheme: ${scheme}`);
  const byType = annotations[`${PREFIX}type`] === 'nlb-ip' ? 'ip' : 'instance';
  const targetType = (annotations[`${PREFIX}nlb-target-type`] ?? byType) as TargetType;
  if (targetType !== 'instance' && targetType !== 'ip')
    throw new BuildProblem(`unsupported target type "${targetType}" for load balancer type "external"`);
  const groups = (spec?.ports ?? []).map(({ port, targetPort, nodePort, protocol }): TargetGroupModel => {
    if (targetType === 'instance' && !nodePort)
      throw new BuildProblem('unable to support instance target type with an unallocated NodePort');
    return {
      name: resourceName(namespace, name, uid, port, targetType, ...(protocol === 'UDP' ? [protocol] : [])),
      protocol: protocolOf(protocol),
      port: targetType === 'instance' ? (nodePort ?? 0) : typeof targetPort === 'number' ? targetPort : 1,
      targetType,
      service: { namespace, name, port },
    };
  });
  return {
    stack: { prefix: 'service.k8s.aws', namespace, name },
    loadBalancer: {
      name: checkedName(annotations[`${PREFIX}name`]) ?? resourceName(namespace, name, scheme),
      type: 'network',
      scheme,
    },
    targetGroups: groups,
    listeners: groups.map((group) => ({
      port: Number(group.service.port),
      protocol: group.protocol,
      defaultAction: { targetGroup: group.name },
      rules: [],
    })),
  };
}

/** @throws BuildProblem for what such a load balancer does not take */
function protocolOf(protocol = 'TCP'): 'TCP' | 'UDP' {
  if (protocol !== 'TCP' && protocol !== 'UDP') throw new BuildProblem(`unsupported protocol: ${protocol}`);
  return protocol;
}

import type { Service } from '../../src/api/kinds/core-v1.ts';
import type { HTTPIngressPath, Ingress, IngressBackend } from '../../src/api/kinds/networking-v1.ts';
import {
  type ActionModel,
  BuildProblem,
  checkedName,
  type Model,
  type RuleModel,
  resourceName,
  type TargetGroupModel,
  type TargetType,
} from './model.ts';

const PREFIX = 'alb.ingress.kubernetes.io/';
const NOT_FOUND = '404';
const NO_BACKEND = '503';

/** What an Ingress asks for: pkg/ingress ModelBuilder @param serviceOf a Service of its namespace @throws BuildProblem */
export function ingressModel(ingress: Ingress, serviceOf: (name: string) => Service | undefined): Model {
  const { namespace = '', name = '', annotations = {} } = ingress.metadata;
  const scheme = annotations[`${PREFIX}scheme`] ?? 'internal';
  if (scheme !== 'internal' && scheme !== 'internet-facing') throw new BuildProblem(`unknown scheme: ${scheme}`);
  const groups = new Map<string, TargetGroupModel>();
  const actionOf = (backend: IngressBackend | undefined): ActionModel => {
    if (!backend?.service) return { fixedResponse: NOT_FOUND };
    const service = serviceOf(backend.service.name);
    // "Backend service does not exist": whoever calls is told, and the rest goes on.
    if (!service) return { fixedResponse: NO_BACKEND };
    const group = targetGroup(ingress, service, backend);
    groups.set(group.name, group);
    return { targetGroup: group.name };
  };
  const rules = (ingress.spec?.rules ?? []).flatMap(({ host, http }) =>
    [...(http?.paths ?? [])]
      .sort(byPath)
      .map((path): RuleModel => ({ ...(host ? { host } : {}), paths: patternsOf(path), action: actionOf(path.backend) })),
  );
  const defaultAction = actionOf(ingress.spec?.defaultBackend);
  return {
    stack: { prefix: 'ingress.k8s.aws', namespace, name },
    loadBalancer: {
      name: checkedName(annotations[`${PREFIX}load-balancer-name`]) ?? resourceName(namespace, name, scheme),
      type: 'application',
      scheme,
    },
    targetGroups: [...groups.values()],
    listeners: portsOf(annotations).map((port) => ({ port, protocol: 'HTTP', defaultAction, rules })),
  };
}

/** pkg/ingress modelBuildTask.buildTargetGroup @throws BuildProblem */
function targetGroup(ingress: Ingress, service: Service, { service: backend }: IngressBackend): TargetGroupModel {
  const { namespace = '', name: ingressName = '', annotations = {} } = ingress.metadata;
  const problem = (text: string): BuildProblem => new BuildProblem(`ingress: ${namespace}/${ingressName}: ${text}`);
  const own = { ...annotations, ...service.metadata.annotations };
  const targetType = (own[`${PREFIX}target-type`] ?? 'instance') as TargetType;
  if (targetType !== 'instance' && targetType !== 'ip') throw problem(`unknown targetType: ${targetType}`);
  const wanted = backend?.port?.number ?? backend?.port?.name ?? '';
  const port = service.spec?.ports?.find((each) => each.port === wanted || each.name === wanted);
  const serviceName = service.metadata.name ?? '';
  if (!port) throw problem(`unable to find port ${wanted} on service ${namespace}/${serviceName}`);
  if (targetType === 'instance' && !port.nodePort)
    throw problem("TargetGroup port is empty. When using Instance targets, your service be must of type 'NodePort' or 'LoadBalancer'");
  // A name of a port may mean another number in each pod: then any number will do.
  const targetPort = typeof port.targetPort === 'number' ? port.targetPort : port.targetPort === undefined ? port.port : 1;
  return {
    name: resourceName(namespace, serviceName, ingress.metadata.uid ?? '', service.metadata.uid ?? '', wanted, targetType),
    protocol: 'HTTP',
    port: targetType === 'ip' ? targetPort : (port.nodePort ?? 0),
    targetType,
    healthCheckPath: own[`${PREFIX}healthcheck-path`] ?? '/',
    service: { name: serviceName, port: wanted },
  };
}

/** pkg/ingress sortIngressPaths: exact ones first, then the longest. */
function byPath(one: HTTPIngressPath, other: HTTPIngressPath): number {
  const exact = Number(other.pathType === 'Exact') - Number(one.pathType === 'Exact');
  return exact || (one.pathType === 'Prefix' ? (other.path?.length ?? 0) - (one.path?.length ?? 0) : 0);
}

/** pkg/ingress modelBuildTask.buildPathPatterns */
function patternsOf({ path = '/', pathType }: HTTPIngressPath): string[] {
  if (pathType !== 'Prefix') return [path === '' ? '/*' : path];
  const base = path.replace(/\/$/, '');
  return base ? [base, `${base}/*`] : ['/*'];
}

/** `[{"HTTP": 80}, {"HTTP": 8080}]` @throws BuildProblem */
function portsOf(annotations: Readonly<Record<string, string>>): number[] {
  const text = annotations[`${PREFIX}listen-ports`];
  if (text === undefined) return [80];
  try {
    const entries = (JSON.parse(text) as Record<string, number>[]).flatMap((entry) => Object.entries(entry));
    const other = entries.find(([protocol]) => protocol !== 'HTTP');
    if (other) throw new BuildProblem(`listener ${other[1]} of protocol ${other[0]} needs a certificate, and there are none here`);
    return entries.map(([, port]) => port);
  } catch (error) {
    if (error instanceof BuildProblem) throw error;
    throw new BuildProblem(`failed to parse listen-ports configuration: \`${text}\``);
  }
}

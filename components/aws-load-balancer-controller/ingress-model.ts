import type { Service } from '../../src/api/kinds/core-v1.ts';
import type { HTTPIngressPath, IngressBackend } from '../../src/api/kinds/networking-v1.ts';
import type { ClassifiedIngress, GroupId } from './ingress-group.ts';
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

/** What is needed to build the model of a group. */
interface GroupToBuild {
  readonly id: GroupId;
  /** In their order. */
  readonly members: readonly ClassifiedIngress[];
  readonly serviceOf: (namespace: string, name: string) => Service | undefined;
}

/** What the Ingresses of a group ask for together: pkg/ingress ModelBuilder @throws BuildProblem */
export function ingressModel({ id, members, serviceOf }: GroupToBuild): Model {
  const scheme = schemeOf(members);
  const groups = new Map<string, TargetGroupModel>();
  const actionOf = (member: ClassifiedIngress, backend: IngressBackend | undefined): ActionModel => {
    if (!backend?.service) return { fixedResponse: NOT_FOUND };
    const service = serviceOf(member.ingress.metadata.namespace ?? '', backend.service.name);
    // "Backend service does not exist": whoever calls is told, and the rest goes on.
    if (!service) return { fixedResponse: NO_BACKEND };
    const group = targetGroup({ id, member, service, backend });
    groups.set(group.name, group);
    return { targetGroup: group.name };
  };
  const rulesOf = (member: ClassifiedIngress): RuleModel[] =>
    (member.ingress.spec?.rules ?? []).flatMap(({ host, http }) =>
      [...(http?.paths ?? [])]
        .sort(byPath)
        .map((path): RuleModel => ({ ...(host ? { host } : {}), paths: patternsOf(path), action: actionOf(member, path.backend) })),
    );
  const listenersBy = new Map<number, ClassifiedIngress[]>();
  for (const member of members)
    for (const port of portsOf(annotationsOf(member))) listenersBy.set(port, [...(listenersBy.get(port) ?? []), member]);
  const explicitName = agreedOn(members, 'load balancer name', (member) => annotationsOf(member)[`${PREFIX}load-balancer-name`]);
  return {
    stack: { prefix: 'ingress.k8s.aws', ...id },
    loadBalancer: {
      name: checkedName(explicitName) ?? resourceName(id.namespace, id.name, scheme),
      type: 'application',
      scheme,
    },
    listeners: [...listenersBy].map(([port, those]) => {
      const [first, ...others] = those.filter(({ ingress }) => ingress.spec?.defaultBackend);
      if (first && others.length > 0)
        throw new BuildProblem(`multiple ingress defined default backend: [${[first, ...others].map(nameOf).join(' ')}]`);
      const rules = those.flatMap(rulesOf);
      const defaultAction: ActionModel = first ? actionOf(first, first.ingress.spec?.defaultBackend) : { fixedResponse: NOT_FOUND };
      return { port, protocol: 'HTTP', defaultAction, rules };
    }),
    targetGroups: [...groups.values()],
  };
}

function annotationsOf({ ingress }: ClassifiedIngress): Readonly<Record<string, string>> {
  return ingress.metadata.annotations ?? {};
}

function nameOf({ ingress: { metadata } }: ClassifiedIngress): string {
  return `${metadata.namespace}/${metadata.name}`;
}

/** What members say must be the same for all that say it. @throws BuildProblem */
function agreedOn(
  members: readonly ClassifiedIngress[],
  what: string,
  said: (member: ClassifiedIngress) => string | undefined,
): string | undefined {
  const all = [...new Set(members.flatMap((member) => said(member) ?? []))].sort();
  if (all.length > 1) throw new BuildProblem(`conflicting ${what}: map[${all.map((each) => `${each}:{}`).join(' ')}]`);
  return all[0];
}

/** pkg/ingress modelBuildTask.buildLoadBalancerScheme */
function schemeOf(members: readonly ClassifiedIngress[]): string {
  const said = (member: ClassifiedIngress): string | undefined => member.params?.spec?.scheme ?? annotationsOf(member)[`${PREFIX}scheme`];
  const scheme = agreedOn(members, 'scheme', said) ?? 'internal';
  if (scheme !== 'internal' && scheme !== 'internet-facing') throw new BuildProblem(`unknown scheme: ${scheme}`);
  return scheme;
}

/** Where an Ingress of a group leads. */
interface Target {
  readonly id: GroupId;
  readonly member: ClassifiedIngress;
  readonly service: Service;
  readonly backend: IngressBackend;
}

/** pkg/ingress modelBuildTask.buildTargetGroup @throws BuildProblem */
function targetGroup({ id, member, service, backend: { service: backend } }: Target): TargetGroupModel {
  const { ingress, params } = member;
  const { namespace = '', name: ingressName = '', annotations = {} } = ingress.metadata;
  const problem = (text: string): BuildProblem => new BuildProblem(`ingress: ${namespace}/${ingressName}: ${text}`);
  const own = { ...annotations, ...service.metadata.annotations };
  const targetType = (params?.spec?.targetType ?? own[`${PREFIX}target-type`] ?? 'instance') as TargetType;
  if (targetType !== 'instance' && targetType !== 'ip') throw problem(`unknown targetType: ${targetType}`);
  const wanted = backend?.port?.number ?? backend?.port?.name ?? '';
  const port = service.spec?.ports?.find((each) => each.port === wanted || each.name === wanted);
  const serviceName = service.metadata.name ?? '';
  if (!port) throw problem(`unable to find port ${wanted} on service ${namespace}/${serviceName}`);
  if (targetType === 'instance' && !port.nodePort)
    throw problem("TargetGroup port is empty. When using Instance targets, your service be must of type 'NodePort' or 'LoadBalancer'");
  // An Ingress that goes to another group gets other target groups.
  const distinct = [id.namespace, id.name, ingress.metadata.uid ?? '', service.metadata.uid ?? ''];
  // A name of a port may mean another number in each pod: then any number will do.
  const targetPort = typeof port.targetPort === 'number' ? port.targetPort : port.targetPort === undefined ? port.port : 1;
  return {
    name: resourceName(namespace, serviceName, ...distinct, wanted, targetType),
    protocol: 'HTTP',
    port: targetType === 'ip' ? targetPort : (port.nodePort ?? 0),
    targetType,
    healthCheckPath: own[`${PREFIX}healthcheck-path`] ?? '/',
    service: { namespace, name: serviceName, port: wanted },
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

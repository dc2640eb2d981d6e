import { sha256 } from '../../src/api/sha256.ts';

export type TargetType = 'instance' | 'ip';

/** A target group, and which Service has its targets. */
export interface TargetGroupModel {
  readonly name: string;
  readonly protocol: 'HTTP' | 'TCP' | 'UDP';
  readonly port: number;
  readonly targetType: TargetType;
  readonly healthCheckPath?: string;
  readonly service: { readonly namespace: string; readonly name: string; readonly port: number | string };
}

/** Where a request goes: to a target group by name, or no further. */
export type ActionModel = { readonly targetGroup: string } | { readonly fixedResponse: string };

export interface RuleModel {
  readonly host?: string;
  readonly paths: readonly string[];
  readonly action: ActionModel;
}

export interface ListenerModel {
  readonly port: number;
  readonly protocol: 'HTTP' | 'TCP' | 'UDP';
  readonly defaultAction: ActionModel;
  readonly rules: readonly RuleModel[];
}

/** Whose it is: the prefix of labels (`ingress.k8s.aws`, `service.k8s.aws`), and the object, or a group of Ingresses, which has no namespace. */
export interface Stack {
  readonly prefix: string;
  readonly namespace: string;
  readonly name: string;
}

/** What there should be in AWS for the Ingresses of a group, or a Service: pkg/model/core Stack */
export interface Model {
  readonly stack: Stack;
  readonly loadBalancer: { readonly name: string; readonly type: 'application' | 'network'; readonly scheme: string };
  readonly targetGroups: readonly TargetGroupModel[];
  readonly listeners: readonly ListenerModel[];
}

/** Why a model cannot be built from what the objects say. */
export class BuildProblem extends Error {
  override name = 'BuildProblem';
}

const MAX_NAME = 32;

/** The name that an annotation gives to a load balancer. pkg/service buildLoadBalancerName, pkg/ingress buildLoadBalancerName @throws BuildProblem */
export function checkedName(name: string | undefined): string | undefined {
  if (name !== undefined && name.length > MAX_NAME) throw new BuildProblem('load balancer name cannot be longer than 32 characters');
  return name || undefined;
}

/** `k8s-namespac-name-0123456789`, or `k8s-nameofagroup-0123456789`: at most 32 characters. pkg/ingress modelBuildTask.buildLoadBalancerName */
export function resourceName(namespace: string, name: string, ...distinct: readonly (string | number)[]): string {
  const short = (text: string, length: number): string => text.replace(/[^a-zA-Z0-9]/g, '').slice(0, length);
  const digest = sha256(['kubernetes', namespace, name, ...distinct].join('/'));
  const hash = digest.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
  const readable = namespace ? `${short(namespace, 8)}-${short(name, 8)}` : short(name, 17);
  return `k8s-${readable}-${hash.slice(0, 10)}`;
}

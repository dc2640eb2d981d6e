import { sha256 } from '../../src/api/sha256.ts';

export type TargetType = 'instance' | 'ip';

/** A target group, and which Service has its targets. */
export interface TargetGroupModel {
  readonly name: string;
  readonly protocol: 'HTTP' | 'TCP' | 'UDP';
  readonly port: number;
  readonly targetType: TargetType;
  readonly healthCheckPath?: string;
  readonly service: { readonly name: string; readonly port: number | string };
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

/** What there should be in AWS for one Ingress or Service: pkg/model/core Stack */
export interface Model {
  /** Whose it is: the prefix of labels (`ingress.k8s.aws`, `service.k8s.aws`), and the object. */
  readonly stack: { readonly prefix: string; readonly namespace: string; readonly name: string };
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

/** `k8s-namespac-name-0123456789`: at most 32 characters. pkg/ingress modelBuildTask.buildLoadBalancerName */
export function resourceName(namespace: string, name: string, ...distinct: readonly (string | number)[]): string {
  const short = (text: string): string => text.replace(/[^a-zA-Z0-9]/g, '').slice(0, 8);
  const digest = sha256(['kubernetes', namespace, name, ...distinct].join('/'));
  const hash = digest.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
  return `k8s-${short(namespace)}-${short(name)}-${hash.slice(0, 10)}`;
}

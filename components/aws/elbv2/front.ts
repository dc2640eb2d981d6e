import type { BalancerTarget, Forwarding, IncomingRequest, LoadBalancers } from '../../../src/api/load-balancer.ts';
import type { Action, Listeners } from './listeners.ts';
import type { TargetGroup, TargetGroups } from './target-groups.ts';

/** A load balancer that takes requests. */
export interface ActiveBalancer {
  readonly arn: string;
  readonly name: string;
  readonly type: 'application' | 'network';
  readonly dnsName: string;
  /** One in each subnet; public ones where it faces the internet. */
  readonly addresses: readonly string[];
  /** Its own in the subnets, from which it speaks to targets. */
  readonly privateAddresses: readonly string[];
}

interface FrontParts {
  /** Those that are provisioned. */
  readonly active: () => readonly ActiveBalancer[];
  readonly listeners: Listeners;
  readonly groups: TargetGroups;
  /** The address of an instance. */
  readonly addressOf: (instanceId: string) => string | undefined;
}

/** What people see of load balancers: names, addresses, and where requests go. */
export class Front implements LoadBalancers {
  readonly #parts: FrontParts;

  constructor(parts: FrontParts) {
    this.#parts = parts;
  }

  resolve(name: string): readonly string[] | undefined {
    return this.#parts.active().find(({ dnsName }) => dnsName.toLowerCase() === name.toLowerCase())?.addresses;
  }

  forward(ip: string, request: IncomingRequest): Forwarding | undefined {
    const balancer = this.#parts
      .active()
      .find(({ addresses, privateAddresses }) => addresses.includes(ip) || privateAddresses.includes(ip));
    if (!balancer) return undefined;
    const { arn, type, name } = balancer;
    const what = `${type} load balancer ${name}`;
    const found = this.#parts.listeners.choose(arn, request);
    // Its security group lets nothing else in.
    if (!found) return { verdict: 'timeout', what: `${what}: no listener at port ${request.port}` };
    const { action, rule } = found;
    const chosen = `${what}, listener ${request.port}${rule ? `, rule ${rule}` : ''}`;
    if (action?.type === 'fixed-response') {
      const status = Number(action.statusCode ?? 200);
      return { verdict: 'answer', status, body: action.messageBody ?? '', what: `${chosen}: fixed response ${status}` };
    }
    return this.#toGroup(balancer, action, chosen);
  }

  #toGroup(balancer: ActiveBalancer, action: Action | undefined, chosen: string): Forwarding {
    const isHttp = balancer.type === 'application';
    const group = this.#parts.groups.find(action?.targetGroupArn ?? '');
    const registered = group?.targets.all ?? [];
    if (!group || registered.length === 0) {
      const what = `${chosen}: no target is registered in ${group?.name ?? 'its target group'}`;
      return isHttp
        ? { verdict: 'answer', status: 503, body: page('503 Service Temporarily Unavailable'), what }
        : { verdict: 'timeout', what };
    }
    const healthy = registered.filter((target) => group.targets.isHealthy(target));
    const used = healthy.length > 0 ? healthy : registered;
    const count = `${healthy.length} of ${registered.length} targets healthy${healthy.length > 0 ? '' : ', so all are tried'}`;
    const targets = used.flatMap((target) => this.#target(balancer, group, target));
    return { verdict: 'forward', targets, proxies: isHttp, what: `${chosen}: target group ${group.name}, ${count}` };
  }

  /** Only a network load balancer that sends to instances leaves the client's address as it is. */
  #target(
    { type, privateAddresses }: ActiveBalancer,
    { targetType }: TargetGroup,
    { id, port }: { readonly id: string; readonly port: number },
  ): BalancerTarget[] {
    const ip = targetType === 'instance' ? this.#parts.addressOf(id) : id;
    if (ip === undefined) return [];
    const [from] = privateAddresses;
    const keepsClient = type === 'network' && targetType === 'instance';
    return [{ ip, port, ...(keepsClient || from === undefined ? {} : { from }) }];
  }
}

/** What an application load balancer answers by itself. */
function page(title: string): string {
  return `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n</body>\r\n</html>\r\n`;
}

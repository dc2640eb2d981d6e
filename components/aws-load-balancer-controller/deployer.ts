import { deepEqual } from '../../src/api/deep-equal.ts';
import { ApiStatusError, isNotFound } from '../../src/api/status-error.ts';
import type { XmlElement } from '../../src/api/xml-text.ts';
import { type AwsClient, AwsError } from '../../src/client/aws-client.ts';
import type { Client } from '../../src/client/client.ts';
import { createOrUpdate } from '../../src/client/create-or-update.ts';
import { type TargetGroupBinding, targetgroupbindings } from './api.ts';
import type { ActionModel, ListenerModel, Model, RuleModel, TargetGroupModel } from './model.ts';

/** How often it is looked whether a binding is gone. */
const POLL_MS = 200;

type Elb = (action: string, parameters: Parameters<AwsClient['query']>[2]) => Promise<XmlElement>;

/** Makes what there is in AWS what a model says, and the bindings in the cluster: pkg/deploy StackDeployer */
export class Deployer {
  readonly #aws: AwsClient;
  readonly #client: Client;
  readonly #elb: Elb;

  constructor(aws: AwsClient, client: Client) {
    this.#aws = aws;
    this.#client = client;
    this.#elb = (action, parameters) => aws.query('elasticloadbalancing', action, parameters);
  }

  /** @returns the name by which the load balancer is reached */
  async deploy(model: Model): Promise<string> {
    const [subnets, vpcId] = await this.#network();
    const arns = new Map<string, string>();
    for (const group of model.targetGroups) arns.set(group.name, await this.#ensureTargetGroup(model, group, vpcId));
    const { name, type, scheme } = model.loadBalancer;
    const made = await this.#elb('CreateLoadBalancer', {
      Name: name,
      Type: type,
      Scheme: scheme,
      Subnets: subnets,
      Tags: tagsOf(model.stack),
    });
    const balancer = made.get('LoadBalancers', 'member');
    await this.#syncListeners(balancer?.text('LoadBalancerArn') ?? '', model.listeners, arns);
    for (const group of model.targetGroups) await this.#bind(model, group, { arn: arns.get(group.name) ?? '', vpcId });
    await this.#removeOthers(model, { balancer: balancer?.text('LoadBalancerArn'), groups: new Set(arns.values()) });
    return balancer?.text('DNSName') ?? '';
  }

  /** What was made for the object or the group goes, the bindings first: their targets are taken out while the groups are still there. */
  async destroy(model: Pick<Model, 'stack'>): Promise<void> {
    await this.#removeOthers(model, { balancer: undefined, groups: new Set() });
  }

  async #network(): Promise<[subnets: string[], vpcId: string]> {
    const subnets = (await this.#aws.query('ec2', 'DescribeSubnets')).items('subnetSet');
    return [subnets.map((subnet) => subnet.text('subnetId') ?? ''), subnets[0]?.text('vpcId') ?? ''];
  }

  async #ensureTargetGroup({ stack }: Model, group: TargetGroupModel, VpcId: string): Promise<string> {
    const { name, protocol, port, targetType, healthCheckPath } = group;
    const Tags = tagsOf(stack);
    const parameters = {
      Name: name,
      Protocol: protocol,
      Port: port,
      TargetType: targetType,
      VpcId,
      HealthCheckPath: healthCheckPath,
      Tags,
    };
    return (await this.#elb('CreateTargetGroup', parameters)).text('TargetGroups', 'member', 'TargetGroupArn') ?? '';
  }

  async #syncListeners(LoadBalancerArn: string, wanted: readonly ListenerModel[], arns: ReadonlyMap<string, string>): Promise<void> {
    const present = (await this.#elb('DescribeListeners', { LoadBalancerArn })).items('Listeners');
    for (const listener of present)
      if (!wanted.some(({ port }) => String(port) === listener.text('Port')))
        await this.#elb('DeleteListener', { ListenerArn: listener.text('ListenerArn') });
    for (const { port, protocol, defaultAction, rules } of wanted) {
      const DefaultActions = [parametersOf(defaultAction, arns)];
      const found = present.find((listener) => listener.text('Port') === String(port));
      let arn = found?.text('ListenerArn');
      if (!found) {
        const made = await this.#elb('CreateListener', { LoadBalancerArn, Port: port, Protocol: protocol, DefaultActions });
        arn = made.text('Listeners', 'member', 'ListenerArn');
      } else if (!deepEqual([describedAction(found.get('DefaultActions', 'member'))], DefaultActions)) {
        await this.#elb('ModifyListener', { ListenerArn: arn, DefaultActions });
      }
      if (protocol === 'HTTP') await this.#syncRules(arn ?? '', rules, arns);
    }
  }

  async #syncRules(ListenerArn: string, wanted: readonly RuleModel[], arns: ReadonlyMap<string, string>): Promise<void> {
    const present = (await this.#elb('DescribeRules', { ListenerArn })).items('Rules').filter((rule) => rule.text('IsDefault') === 'false');
    const rules = wanted.map((rule, index) => ({
      Priority: index + 1,
      Conditions: conditionsOf(rule),
      Actions: [parametersOf(rule.action, arns)],
    }));
    const described = present.map((rule) => ({
      Priority: Number(rule.text('Priority')),
      Conditions: rule.items('Conditions').map((condition) => {
        const [Field, Values] = [condition.text('Field') ?? '', condition.items('Values').map(({ content }) => content)];
        return Field === 'host-header' ? { Field, HostHeaderConfig: { Values } } : { Field, PathPatternConfig: { Values } };
      }),
      Actions: [describedAction(rule.get('Actions', 'member'))],
    }));
    for (const [index, rule] of present.entries())
      if (!rules.some((each) => deepEqual(each, described[index]))) await this.#elb('DeleteRule', { RuleArn: rule.text('RuleArn') });
    for (const rule of rules) if (!described.some((each) => deepEqual(each, rule))) await this.#elb('CreateRule', { ListenerArn, ...rule });
  }

  async #bind({ stack }: Model, group: TargetGroupModel, { arn, vpcId }: { readonly arn: string; readonly vpcId: string }): Promise<void> {
    const { namespace, ...serviceRef } = group.service;
    const labels = labelsOf({ stack });
    const spec = {
      targetGroupARN: arn,
      targetType: group.targetType,
      serviceRef,
      ipAddressType: 'ipv4',
      vpcID: vpcId,
    };
    await createOrUpdate<TargetGroupBinding>(
      { client: this.#client, resource: targetgroupbindings, wanted: { metadata: { namespace, name: group.name, labels }, spec } },
      (draft) => {
        draft.spec = spec;
      },
    );
  }

  /** What has been made for the object before and is not wanted any more. By tags: it may have been made by a controller that crashed right after that. */
  async #removeOthers(
    model: Pick<Model, 'stack'>,
    wanted: { readonly balancer: string | undefined; readonly groups: ReadonlySet<string> },
  ): Promise<void> {
    for (const binding of await this.#bindingsOf(model))
      if (!wanted.groups.has(binding.spec.targetGroupARN)) await this.#deleteBinding(binding);
    for (const LoadBalancerArn of await this.#tagged(model, 'LoadBalancer'))
      if (LoadBalancerArn !== wanted.balancer) await this.#elb('DeleteLoadBalancer', { LoadBalancerArn });
    for (const TargetGroupArn of await this.#tagged(model, 'TargetGroup'))
      if (!wanted.groups.has(TargetGroupArn)) await this.#elb('DeleteTargetGroup', { TargetGroupArn });
  }

  /** pkg/deploy/elbv2 TaggingManager */
  async #tagged({ stack }: Pick<Model, 'stack'>, kind: 'LoadBalancer' | 'TargetGroup'): Promise<string[]> {
    const all = (await this.#elb(`Describe${kind}s`, {})).items(`${kind}s`).map((each) => each.text(`${kind}Arn`) ?? '');
    if (all.length === 0) return [];
    const described = (await this.#elb('DescribeTags', { ResourceArns: all })).items('TagDescriptions');
    const isOf = (tag: XmlElement): boolean =>
      tagsOf(stack).some(({ Key, Value }) => tag.text('Key') === Key && tag.text('Value') === Value);
    return described.filter((each) => each.items('Tags').some(isOf)).map((each) => each.text('ResourceArn') ?? '');
  }

  async #bindingsOf(model: Pick<Model, 'stack'>): Promise<readonly TargetGroupBinding[]> {
    const labelSelector = Object.entries(labelsOf(model))
      .map(([key, value]) => `${key}=${value}`)
      .join(',');
    const { items } = await this.#client.resource(targetgroupbindings).list({ labelSelector });
    return items;
  }

  async #deleteBinding({ metadata: { namespace = '', name = '' } }: TargetGroupBinding): Promise<void> {
    const bindings = this.#client.resource(targetgroupbindings);
    try {
      await bindings.delete({ namespace, name });
      for (;;) {
        await bindings.get({ namespace, name });
        await this.#client.actor.sleep(POLL_MS);
      }
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

/** What AWS and kube-apiserver refuse is a reason to try again; what else goes wrong is a mistake of ours. */
export function isRefusal(error: unknown): error is Error {
  return error instanceof AwsError || error instanceof ApiStatusError;
}

function tagsOf({ prefix, namespace, name }: Model['stack']) {
  return [{ Key: `${prefix}/stack`, Value: namespace ? `${namespace}/${name}` : name }];
}

function labelsOf({ stack: { prefix, namespace, name } }: Pick<Model, 'stack'>): Record<string, string> {
  return namespace ? { [`${prefix}/stack-name`]: name, [`${prefix}/stack-namespace`]: namespace } : { [`${prefix}/stack`]: name };
}

function conditionsOf({ host, paths }: RuleModel) {
  return [
    ...(host === undefined ? [] : [{ Field: 'host-header', HostHeaderConfig: { Values: [host] } }]),
    { Field: 'path-pattern', PathPatternConfig: { Values: [...paths] } },
  ];
}

function parametersOf(action: ActionModel, arns: ReadonlyMap<string, string>) {
  if ('targetGroup' in action) return { Type: 'forward', TargetGroupArn: arns.get(action.targetGroup) ?? '' };
  return { Type: 'fixed-response', FixedResponseConfig: { StatusCode: action.fixedResponse } };
}

function describedAction(action: XmlElement | undefined): object {
  const arn = action?.text('TargetGroupArn');
  if (arn !== undefined) return { Type: 'forward', TargetGroupArn: arn };
  return { Type: 'fixed-response', FixedResponseConfig: { StatusCode: action?.text('FixedResponseConfig', 'StatusCode') ?? '' } };
}

import type { XmlValue } from '../../../src/api/xml-text.ts';
import type { Account } from '../account.ts';
import { AwsFailure } from '../aws-failure.ts';
import type { QueryParameters } from '../query-parameters.ts';
import { type Tag, tagsOf } from './tags.ts';
import { type Probe, Targets } from './targets.ts';

/** Where a listener sends what comes in. */
export interface TargetGroup {
  readonly arn: string;
  readonly name: string;
  readonly protocol: string;
  readonly port: number;
  readonly vpcId: string;
  readonly targetType: string;
  readonly healthCheckPath: string | undefined;
  readonly tags: readonly Tag[];
  readonly targets: Targets;
}

/** Target groups: where listeners send what comes in. */
export class TargetGroups {
  readonly #account: Account;
  readonly #probe: Probe;
  /** The load balancers that send to a group. */
  readonly #usersOf: (arn: string) => readonly string[];
  readonly #groups = new Map<string, TargetGroup>();

  constructor(account: Account, parts: { readonly probe: Probe; readonly usersOf: (arn: string) => readonly string[] }) {
    this.#account = account;
    this.#probe = parts.probe;
    this.#usersOf = parts.usersOf;
  }

  find(arn: string): TargetGroup | undefined {
    return this.#groups.get(arn);
  }

  get(arn: string): TargetGroup {
    const group = this.#groups.get(arn);
    if (!group) throw new AwsFailure('TargetGroupNotFound', 'One or more target groups not found');
    return group;
  }

  readonly operations: Readonly<Record<string, (parameters: QueryParameters) => XmlValue>> = {
    CreateTargetGroup: (parameters) => ({ TargetGroups: [this.#describe(this.#create(parameters))] }),
    DescribeTargetGroups: (parameters) => {
      const [names, arns] = [parameters.texts('Names'), parameters.texts('TargetGroupArns')];
      const known = [...this.#groups.values()];
      const found =
        arns.length > 0 ? arns.map((arn) => this.get(arn)) : known.filter(({ name }) => names.length === 0 || names.includes(name));
      if (names.length > found.length) throw new AwsFailure('TargetGroupNotFound', 'One or more target groups not found');
      return { TargetGroups: found.map((group) => this.#describe(group)) };
    },
    DeleteTargetGroup: (parameters) => {
      const arn = parameters.required('TargetGroupArn');
      if (this.#usersOf(arn).length > 0)
        throw new AwsFailure('ResourceInUse', `Target group '${arn}' is currently in use by a listener or a rule`);
      this.#groups.delete(arn);
      return {};
    },
    RegisterTargets: (parameters) => {
      const { targets, port } = this.get(parameters.required('TargetGroupArn'));
      targets.register(parameters.structures('Targets'), port);
      return {};
    },
    DeregisterTargets: (parameters) => {
      const { targets, port } = this.get(parameters.required('TargetGroupArn'));
      targets.deregister(parameters.structures('Targets'), port);
      return {};
    },
    DescribeTargetHealth: (parameters) => {
      const { arn, targets } = this.get(parameters.required('TargetGroupArn'));
      return targets.describeHealth(this.#usersOf(arn).length > 0);
    },
  };

  /** With the same settings the group of that name is the one that is asked for. */
  #create(parameters: QueryParameters): TargetGroup {
    const { id, region, random } = this.#account;
    const name = parameters.required('Name');
    const wanted = {
      name,
      protocol: parameters.get('Protocol') ?? 'HTTP',
      port: parameters.number('Port') ?? 80,
      vpcId: parameters.get('VpcId') ?? '',
      targetType: parameters.get('TargetType') ?? 'instance',
      healthCheckPath: parameters.get('HealthCheckPath'),
    };
    const known = [...this.#groups.values()].find((group) => group.name === name);
    if (known && (Object.keys(wanted) as (keyof typeof wanted)[]).some((field) => known[field] !== wanted[field]))
      throw new AwsFailure('DuplicateTargetGroupName', `A target group with the same name '${name}' exists, but with different settings`);
    const arn = `arn:aws:elasticloadbalancing:${region}:${id}:targetgroup/${name}/${random.hex(16)}`;
    const group = known ?? { arn, ...wanted, tags: tagsOf(parameters), targets: new Targets(this.#account, this.#probe) };
    this.#groups.set(group.arn, group);
    return group;
  }

  #describe({ arn, name, protocol, port, vpcId, targetType, healthCheckPath }: TargetGroup): XmlValue {
    return {
      TargetGroupArn: arn,
      TargetGroupName: name,
      ...{ Protocol: protocol, Port: port, VpcId: vpcId, TargetType: targetType },
      HealthCheckProtocol: protocol === 'HTTP' || healthCheckPath !== undefined ? 'HTTP' : 'TCP',
      HealthCheckPort: 'traffic-port',
      ...{ HealthCheckEnabled: true, HealthCheckIntervalSeconds: 30, HealthCheckTimeoutSeconds: protocol === 'HTTP' ? 5 : 10 },
      ...{ HealthyThresholdCount: 5, UnhealthyThresholdCount: 2 },
      HealthCheckPath: healthCheckPath,
      Matcher: healthCheckPath === undefined ? undefined : { HttpCode: '200' },
      ...{ ProtocolVersion: protocol === 'HTTP' ? 'HTTP1' : undefined, IpAddressType: 'ipv4' },
      LoadBalancerArns: this.#usersOf(arn),
    };
  }
}

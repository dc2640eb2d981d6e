import type { IncomingRequest } from '../../../src/api/load-balancer.ts';
import type { XmlValue } from '../../../src/api/xml-text.ts';
import type { Account } from '../account.ts';
import { AwsFailure } from '../aws-failure.ts';
import type { QueryParameters } from '../query-parameters.ts';

/** What is done with a request. */
export interface Action {
  readonly type: string;
  readonly targetGroupArn: string | undefined;
  readonly statusCode: string | undefined;
  readonly messageBody: string | undefined;
}

interface Condition {
  readonly field: string;
  readonly values: readonly string[];
}

interface Listener {
  readonly arn: string;
  readonly loadBalancerArn: string;
  readonly port: number;
  readonly protocol: string;
  readonly defaultActions: readonly Action[];
}

interface Rule {
  readonly arn: string;
  readonly listenerArn: string;
  readonly priority: number;
  readonly conditions: readonly Condition[];
  readonly actions: readonly Action[];
}

/** Listeners of load balancers, and the rules by which they choose a target group. */
export class Listeners {
  readonly #account: Account;
  readonly #listeners = new Map<string, Listener>();
  readonly #rules = new Map<string, Rule>();

  constructor(account: Account) {
    this.#account = account;
  }

  /** The load balancers that send to a target group. */
  usersOf(targetGroupArn: string): string[] {
    const sends = (actions: readonly Action[]): boolean => actions.some((action) => action.targetGroupArn === targetGroupArn);
    const balancers = [...this.#listeners.values()].flatMap(({ arn, loadBalancerArn, defaultActions }) =>
      sends(defaultActions) || this.#rulesOf(arn).some(({ actions }) => sends(actions)) ? [loadBalancerArn] : [],
    );
    return [...new Set(balancers)];
  }

  /** What the listener at the request's port does with it, by the first rule that fits; undefined when there is no listener. */
  choose(loadBalancerArn: string, request: IncomingRequest): { readonly action: Action | undefined; readonly rule?: number } | undefined {
    const listener = this.#of(loadBalancerArn).find(({ port }) => port === request.port);
    if (!listener) return undefined;
    const rule = this.#rulesOf(listener.arn)
      .sort((one, other) => one.priority - other.priority)
      .find(({ conditions }) => conditions.every((condition) => fits(condition, request)));
    return rule ? { action: rule.actions[0], rule: rule.priority } : { action: listener.defaultActions[0] };
  }

  /** Everything goes with its load balancer. */
  deleteOf(loadBalancerArn: string): void {
    for (const listener of this.#of(loadBalancerArn)) this.#delete(listener);
  }

  readonly operations: Readonly<Record<string, (parameters: QueryParameters) => XmlValue>> = {
    CreateListener: (parameters) => ({ Listeners: [describeListener(this.#create(parameters))] }),
    DescribeListeners: (parameters) => ({ Listeners: this.#of(parameters.required('LoadBalancerArn')).map(describeListener) }),
    ModifyListener: (parameters) => {
      const before = this.#get(parameters);
      const listener = { ...before, defaultActions: actionsOf(parameters, 'DefaultActions') };
      this.#listeners.set(before.arn, listener);
      return { Listeners: [describeListener(listener)] };
    },
    DeleteListener: (parameters) => {
      this.#delete(this.#get(parameters));
      return {};
    },
    CreateRule: (parameters) => ({ Rules: [describeRule(this.#createRule(parameters))] }),
    DescribeRules: (parameters) => {
      const listener = this.#get(parameters);
      const last = {
        RuleArn: `${listener.arn}/default`,
        Priority: 'default',
        IsDefault: true,
        Actions: listener.defaultActions.map(describeAction),
      };
      const rules = this.#rulesOf(listener.arn).sort((one, other) => one.priority - other.priority);
      return { Rules: [...rules.map(describeRule), last] };
    },
    DeleteRule: (parameters) => {
      if (!this.#rules.delete(parameters.required('RuleArn'))) throw new AwsFailure('RuleNotFound', 'One or more rules not found');
      return {};
    },
  };

  #create(parameters: QueryParameters): Listener {
    const loadBalancerArn = parameters.required('LoadBalancerArn');
    const port = parameters.number('Port') ?? 80;
    if (this.#of(loadBalancerArn).some((listener) => listener.port === port))
      throw new AwsFailure('DuplicateListener', 'A listener already exists on this port for this load balancer');
    const arn = `${loadBalancerArn.replace(':loadbalancer/', ':listener/')}/${this.#account.random.hex(16)}`;
    const protocol = parameters.get('Protocol') ?? 'HTTP';
    const listener = { arn, loadBalancerArn, port, protocol, defaultActions: actionsOf(parameters, 'DefaultActions') };
    this.#listeners.set(arn, listener);
    return listener;
  }

  #createRule(parameters: QueryParameters): Rule {
    const { arn: listenerArn } = this.#get(parameters);
    const priority = parameters.number('Priority') ?? 1;
    if (this.#rulesOf(listenerArn).some((rule) => rule.priority === priority))
      throw new AwsFailure('PriorityInUse', `Priority '${priority}' is currently in use`);
    const arn = `${listenerArn.replace(':listener/', ':listener-rule/')}/${this.#account.random.hex(16)}`;
    const conditions = parameters.structures('Conditions').map((condition) => {
      const field = condition.required('Field');
      const config = { 'host-header': 'HostHeaderConfig', 'path-pattern': 'PathPatternConfig' }[field] ?? '';
      return { field, values: condition.structure(config).texts('Values') };
    });
    const rule = { arn, listenerArn, priority, conditions, actions: actionsOf(parameters, 'Actions') };
    this.#rules.set(arn, rule);
    return rule;
  }

  #get(parameters: QueryParameters): Listener {
    const listener = this.#listeners.get(parameters.required('ListenerArn'));
    if (!listener) throw new AwsFailure('ListenerNotFound', 'One or more listeners not found');
    return listener;
  }

  #delete({ arn }: Listener): void {
    for (const rule of this.#rulesOf(arn)) this.#rules.delete(rule.arn);
    this.#listeners.delete(arn);
  }

  #of(loadBalancerArn: string): Listener[] {
    return [...this.#listeners.values()].filter((listener) => listener.loadBalancerArn === loadBalancerArn);
  }

  #rulesOf(listenerArn: string): Rule[] {
    return [...this.#rules.values()].filter((rule) => rule.listenerArn === listenerArn);
  }
}

/** One of the values; `*` stands for any characters and `?` for one. Names of hosts are the same in capitals. */
function fits({ field, values }: Condition, { host, path = '/' }: IncomingRequest): boolean {
  const isHost = field === 'host-header';
  const given = isHost ? host.split(':')[0] : path.split('?')[0];
  return values.some((value) => {
    const pattern = value
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.');
    return new RegExp(`^${pattern}$`, isHost ? 'i' : '').test(given ?? '');
  });
}

function actionsOf(parameters: QueryParameters, name: string): Action[] {
  return parameters.structures(name).map((action) => ({
    type: action.required('Type'),
    targetGroupArn: action.get('TargetGroupArn'),
    statusCode: action.structure('FixedResponseConfig').get('StatusCode'),
    messageBody: action.structure('FixedResponseConfig').get('MessageBody'),
  }));
}

function describeListener({ arn, loadBalancerArn, port, protocol, defaultActions }: Listener): XmlValue {
  return {
    ListenerArn: arn,
    LoadBalancerArn: loadBalancerArn,
    Port: port,
    Protocol: protocol,
    DefaultActions: defaultActions.map(describeAction),
  };
}

function describeRule({ arn, priority, conditions, actions }: Rule): XmlValue {
  return {
    RuleArn: arn,
    Priority: String(priority),
    IsDefault: false,
    Conditions: conditions.map(({ field, values }) => ({ Field: field, Values: values })),
    Actions: actions.map(describeAction),
  };
}

function describeAction({ type, targetGroupArn, statusCode, messageBody }: Action): XmlValue {
  return {
    Type: type,
    TargetGroupArn: targetGroupArn,
    FixedResponseConfig: statusCode === undefined ? undefined : { StatusCode: statusCode, MessageBody: messageBody },
  };
}

import type { LoadBalancer } from '../../src/api/cloud-provider.ts';
import type { LoadBalancerStatus, Node, Service, ServicePort } from '../../src/api/kinds/core-v1.ts';
import { type AwsClient, AwsError } from '../../src/client/aws-client.ts';
import { cloudCall } from './provider.ts';

const MAX_NAME = 32;

/** Load balancers for Services that no other controller looks after: one that takes connections for the nodes. k8s.io/cloud-provider-aws pkg/providers/v1 EnsureLoadBalancer */
export function awsLoadBalancers(aws: AwsClient): LoadBalancer {
  const elb = (action: string, parameters: Parameters<AwsClient['query']>[2]) => aws.query('elasticloadbalancing', action, parameters);

  const find = async (service: Service): Promise<{ arn: string; status: LoadBalancerStatus } | undefined> => {
    try {
      const found = (await elb('DescribeLoadBalancers', { Names: [nameOf(service)] })).get('LoadBalancers', 'member');
      return { arn: found?.text('LoadBalancerArn') ?? '', status: { ingress: [{ hostname: found?.text('DNSName') ?? '' }] } };
    } catch (error) {
      if (error instanceof AwsError && error.code === 'LoadBalancerNotFound') return undefined;
      throw error;
    }
  };

  const setTargets = async (service: Service, nodes: readonly Node[]): Promise<void> => {
    const wanted = nodes.map(({ spec }) => spec?.providerID?.split('/').at(-1) ?? '');
    for (const port of service.spec?.ports ?? []) {
      const TargetGroupArn = await ensureGroup(service, port);
      const health = await elb('DescribeTargetHealth', { TargetGroupArn });
      const present = health.items('TargetHealthDescriptions').map((target) => target.text('Target', 'Id') ?? '');
      const [added, removed] = [wanted.filter((id) => !present.includes(id)), present.filter((id) => !wanted.includes(id))];
      const targets = (ids: readonly string[]) => ids.map((Id) => ({ Id, Port: port.nodePort ?? 0 }));
      if (added.length > 0) await elb('RegisterTargets', { TargetGroupArn, Targets: targets(added) });
      if (removed.length > 0) await elb('DeregisterTargets', { TargetGroupArn, Targets: targets(removed) });
    }
  };

  const ensureGroup = async (service: Service, { port, nodePort = 0 }: ServicePort): Promise<string> => {
    const [subnet] = (await aws.query('ec2', 'DescribeSubnets')).items('subnetSet');
    const VpcId = subnet?.text('vpcId') ?? '';
    const group = { Name: groupName(service, port), Protocol: 'TCP', Port: nodePort, VpcId, TargetType: 'instance' };
    return (await elb('CreateTargetGroup', group)).text('TargetGroups', 'member', 'TargetGroupArn') ?? '';
  };

  const ensure = async (service: Service, nodes: readonly Node[]): Promise<LoadBalancerStatus> => {
    const subnets = (await aws.query('ec2', 'DescribeSubnets')).items('subnetSet').map((subnet) => subnet.text('subnetId') ?? '');
    await elb('CreateLoadBalancer', { Name: nameOf(service), Type: 'network', Scheme: 'internet-facing', Subnets: subnets });
    const found = await find(service);
    const listeners = (await elb('DescribeListeners', { LoadBalancerArn: found?.arn })).items('Listeners').map((each) => each.text('Port'));
    await setTargets(service, nodes);
    for (const port of service.spec?.ports ?? []) {
      if (listeners.includes(String(port.port))) continue;
      const DefaultActions = [{ Type: 'forward', TargetGroupArn: await ensureGroup(service, port) }];
      await elb('CreateListener', { LoadBalancerArn: found?.arn, Port: port.port, Protocol: 'TCP', DefaultActions });
    }
    return found?.status ?? {};
  };

  const remove = async (service: Service): Promise<void> => {
    const found = await find(service);
    if (!found) return;
    await elb('DeleteLoadBalancer', { LoadBalancerArn: found.arn });
    for (const port of service.spec?.ports ?? []) await elb('DeleteTargetGroup', { TargetGroupArn: await ensureGroup(service, port) });
  };

  return {
    getLoadBalancer: async (service) => (await cloudCall(find(service)))?.status,
    ensureLoadBalancer: (service, nodes) => cloudCall(ensure(service, nodes)),
    updateLoadBalancer: (service, nodes) => cloudCall(setTargets(service, nodes)),
    ensureLoadBalancerDeleted: (service) => cloudCall(remove(service)),
  };
}

/** k8s.io/cloud-provider DefaultLoadBalancerName */
function nameOf({ metadata }: Service): string {
  return `a${(metadata.uid ?? '').replaceAll('-', '')}`.slice(0, MAX_NAME);
}

function groupName({ metadata }: Service, port: number): string {
  return `k8s-${(metadata.uid ?? '').replaceAll('-', '').slice(0, 20)}-${port}`.slice(0, MAX_NAME);
}

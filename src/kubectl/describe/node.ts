import { humanDuration } from '../../api/human-duration.ts';
import type { Container, Node, Pod } from '../../api/kinds/core-v1.ts';
import { parseQuantity, type Quantity } from '../../api/quantity.ts';
import { leases, pods } from '../../api/resources.ts';
import { parseTime } from '../../api/time.ts';
import type { CommandContext } from '../command.ts';
import { errorText } from '../kubectl-error.ts';
import { type DescribeWriter, longTime } from './describe-writer.ts';
import { describeEvents } from './events.ts';

const ROLE = 'node-role.kubernetes.io/';

/** kubectl pkg/describe NodeDescriber */
export async function describeNode(context: CommandContext, writer: DescribeWriter, node: Node): Promise<void> {
  const { metadata, spec, status } = node;
  const roles = Object.keys(metadata.labels ?? {})
    .filter((key) => key.startsWith(ROLE))
    .map((key) => key.slice(ROLE.length))
    .sort();
  writer.field(0, 'Name', metadata.name);
  writer.field(0, 'Roles', roles.join(',') || '<none>');
  writer.map(0, 'Labels', metadata.labels);
  writer.annotations(0, 'Annotations', metadata.annotations);
  writer.field(0, 'CreationTimestamp', longTime(metadata.creationTimestamp));
  const taints = (spec?.taints ?? []).map(({ key, value, effect }) => `${key}${value ? `=${value}` : ''}:${effect}`).sort();
  if (!taints.length) writer.field(0, 'Taints', '<none>');
  for (const [index, text] of taints.entries()) writer.line(0, `${index ? '' : 'Taints:'}\t${text}`);
  writer.field(0, 'Unschedulable', String(spec?.unschedulable ?? false));
  await describeLease(context, writer, metadata.name ?? '');
  if (status?.conditions?.length) {
    writer.line(0, 'Conditions:\n  Type\tStatus\tLastHeartbeatTime\tLastTransitionTime\tReason\tMessage');
    writer.line(1, '----\t------\t-----------------\t------------------\t------\t-------');
    for (const each of status.conditions)
      writer.line(
        1,
        `${each.type} \t${each.status} \t${longTime(each.lastHeartbeatTime)} \t${longTime(each.lastTransitionTime)} \t${each.reason} \t${each.message}`,
      );
  }
  writer.line(0, 'Addresses:');
  for (const { type, address } of status?.addresses ?? []) writer.field(1, type, address);
  for (const [label, list] of [
    ['Capacity', status?.capacity],
    ['Allocatable', status?.allocatable],
  ] as const) {
    if (!Object.keys(list ?? {}).length) continue;
    writer.line(0, `${label}:`);
    for (const [name, quantity] of Object.entries(list ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))) writer.field(1, name, quantity);
  }
  describeSystem(writer, node);
  await describePods(context, writer, node);
  await describeEvents(context, writer, node);
}

async function describeLease(context: CommandContext, writer: DescribeWriter, name: string): Promise<void> {
  try {
    const { spec } = await context.client.resource(leases).get({ namespace: 'kube-node-lease', name });
    writer.line(0, 'Lease:');
    writer.field(1, 'HolderIdentity', spec?.holderIdentity ?? '<unset>');
    writer.field(1, 'AcquireTime', spec?.acquireTime ? longTime(spec.acquireTime) : '<unset>');
    writer.field(1, 'RenewTime', spec?.renewTime ? longTime(spec.renewTime) : '<unset>');
  } catch (error) {
    writer.field(0, 'Lease', `Failed to get lease: ${errorText(error).replace(/^Error from server \(\w+\): /, '')}`);
  }
}

function describeSystem(writer: DescribeWriter, { spec, status }: Node): void {
  const info = status?.nodeInfo;
  writer.line(0, 'System Info:');
  for (const [label, value] of [
    ['Machine ID', info?.machineID],
    ['System UUID', info?.systemUUID],
    ['Boot ID', info?.bootID],
    ['Kernel Version', info?.kernelVersion],
    ['OS Image', info?.osImage],
    ['Operating System', info?.operatingSystem],
    ['Architecture', info?.architecture],
    ['Container Runtime Version', info?.containerRuntimeVersion],
    ['Kubelet Version', info?.kubeletVersion],
    ['Kube-Proxy Version', info?.kubeProxyVersion],
  ] as const)
    writer.field(1, label, value ?? '');
  if (spec?.podCIDR) writer.field(0, 'PodCIDR', spec.podCIDR);
  if (spec?.podCIDRs?.length) writer.field(0, 'PodCIDRs', spec.podCIDRs.join(','));
  if (spec?.providerID) writer.field(0, 'ProviderID', spec.providerID);
}

type List = 'requests' | 'limits';

async function describePods(context: CommandContext, writer: DescribeWriter, { metadata, status }: Node): Promise<void> {
  const fieldSelector = `spec.nodeName=${metadata.name},status.phase!=Succeeded,status.phase!=Failed`;
  const { items } = await context.client.resource(pods).list({ fieldSelector });
  const allocatable = status?.allocatable ?? status?.capacity ?? {};
  const share = (amount: Quantity, resource: string): string => {
    const whole = allocatable[resource] === undefined ? 0 : parseQuantity(String(allocatable[resource])).milliValue();
    return `${amount.toString()} (${whole === 0 ? 0 : Math.trunc((amount.milliValue() * 100) / whole)}%)`;
  };
  writer.line(0, `Non-terminated Pods:\t(${items.length} in total)`);
  writer.line(1, 'Namespace\tName\t\tCPU Requests\tCPU Limits\tMemory Requests\tMemory Limits\tAge');
  writer.line(1, '---------\t----\t\t------------\t----------\t---------------\t-------------\t---');
  const now = context.client.actor.simulation.wallTime;
  for (const pod of items) {
    const cells = (['cpu', 'memory'] as const).flatMap((resource) =>
      (['requests', 'limits'] as const).map((list) => share(podAmount(pod, list, resource), resource)),
    );
    const age = humanDuration(now - (parseTime(pod.metadata.creationTimestamp ?? '') ?? now));
    writer.line(1, `${pod.metadata.namespace}\t${pod.metadata.name}\t\t${cells.join('\t')}\t${age}`);
  }
  writer.line(0, 'Allocated resources:\n  (Total limits may be over 100 percent, i.e., overcommitted.)');
  writer.line(1, 'Resource\tRequests\tLimits');
  writer.line(1, '--------\t--------\t------');
  const extended = Object.keys(allocatable)
    .filter((name) => name.includes('/') || name.startsWith('hugepages-'))
    .sort();
  for (const resource of ['cpu', 'memory', 'ephemeral-storage', ...extended]) {
    const [requests, limits] = (['requests', 'limits'] as const).map((list) =>
      items.reduce((sum, pod) => sum.add(podAmount(pod, list, resource)), parseQuantity('0')),
    );
    if (!requests || !limits) continue;
    writer.line(
      1,
      resource.includes('/')
        ? `${resource}\t${requests.toString()}\t${limits.toString()}`
        : `${resource}\t${share(requests, resource)}\t${share(limits, resource)}`,
    );
  }
}

/** What a pod asks for: the sum of its containers, or the largest init container if that is more. component-helpers resource.PodRequests */
function podAmount({ spec }: Pod, list: List, resource: string): Quantity {
  const of = ({ resources }: Container): Quantity => parseQuantity(String(resources?.[list]?.[resource] ?? '0'));
  const sum = (spec?.containers ?? []).reduce((total, container) => total.add(of(container)), parseQuantity('0'));
  return (spec?.initContainers ?? []).map(of).reduce((most, each) => (each.compare(most) > 0 ? each : most), sum);
}

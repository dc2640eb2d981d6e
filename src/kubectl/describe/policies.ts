import type { Endpoints } from '../../api/kinds/core-v1.ts';
import type { LabelSelector } from '../../api/kinds/meta-v1.ts';
import type { NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from '../../api/kinds/networking-v1.ts';
import type { PriorityClass } from '../../api/kinds/scheduling-v1.ts';
import type { StorageClass } from '../../api/kinds/storage-v1.ts';
import { labelSelectorAsSelector } from '../../api/label-selector.ts';
import type { CommandContext } from '../command.ts';
import { describeHead } from './config.ts';
import type { DescribeWriter } from './describe-writer.ts';
import { describeEvents } from './events.ts';

/** All annotations in one cell, what `apply` keeps among them: apimachinery labels.FormatLabels */
function labelsText(map: Readonly<Record<string, string>> | undefined): string {
  const entries = Object.entries(map ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, value]) => `${key}=${value}`).join(',') || '<none>';
}

/** kubectl pkg/describe PriorityClassDescriber */
export async function describePriorityClass(context: CommandContext, writer: DescribeWriter, priority: PriorityClass): Promise<void> {
  writer.field(0, 'Name', priority.metadata.name);
  writer.field(0, 'Value', priority.value);
  writer.field(0, 'GlobalDefault', String(priority.globalDefault ?? false));
  writer.field(0, 'PreemptionPolicy', priority.preemptionPolicy);
  writer.field(0, 'Description', priority.description);
  writer.field(0, 'Annotations', labelsText(priority.metadata.annotations));
  await describeEvents(context, writer, priority);
}

/** kubectl pkg/describe StorageClassDescriber */
export async function describeStorageClass(context: CommandContext, writer: DescribeWriter, storage: StorageClass): Promise<void> {
  const { metadata, mountOptions = [] } = storage;
  const isDefault = ['storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'].some(
    (key) => metadata.annotations?.[key] === 'true',
  );
  writer.field(0, 'Name', metadata.name);
  writer.field(0, 'IsDefaultClass', isDefault ? 'Yes' : 'No');
  writer.field(0, 'Annotations', labelsText(metadata.annotations));
  writer.field(0, 'Provisioner', storage.provisioner);
  writer.field(0, 'Parameters', labelsText(storage.parameters));
  writer.field(0, 'AllowVolumeExpansion', storage.allowVolumeExpansion === undefined ? '<unset>' : goBoolean(storage.allowVolumeExpansion));
  if (mountOptions.length) writer.line(0, 'MountOptions:');
  else writer.field(0, 'MountOptions', '<none>');
  for (const option of mountOptions) writer.line(1, option);
  writer.field(0, 'ReclaimPolicy', storage.reclaimPolicy);
  writer.field(0, 'VolumeBindingMode', storage.volumeBindingMode);
  if (storage.allowedTopologies?.length) {
    writer.line(0, 'AllowedTopologies:');
    for (const [index, term] of storage.allowedTopologies.entries()) {
      writer.line(1, `Term ${index}:`);
      for (const { key, values } of term.matchLabelExpressions ?? []) writer.line(2, `${key} in [${values.join(', ')}]`);
    }
  }
  await describeEvents(context, writer, storage);
}

const goBoolean = (value: boolean): string => (value ? 'True' : 'False');

/** kubectl pkg/describe EndpointsDescriber */
export async function describeEndpoints(context: CommandContext, writer: DescribeWriter, endpoints: Endpoints): Promise<void> {
  describeHead(writer, endpoints);
  writer.line(0, 'Subsets:');
  for (const { addresses = [], notReadyAddresses = [], ports = [] } of endpoints.subsets ?? []) {
    writer.field(1, 'Addresses', addresses.map(({ ip }) => ip).join(',') || '<none>');
    writer.field(1, 'NotReadyAddresses', notReadyAddresses.map(({ ip }) => ip).join(',') || '<none>');
    if (ports.length) {
      writer.line(1, 'Ports:');
      writer.line(2, 'Name\tPort\tProtocol');
      writer.line(2, '----\t----\t--------');
      for (const { name, port, protocol } of ports) writer.line(2, `${name ?? '<unset>'}\t${port}\t${protocol ?? 'TCP'}`);
    }
    writer.line(0, '');
  }
  await describeEvents(context, writer, endpoints);
}

/** kubectl pkg/describe NetworkPolicyDescriber */
export async function describeNetworkPolicy(_context: CommandContext, writer: DescribeWriter, policy: NetworkPolicy): Promise<void> {
  const { metadata, spec } = policy;
  writer.field(0, 'Name', metadata.name);
  writer.field(0, 'Namespace', metadata.namespace);
  const created = metadata.creationTimestamp?.replace('T', ' ').replace('Z', ' +0000 UTC');
  writer.field(0, 'Created on', created);
  writer.map(0, 'Labels', metadata.labels);
  writer.annotations(0, 'Annotations', metadata.annotations);
  writer.line(0, 'Spec:');
  const everything = '<none> (Allowing the specific traffic to all pods in this namespace)';
  const chosen = selectorText(spec?.podSelector);
  writer.line(1, `PodSelector:     ${chosen === '<none>' ? everything : chosen}`);
  const types = spec?.policyTypes ?? [];
  describeRules(writer, {
    heading: 'Allowing ingress traffic:',
    isolated: types.includes('Ingress') ? '<none> (Selected pods are isolated for ingress connectivity)' : undefined,
    way: 'From',
    otherwise: 'Not affecting ingress traffic',
    rules: (spec?.ingress ?? []).map(({ from = [], ports = [] }) => ({ peers: from, ports })),
  });
  describeRules(writer, {
    heading: 'Allowing egress traffic:',
    isolated: types.includes('Egress') ? '<none> (Selected pods are isolated for egress connectivity)' : undefined,
    way: 'To',
    otherwise: 'Not affecting egress traffic',
    rules: (spec?.egress ?? []).map(({ to = [], ports = [] }) => ({ peers: to, ports })),
  });
  writer.line(1, `Policy Types: ${types.join(', ')}`);
}

interface Rules {
  readonly heading: string;
  /** What is said where the policy is about this direction and has no rule. */
  readonly isolated: string | undefined;
  readonly otherwise: string;
  readonly way: 'From' | 'To';
  readonly rules: readonly { readonly peers: readonly NetworkPolicyPeer[]; readonly ports: readonly NetworkPolicyPort[] }[];
}

function describeRules(writer: DescribeWriter, { heading, isolated, otherwise, way, rules }: Rules): void {
  if (!isolated) {
    writer.line(1, otherwise);
    return;
  }
  writer.line(1, heading);
  if (!rules.length) writer.line(2, isolated);
  for (const [index, { peers, ports }] of rules.entries()) {
    if (!ports.length) writer.line(2, 'To Port: <any> (traffic allowed to all ports)');
    for (const { port, protocol = 'TCP' } of ports) writer.line(2, `To Port: ${port === undefined ? '<any>' : port}/${protocol}`);
    if (!peers.length) writer.line(2, `${way}: <any> (traffic not restricted by ${way === 'From' ? 'source' : 'destination'})`);
    for (const peer of peers) describePeer(writer, way, peer);
    if (index < rules.length - 1) writer.line(2, '----------');
  }
}

function describePeer(writer: DescribeWriter, way: 'From' | 'To', { podSelector, namespaceSelector, ipBlock }: NetworkPolicyPeer): void {
  writer.line(2, `${way}:`);
  if (namespaceSelector) writer.line(3, `NamespaceSelector: ${selectorText(namespaceSelector)}`);
  if (podSelector) writer.line(3, `PodSelector: ${selectorText(podSelector)}`);
  if (!ipBlock) return;
  writer.line(3, 'IPBlock:');
  writer.line(4, `CIDR: ${ipBlock.cidr}`);
  writer.line(4, `Except: ${(ipBlock.except ?? []).join(', ')}`);
}

function selectorText(selector: LabelSelector | undefined): string {
  return labelSelectorAsSelector(selector ?? {}).toString() || '<none>';
}

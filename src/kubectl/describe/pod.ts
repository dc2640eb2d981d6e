import { humanDuration } from '../../api/human-duration.ts';
import type { Pod, PodTemplateSpec, Toleration, Volume } from '../../api/kinds/core-v1.ts';
import { parseTime } from '../../api/time.ts';
import type { CommandContext } from '../command.ts';
import { describeContainers } from './containers.ts';
import { type DescribeWriter, longTime } from './describe-writer.ts';
import { describeEvents } from './events.ts';

/** kubectl pkg/describe PodDescriber */
export async function describePod(context: CommandContext, writer: DescribeWriter, pod: Pod): Promise<void> {
  const { metadata, spec, status = {} } = pod;
  writer.field(0, 'Name', metadata.name);
  writer.field(0, 'Namespace', metadata.namespace);
  writer.field(0, 'Priority', spec?.priority ?? 0);
  if (spec?.priorityClassName) writer.field(0, 'Priority Class Name', spec.priorityClassName);
  if (spec?.runtimeClassName) writer.field(0, 'Runtime Class Name', spec.runtimeClassName);
  if (spec?.serviceAccountName) writer.field(0, 'Service Account', spec.serviceAccountName);
  writer.field(0, 'Node', spec?.nodeName ? `${spec.nodeName}/${status.hostIP ?? ''}` : '<none>');
  if (status.startTime) writer.field(0, 'Start Time', longTime(status.startTime));
  writer.map(0, 'Labels', metadata.labels);
  writer.annotations(0, 'Annotations', metadata.annotations);
  describePhase(context, writer, pod);
  const ips = (status.podIPs ?? []).map(({ ip }) => ip);
  writer.field(0, 'IP', status.podIP ?? '');
  if (!ips.length) writer.field(0, 'IPs', '<none>');
  else {
    writer.line(0, 'IPs:');
    for (const ip of ips) writer.field(1, 'IP', ip);
  }
  const controller = metadata.ownerReferences?.find((owner) => owner.controller);
  if (controller) writer.field(0, 'Controlled By', `${controller.kind}/${controller.name}`);
  if (status.nominatedNodeName) writer.field(0, 'NominatedNodeName', status.nominatedNodeName);
  if (spec?.initContainers?.length)
    describeContainers(writer, {
      label: 'Init Containers',
      containers: spec.initContainers,
      statuses: status.initContainerStatuses,
      pod,
      level: 0,
    });
  describeContainers(writer, { label: 'Containers', containers: spec?.containers, statuses: status.containerStatuses, pod, level: 0 });
  if (spec?.readinessGates?.length) {
    writer.line(0, 'Readiness Gates:\n  Type\tStatus');
    for (const { conditionType } of spec.readinessGates)
      writer.line(1, `${conditionType} \t${status.conditions?.find(({ type }) => type === conditionType)?.status ?? '<none>'} `);
  }
  if (status.conditions?.length) {
    writer.line(0, 'Conditions:\n  Type\tStatus');
    for (const { type, status: value } of status.conditions) writer.line(1, `${type} \t${value} `);
  }
  describeVolumes(writer, 0, spec?.volumes);
  writer.field(0, 'QoS Class', status.qosClass);
  writer.map(0, 'Node-Selectors', spec?.nodeSelector);
  describeTolerations(writer, 0, spec?.tolerations);
  describeTopology(writer, 0, spec?.topologySpreadConstraints);
  await describeEvents(context, writer, pod);
}

function describePhase(context: CommandContext, writer: DescribeWriter, { metadata, status }: Pod): void {
  const over = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  const deleted = metadata.deletionTimestamp ? parseTime(metadata.deletionTimestamp) : undefined;
  if (deleted !== undefined && !over) {
    const { wallTime } = context.client.actor.simulation;
    writer.field(0, 'Status', `Terminating (lasts ${humanDuration(wallTime - deleted)})`);
    writer.field(0, 'Termination Grace Period', `${metadata.deletionGracePeriodSeconds ?? 0}s`);
  } else writer.field(0, 'Status', status?.phase);
  if (status?.reason) writer.field(0, 'Reason', status.reason);
  if (status?.message) writer.field(0, 'Message', status.message);
}

/** kubectl pkg/describe DescribePodTemplate */
export function describePodTemplate(writer: DescribeWriter, template: PodTemplateSpec | undefined): void {
  writer.line(0, 'Pod Template:');
  if (!template) {
    writer.line(1, '<unset>');
    return;
  }
  const { metadata, spec } = template;
  writer.map(0, '  Labels', metadata?.labels);
  if (Object.keys(metadata?.annotations ?? {}).length) writer.annotations(0, '  Annotations', metadata?.annotations);
  if (spec?.serviceAccountName) writer.field(1, 'Service Account', spec.serviceAccountName);
  if (spec?.initContainers?.length) describeContainers(writer, { label: 'Init Containers', containers: spec.initContainers, level: 1 });
  describeContainers(writer, { label: 'Containers', containers: spec?.containers, level: 1 });
  describeVolumes(writer, 1, spec?.volumes);
  describeTopology(writer, 1, spec?.topologySpreadConstraints);
  if (spec?.priorityClassName) writer.field(1, 'Priority Class Name', spec.priorityClassName);
  writer.map(0, '  Node-Selectors', spec?.nodeSelector);
  describeTolerations(writer, 1, spec?.tolerations);
}

/** Kinds of volumes with the words and fields that kubectl has for each. */
const VOLUMES: readonly {
  readonly key: keyof Volume;
  readonly words: string;
  readonly fields: (source: Record<string, unknown>) => readonly (readonly [string, unknown])[];
}[] = [
  {
    key: 'hostPath',
    words: 'HostPath (bare host directory volume)',
    fields: ({ path, type }) => [
      ['Path', path],
      ['HostPathType', type ?? ''],
    ],
  },
  {
    key: 'emptyDir',
    words: "EmptyDir (a temporary directory that shares a pod's lifetime)",
    fields: ({ medium, sizeLimit }) => [
      ['Medium', medium ?? ''],
      ['SizeLimit', sizeLimit ?? '<unset>'],
    ],
  },
  {
    key: 'secret',
    words: 'Secret (a volume populated by a Secret)',
    fields: ({ secretName, optional }) => [
      ['SecretName', secretName],
      ['Optional', optional ?? false],
    ],
  },
  {
    key: 'configMap',
    words: 'ConfigMap (a volume populated by a ConfigMap)',
    fields: ({ name, optional }) => [
      ['Name', name],
      ['Optional', optional ?? false],
    ],
  },
  {
    key: 'nfs',
    words: 'NFS (an NFS mount that lasts the lifetime of a pod)',
    fields: ({ server, path, readOnly }) => [
      ['Server', server],
      ['Path', path],
      ['ReadOnly', readOnly ?? false],
    ],
  },
  {
    key: 'persistentVolumeClaim',
    words: 'PersistentVolumeClaim (a reference to a PersistentVolumeClaim in the same namespace)',
    fields: ({ claimName, readOnly }) => [
      ['ClaimName', claimName],
      ['ReadOnly', readOnly ?? false],
    ],
  },
];

/** kubectl pkg/describe describeVolumes */
function describeVolumes(writer: DescribeWriter, level: number, volumes: readonly Volume[] | undefined): void {
  writer.line(level, volumes?.length ? 'Volumes:' : 'Volumes:\t<none>');
  for (const volume of volumes ?? []) {
    writer.line(1, `${level ? ' ' : ''}${volume.name}:`);
    const known = VOLUMES.find(({ key }) => volume[key] !== undefined);
    if (known) {
      writer.field(2, 'Type', known.words);
      for (const [label, value] of known.fields(volume[known.key] as Record<string, unknown>)) writer.field(2, label, String(value));
    } else if (volume.projected) describeProjected(writer, 2, volume.projected);
    else writer.line(2, '<unknown>');
  }
}

function describeProjected(writer: DescribeWriter, level: number, { sources = [] }: NonNullable<Volume['projected']>): void {
  writer.field(level, 'Type', 'Projected (a volume that contains injected data from multiple sources)');
  for (const { secret, downwardAPI, configMap, serviceAccountToken } of sources) {
    if (secret) {
      writer.field(level, 'SecretName', secret.name);
      writer.field(level, 'Optional', String(secret.optional ?? false));
    } else if (downwardAPI) writer.field(level, 'DownwardAPI', 'true');
    else if (configMap) {
      writer.field(level, 'ConfigMapName', configMap.name);
      writer.field(level, 'Optional', String(configMap.optional ?? false));
    } else if (serviceAccountToken) writer.field(level, 'TokenExpirationSeconds', serviceAccountToken.expirationSeconds);
  }
}

/** kubectl pkg/describe printPodTolerationsMultiline */
function describeTolerations(writer: DescribeWriter, level: number, tolerations: readonly Toleration[] | undefined): void {
  const texts = [...(tolerations ?? [])].sort((a, b) => ((a.key ?? '') < (b.key ?? '') ? -1 : 1)).map(tolerationText);
  if (!texts.length) {
    writer.field(level, 'Tolerations', '<none>');
    return;
  }
  for (const [index, text] of texts.entries()) writer.line(level, `${index ? '' : 'Tolerations:'}\t${text}`);
}

function tolerationText({ key = '', value, effect, operator, tolerationSeconds }: Toleration): string {
  const head = `${key}${value ? `=${value}` : ''}${effect ? `:${effect}` : ''}`;
  const exists = operator === 'Exists' && !value ? (key || effect ? ' op=Exists' : 'op=Exists') : '';
  return `${head}${exists}${tolerationSeconds === undefined ? '' : ` for ${tolerationSeconds}s`}`;
}

type Constraints = NonNullable<Pod['spec']>['topologySpreadConstraints'];

function describeTopology(writer: DescribeWriter, level: number, constraints: Constraints): void {
  for (const [index, { topologyKey, whenUnsatisfiable, maxSkew, labelSelector }] of [...(constraints ?? [])]
    .sort((a, b) => (a.topologyKey < b.topologyKey ? -1 : 1))
    .entries()) {
    const labels = Object.entries(labelSelector?.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
    writer.line(
      level,
      `${index ? '' : 'Topology Spread Constraints:'}\t${topologyKey}:${whenUnsatisfiable} when max skew ${maxSkew} is exceeded${labels.length ? ` for selector ${labels.join(',')}` : ''}`,
    );
  }
}

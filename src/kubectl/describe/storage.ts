import type { PersistentVolume, PersistentVolumeClaim } from '../../api/kinds/core-v1.ts';
import { pods } from '../../api/resources.ts';
import type { CommandContext } from '../command.ts';
import type { DescribeWriter } from './describe-writer.ts';
import { describeEvents } from './events.ts';

const MODES: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};
const modes = (list: readonly string[] | undefined): string => (list ?? []).map((mode) => MODES[mode] ?? mode).join(',');

/** kubectl pkg/describe PersistentVolumeClaimDescriber */
export async function describeClaim(context: CommandContext, writer: DescribeWriter, claim: PersistentVolumeClaim): Promise<void> {
  const { metadata, spec, status } = claim;
  writer.field(0, 'Name', metadata.name);
  writer.field(0, 'Namespace', metadata.namespace);
  writer.field(0, 'StorageClass', spec?.storageClassName ?? '');
  writer.field(0, 'Status', metadata.deletionTimestamp ? 'Terminating' : status?.phase);
  writer.field(0, 'Volume', spec?.volumeName ?? '');
  writer.map(0, 'Labels', metadata.labels);
  writer.annotations(0, 'Annotations', metadata.annotations);
  writer.field(0, 'Finalizers', `[${(metadata.finalizers ?? []).join(' ')}]`);
  const bound = Boolean(spec?.volumeName);
  writer.field(0, 'Capacity', bound ? (status?.capacity?.['storage'] ?? '0') : '');
  writer.field(0, 'Access Modes', bound ? modes(status?.accessModes) : '');
  writer.field(0, 'VolumeMode', spec?.volumeMode);
  const { items } = await context.client.resource(pods).list({ namespace: metadata.namespace });
  const users = items.filter((pod) => pod.spec?.volumes?.some((volume) => volume.persistentVolumeClaim?.claimName === metadata.name));
  if (!users.length) writer.field(0, 'Used By', '<none>');
  for (const [index, pod] of users.entries()) writer.line(0, `${index ? '' : 'Used By:'}\t${pod.metadata.name}`);
  await describeEvents(context, writer, claim);
}

/** kubectl pkg/describe PersistentVolumeDescriber. Differs: sources other than hostPath and CSI are named only. */
export async function describeVolume(context: CommandContext, writer: DescribeWriter, volume: PersistentVolume): Promise<void> {
  const { metadata, spec, status } = volume;
  writer.field(0, 'Name', metadata.name);
  writer.map(0, 'Labels', metadata.labels);
  writer.annotations(0, 'Annotations', metadata.annotations);
  writer.field(0, 'Finalizers', `[${(metadata.finalizers ?? []).join(' ')}]`);
  writer.field(0, 'StorageClass', spec?.storageClassName ?? '');
  writer.field(0, 'Status', metadata.deletionTimestamp ? `Terminating` : status?.phase);
  writer.field(0, 'Claim', spec?.claimRef ? `${spec.claimRef.namespace}/${spec.claimRef.name}` : '');
  writer.field(0, 'Reclaim Policy', spec?.persistentVolumeReclaimPolicy);
  writer.field(0, 'Access Modes', modes(spec?.accessModes));
  writer.field(0, 'VolumeMode', spec?.volumeMode);
  writer.field(0, 'Capacity', spec?.capacity?.['storage']);
  writer.field(0, 'Node Affinity', spec?.nodeAffinity ? '' : '<none>');
  for (const [index, { matchExpressions }] of (spec?.nodeAffinity?.required?.nodeSelectorTerms ?? []).entries()) {
    if (index === 0) writer.line(1, 'Required Terms:');
    const texts = (matchExpressions ?? []).map(
      ({ key, operator, values }) => `${key} ${operator.toLowerCase()} [${(values ?? []).join(', ')}]`,
    );
    writer.field(2, `Term ${index}`, texts.join('\n        '));
  }
  writer.field(0, 'Message', status?.message ?? '');
  writer.line(0, 'Source:');
  if (spec?.hostPath) {
    writer.field(2, 'Type', 'HostPath (bare host directory volume)');
    writer.field(2, 'Path', spec.hostPath.path);
    writer.field(2, 'HostPathType', spec.hostPath.type ?? '');
  } else if (spec?.csi) {
    writer.field(2, 'Type', 'CSI (a Container Storage Interface (CSI) volume source)');
    writer.field(2, 'Driver', spec.csi.driver);
    writer.field(2, 'FSType', spec.csi.fsType ?? '');
    writer.field(2, 'VolumeHandle', spec.csi.volumeHandle);
    writer.field(2, 'ReadOnly', String(spec.csi.readOnly ?? false));
  } else
    writer.line(
      2,
      Object.keys(spec ?? {}).find((key) => /[a-z](Disk|FS|Path|Volume|nfs|iscsi|local)|^(nfs|local|iscsi)$/.test(key)) ?? '<unknown>',
    );
  await describeEvents(context, writer, volume);
}

import type { XmlValue } from '../../../src/api/xml-text.ts';
import { type Account, newId, timestamp } from '../account.ts';
import { AwsFailure } from '../aws-failure.ts';
import type { QueryParameters } from '../query-parameters.ts';
import { fitsFilters } from './filter.ts';
import type { Instances } from './instances.ts';

/** From the request until a volume is there, and until it is attached. */
const CREATE_MS = 1_000;
const ATTACH_MS = 1_500;
/** From the request until a snapshot is complete. */
const SNAPSHOT_MS = 5_000;
const MAX_GIB = 16_384;
/** What a gp3 volume has without being asked for more: operations a second, and MiB a second. */
const GP3_IOPS = 3_000;
const GP3_THROUGHPUT = 125;

type Tag = { readonly key: string; readonly value: string };

interface Attachment {
  readonly instanceId: string;
  readonly device: string;
  readonly attachTime: number;
}

interface Volume {
  readonly volumeId: string;
  size: number;
  readonly volumeType: string;
  readonly encrypted: boolean;
  readonly availabilityZone: string;
  readonly snapshotId: string;
  readonly createTime: number;
  readonly tags: readonly Tag[];
  readonly clientToken: string | undefined;
  attachment: Attachment | undefined;
  /** What is on it, by path. */
  readonly files: Map<string, string>;
}

interface Snapshot {
  readonly snapshotId: string;
  readonly volumeId: string;
  readonly volumeSize: number;
  readonly startTime: number;
  readonly description: string;
  readonly tags: readonly Tag[];
  readonly files: ReadonlyMap<string, string>;
}

/** Amazon EBS: volumes, each in one zone and attached to one instance at a time, and snapshots. */
export class Volumes {
  readonly #account: Account;
  readonly #instances: Instances;
  readonly #zones: readonly string[];
  readonly #volumes = new Map<string, Volume>();
  readonly #snapshots = new Map<string, Snapshot>();
  /** Told when a disk is taken out of an instance, while that still has it. */
  onDetach: (instanceId: string, volumeId: string) => void = () => {};
  /** Told before what is on an attached disk is copied. */
  onSnapshot: (instanceId: string, volumeId: string) => void = () => {};

  constructor(account: Account, { instances, zones }: { readonly instances: Instances; readonly zones: readonly string[] }) {
    this.#account = account;
    this.#instances = instances;
    this.#zones = zones;
  }

  /** The disk that an instance sees; undefined while it is not attached there. */
  contentOn(instanceId: string, volumeId: string): Map<string, string> | undefined {
    const volume = this.#volumes.get(volumeId);
    return volume?.attachment?.instanceId === instanceId ? volume.files : undefined;
  }

  readonly operations: Readonly<Record<string, (parameters: QueryParameters) => XmlValue>> = {
    CreateVolume: (parameters) => this.#describe(this.#create(parameters)),
    DeleteVolume: (parameters) => {
      const { volumeId, attachment } = this.#get(parameters);
      if (attachment) throw new AwsFailure('VolumeInUse', `Volume ${volumeId} is currently attached to ${attachment.instanceId}`);
      this.#volumes.delete(volumeId);
      return { return: true };
    },
    DescribeVolumes: (parameters) => {
      const ids = parameters.texts('VolumeId');
      for (const id of ids) this.#find(id);
      const found = [...this.#volumes.values()].filter(
        (volume) => (ids.length === 0 || ids.includes(volume.volumeId)) && fitsFilters(parameters, (name) => valuesOf(volume, name)),
      );
      return { volumeSet: found.map((volume) => this.#describe(volume)) };
    },
    AttachVolume: (parameters) => this.#attach(parameters),
    DetachVolume: (parameters) => {
      const volume = this.#get(parameters);
      const { attachment, volumeId } = volume;
      if (!attachment) throw new AwsFailure('IncorrectState', `Volume '${volumeId}' is in the 'available' state.`);
      this.onDetach(attachment.instanceId, volumeId);
      volume.attachment = undefined;
      return this.#describeAttachment(volumeId, attachment, 'detaching');
    },
    ModifyVolume: (parameters) => {
      const volume = this.#get(parameters);
      const originalSize = volume.size;
      const targetSize = parameters.number('Size') ?? originalSize;
      if (targetSize < originalSize) throw new AwsFailure('InvalidParameterValue', 'New size cannot be smaller than existing size');
      const originalIops = iopsOf(volume);
      volume.size = targetSize;
      const { volumeId, volumeType } = volume;
      return {
        volumeModification: {
          ...{ volumeId, modificationState: 'optimizing', progress: 0, startTime: timestamp(this.#account) },
          ...{ originalSize, originalVolumeType: volumeType, originalIops },
          ...{ targetSize, targetVolumeType: volumeType, targetIops: iopsOf(volume) },
        },
      };
    },
    CreateSnapshot: (parameters) => {
      const { volumeId, size, files, attachment } = this.#get(parameters);
      if (attachment) this.onSnapshot(attachment.instanceId, volumeId);
      const snapshot = {
        ...{ snapshotId: newId(this.#account, 'snap'), volumeId, volumeSize: size },
        startTime: this.#account.actor.simulation.wallTime,
        description: parameters.get('Description') ?? '',
        tags: tagsOf(parameters),
        files: new Map(files),
      };
      this.#snapshots.set(snapshot.snapshotId, snapshot);
      return describeSnapshot(this.#account, snapshot);
    },
    DeleteSnapshot: (parameters) => {
      this.#snapshots.delete(this.#snapshot(parameters.required('SnapshotId')).snapshotId);
      return { return: true };
    },
    DescribeSnapshots: (parameters) => {
      const ids = parameters.texts('SnapshotId');
      const all = ids.length > 0 ? ids.map((id) => this.#snapshot(id)) : [...this.#snapshots.values()];
      const found = all.filter((snapshot) => fitsFilters(parameters, (name) => valuesOfSnapshot(snapshot, name)));
      return { snapshotSet: found.map((snapshot) => describeSnapshot(this.#account, snapshot)) };
    },
  };

  /** The same token means the same volume: the request came again. */
  #create(parameters: QueryParameters): Volume {
    const clientToken = parameters.get('ClientToken');
    const known = clientToken && [...this.#volumes.values()].find((volume) => volume.clientToken === clientToken);
    if (known) return known;
    const availabilityZone = parameters.required('AvailabilityZone');
    if (!this.#zones.includes(availabilityZone))
      throw new AwsFailure('InvalidZone.NotFound', `The zone '${availabilityZone}' does not exist.`);
    const snapshotId = parameters.get('SnapshotId') ?? '';
    const snapshot = snapshotId ? this.#snapshot(snapshotId) : undefined;
    if (snapshot && !isComplete(this.#account, snapshot))
      throw new AwsFailure('IncorrectState', `Snapshot is in invalid state - ${stateOf(this.#account, snapshot)}`);
    const size = parameters.number('Size') ?? snapshot?.volumeSize;
    if (size === undefined) throw new AwsFailure('MissingParameter', 'The request must contain the parameter size/snapshotId');
    if (size < 1 || size > MAX_GIB)
      throw new AwsFailure('InvalidParameterValue', `Volume of ${size}GiB is too ${size < 1 ? 'small' : 'large'} for volume type gp3.`);
    const volume: Volume = {
      volumeId: newId(this.#account, 'vol'),
      ...{ size, availabilityZone, snapshotId, clientToken },
      volumeType: parameters.get('VolumeType') ?? 'gp2',
      encrypted: parameters.get('Encrypted') === 'true',
      createTime: this.#account.actor.simulation.wallTime,
      tags: tagsOf(parameters),
      attachment: undefined,
      files: new Map(snapshot?.files),
    };
    this.#volumes.set(volume.volumeId, volume);
    return volume;
  }

  #attach(parameters: QueryParameters): XmlValue {
    const volume = this.#get(parameters);
    const { volumeId, availabilityZone } = volume;
    const instance = this.#instances.get(parameters.required('InstanceId'));
    const device = parameters.required('Device');
    if (volume.attachment) throw new AwsFailure('VolumeInUse', `${volumeId} is already attached to an instance`);
    if (availabilityZone !== instance.subnet.availabilityZone)
      throw new AwsFailure(
        'InvalidVolume.ZoneMismatch',
        `The volume '${volumeId}' is not in the same availability zone as instance '${instance.instanceId}'`,
      );
    const { instanceId } = instance;
    volume.attachment = { instanceId, device, attachTime: this.#account.actor.simulation.wallTime };
    return this.#describeAttachment(volumeId, volume.attachment, 'attaching');
  }

  #describeAttachment(volumeId: string, { instanceId, device, attachTime }: Attachment, status: string): XmlValue {
    return { volumeId, instanceId, device, status, attachTime: timestamp(this.#account, attachTime), deleteOnTermination: false };
  }

  #describe(volume: Volume): XmlValue {
    const { volumeId, size, volumeType, availabilityZone, snapshotId, createTime, tags, attachment, encrypted } = volume;
    const { wallTime } = this.#account.actor.simulation;
    const status = attachment ? 'in-use' : wallTime < createTime + CREATE_MS ? 'creating' : 'available';
    const attached = attachment && wallTime < attachment.attachTime + ATTACH_MS ? 'attaching' : 'attached';
    return {
      ...{ volumeId, size, snapshotId, availabilityZone, status },
      createTime: timestamp(this.#account, createTime),
      attachmentSet: attachment ? [this.#describeAttachment(volumeId, attachment, attached)] : [],
      tagSet: tags,
      ...{ volumeType, iops: iopsOf(volume), ...(volumeType === 'gp3' ? { throughput: GP3_THROUGHPUT } : {}) },
      ...{ encrypted, multiAttachEnabled: false },
    };
  }

  #get(parameters: QueryParameters): Volume {
    return this.#find(parameters.required('VolumeId'));
  }

  #find(id: string): Volume {
    const volume = this.#volumes.get(id);
    if (!volume) throw new AwsFailure('InvalidVolume.NotFound', `The volume '${id}' does not exist.`);
    return volume;
  }

  #snapshot(id: string): Snapshot {
    const snapshot = this.#snapshots.get(id);
    if (!snapshot) throw new AwsFailure('InvalidSnapshot.NotFound', `The snapshot '${id}' does not exist.`);
    return snapshot;
  }
}

/** Of gp2 by size, at least 100. */
function iopsOf({ volumeType, size }: Volume): number {
  return volumeType === 'gp2' ? Math.min(Math.max(3 * size, 100), 16_000) : GP3_IOPS;
}

function tagsOf(parameters: QueryParameters): Tag[] {
  return parameters
    .structures('TagSpecification')
    .flatMap((tags) => tags.structures('Tag').map((tag) => ({ key: tag.get('Key') ?? '', value: tag.get('Value') ?? '' })));
}

/** The values of a tag by the name of its filter, `tag:Name`. */
function taggedAs(tags: readonly Tag[], name: string): string[] | undefined {
  return name.startsWith('tag:') ? tags.filter(({ key }) => key === name.slice(4)).map(({ value }) => value) : undefined;
}

function valuesOfSnapshot({ snapshotId, volumeId, tags }: Snapshot, name: string): readonly (string | undefined)[] {
  const values: Readonly<Record<string, string>> = { 'snapshot-id': snapshotId, 'volume-id': volumeId };
  return taggedAs(tags, name) ?? [values[name]];
}

function valuesOf({ volumeId, availabilityZone, attachment, tags }: Volume, name: string): readonly (string | undefined)[] {
  const values: Readonly<Record<string, string | undefined>> = {
    'volume-id': volumeId,
    'availability-zone': availabilityZone,
    'attachment.instance-id': attachment?.instanceId,
  };
  return taggedAs(tags, name) ?? [values[name]];
}

function isComplete({ actor }: Account, { startTime }: Snapshot): boolean {
  return actor.simulation.wallTime >= startTime + SNAPSHOT_MS;
}

function stateOf(account: Account, snapshot: Snapshot): string {
  return isComplete(account, snapshot) ? 'completed' : 'pending';
}

function describeSnapshot(account: Account, snapshot: Snapshot): XmlValue {
  const { snapshotId, volumeId, volumeSize, description, tags } = snapshot;
  return {
    ...{ snapshotId, volumeId, status: stateOf(account, snapshot), startTime: timestamp(account, snapshot.startTime) },
    progress: isComplete(account, snapshot) ? '100%' : '0%',
    ...{ ownerId: account.id, volumeSize, description, encrypted: false, storageTier: 'standard', tagSet: tags },
  };
}

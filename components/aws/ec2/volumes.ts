import type { XmlValue } from '../../../src/api/xml-text.ts';
import { type Account, newId, timestamp } from '../account.ts';
import { AwsFailure } from '../aws-failure.ts';
import type { QueryParameters } from '../query-parameters.ts';
import { fitsFilters } from './filter.ts';
import type { Instances } from './instances.ts';

/** From the request until a volume is there, and until it is attached. */
const CREATE_MS = 1_000;
const ATTACH_MS = 1_500;
const MAX_GIB = 16_384;

interface Volume {
  readonly volumeId: string;
  size: number;
  readonly volumeType: string;
  readonly availabilityZone: string;
  readonly snapshotId: string;
  readonly createTime: number;
  readonly tags: readonly { readonly key: string; readonly value: string }[];
  readonly clientToken: string | undefined;
  attachment: { readonly instanceId: string; readonly device: string; readonly attachTime: number } | undefined;
  /** What is on it, by path. */
  readonly files: Map<string, string>;
}

interface Snapshot {
  readonly snapshotId: string;
  readonly volumeId: string;
  readonly volumeSize: number;
  readonly startTime: string;
  readonly description: string;
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
      return { volumeId, instanceId: attachment.instanceId, device: attachment.device, status: 'detaching' };
    },
    ModifyVolume: (parameters) => {
      const volume = this.#get(parameters);
      const originalSize = volume.size;
      const targetSize = parameters.number('Size') ?? originalSize;
      if (targetSize < originalSize) throw new AwsFailure('InvalidParameterValue', 'New size cannot be smaller than existing size');
      volume.size = targetSize;
      return { volumeModification: { volumeId: volume.volumeId, modificationState: 'optimizing', originalSize, targetSize } };
    },
    CreateSnapshot: (parameters) => {
      const { volumeId, size, files } = this.#get(parameters);
      const snapshotId = newId(this.#account, 'snap');
      const description = parameters.get('Description') ?? '';
      const snapshot = { snapshotId, volumeId, volumeSize: size, startTime: timestamp(this.#account), description, files: new Map(files) };
      this.#snapshots.set(snapshotId, snapshot);
      return describeSnapshot(this.#account, snapshot);
    },
    DeleteSnapshot: (parameters) => {
      this.#snapshots.delete(this.#snapshot(parameters.required('SnapshotId')).snapshotId);
      return { return: true };
    },
    DescribeSnapshots: (parameters) => {
      const ids = parameters.texts('SnapshotId');
      const found = ids.length > 0 ? ids.map((id) => this.#snapshot(id)) : [...this.#snapshots.values()];
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
    const size = parameters.number('Size') ?? snapshot?.volumeSize;
    if (size === undefined) throw new AwsFailure('MissingParameter', 'The request must contain the parameter size/snapshotId');
    if (size < 1 || size > MAX_GIB)
      throw new AwsFailure('InvalidParameterValue', `Volume of ${size}GiB is too ${size < 1 ? 'small' : 'large'} for volume type gp3.`);
    const volume: Volume = {
      volumeId: newId(this.#account, 'vol'),
      ...{ size, availabilityZone, snapshotId, clientToken },
      volumeType: parameters.get('VolumeType') ?? 'gp2',
      createTime: this.#account.actor.simulation.wallTime,
      tags: parameters
        .structures('TagSpecification')
        .flatMap((tags) => tags.structures('Tag').map((tag) => ({ key: tag.get('Key') ?? '', value: tag.get('Value') ?? '' }))),
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
    return { volumeId, instanceId, device, status: 'attaching' };
  }

  #describe({ volumeId, size, volumeType, availabilityZone, snapshotId, createTime, tags, attachment }: Volume): XmlValue {
    const { wallTime } = this.#account.actor.simulation;
    const status = attachment ? 'in-use' : wallTime < createTime + CREATE_MS ? 'creating' : 'available';
    const attachments = attachment && {
      ...{ volumeId, instanceId: attachment.instanceId, device: attachment.device },
      status: wallTime < attachment.attachTime + ATTACH_MS ? 'attaching' : 'attached',
      attachTime: timestamp(this.#account, attachment.attachTime),
    };
    return {
      ...{ volumeId, size, snapshotId, availabilityZone, status },
      createTime: timestamp(this.#account, createTime),
      attachmentSet: attachments ? [attachments] : [],
      tagSet: tags,
      volumeType,
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

function valuesOf({ volumeId, availabilityZone, attachment, tags }: Volume, name: string): (string | undefined)[] {
  if (name.startsWith('tag:')) return tags.filter(({ key }) => key === name.slice(4)).map(({ value }) => value);
  const values: Readonly<Record<string, string | undefined>> = {
    'volume-id': volumeId,
    'availability-zone': availabilityZone,
    'attachment.instance-id': attachment?.instanceId,
  };
  return [values[name]];
}

function describeSnapshot({ id }: Account, { snapshotId, volumeId, volumeSize, startTime, description }: Snapshot): XmlValue {
  return { snapshotId, volumeId, status: 'completed', startTime, progress: '100%', ownerId: id, volumeSize, description };
}

import type {
  CapacityRange,
  ControllerPublishVolumeRequest,
  CreateVolumeRequest,
  CsiController,
  CsiSnapshot,
  CsiVolume,
} from '../../src/api/csi.ts';
import { type RpcCode, RpcError } from '../../src/api/rpc-error.ts';
import type { XmlElement } from '../../src/api/xml-text.ts';
import { type AwsClient, AwsError } from '../../src/client/aws-client.ts';
import type { Actor } from '../../src/sim/actor.ts';
import { deviceName } from './device-names.ts';
import { ZONE_KEYS } from './topology.ts';

const GIB = 1024 ** 3;
const DEFAULT_TYPE = 'gp3';
/** How often a volume is looked at until it is there, or attached. */
const POLL_MS = 1_000;
const PARAMETERS = new Set(['type', 'encrypted', 'kmskeyid', 'iops', 'throughput', 'iopspergb', 'blocksize', 'allowautoiopspergbincrease']);
/** Codes that say that what is to go is gone. */
const GONE = new Set(['InvalidVolume.NotFound', 'InvalidSnapshot.NotFound', 'InvalidInstanceID.NotFound', 'IncorrectState']);

/** The controller service: volumes as EC2 makes and attaches them. sigs.k8s.io/aws-ebs-csi-driver pkg/driver ControllerService, pkg/cloud */
export class EbsController implements CsiController {
  readonly pluginCapabilities = ['VOLUME_ACCESSIBILITY_CONSTRAINTS'] as const;
  readonly #actor: Actor;
  readonly #aws: AwsClient;

  constructor(actor: Actor, aws: AwsClient) {
    this.#actor = actor;
    this.#aws = aws;
  }

  async createVolume(request: CreateVolumeRequest): Promise<CsiVolume> {
    const { name, parameters = {} } = request;
    const unknown = Object.keys(parameters).find((key) => !PARAMETERS.has(key.toLowerCase()));
    if (unknown !== undefined) throw new RpcError('InvalidArgument', `Invalid parameter key ${unknown} for CreateVolume`);
    return refusedAs('Internal', `Could not create volume "${name}": could not create volume in EC2`, () => this.#create(request));
  }

  deleteVolume({ volumeId }: { readonly volumeId: string }): Promise<void> {
    const what = `Could not delete volume ID "${volumeId}"`;
    return unlessGone(refusedAs('Internal', what, () => this.#ec2('DeleteVolume', { VolumeId: volumeId })));
  }

  controllerPublishVolume({ volumeId, nodeId }: ControllerPublishVolumeRequest): Promise<Readonly<Record<string, string>>> {
    const what = `Could not attach volume "${volumeId}" to node "${nodeId}": could not attach volume "${volumeId}" to node "${nodeId}"`;
    return refusedAs('Internal', what, () => this.#attach(volumeId, nodeId));
  }

  controllerUnpublishVolume({ volumeId, nodeId }: { readonly volumeId: string; readonly nodeId: string }): Promise<void> {
    const what = `Could not detach volume "${volumeId}" from node "${nodeId}"`;
    return unlessGone(refusedAs('Internal', what, () => this.#ec2('DetachVolume', { VolumeId: volumeId, InstanceId: nodeId })));
  }

  controllerExpandVolume({ volumeId, capacityRange }: { readonly volumeId: string; readonly capacityRange: CapacityRange }) {
    return refusedAs('Internal', `Could not resize volume "${volumeId}"`, async () => {
      await this.#ec2('ModifyVolume', { VolumeId: volumeId, Size: gibOf(capacityRange) });
      return { capacityBytes: String(gibOf(capacityRange) * GIB), nodeExpansionRequired: true };
    });
  }

  createSnapshot({ name, sourceVolumeId }: { readonly name: string; readonly sourceVolumeId: string }): Promise<CsiSnapshot> {
    return refusedAs('Internal', `Could not create snapshot "${name}"`, async () => {
      const Filter = [{ Name: 'tag:CSIVolumeSnapshotName', Value: [name] }];
      const [known] = (await this.#ec2('DescribeSnapshots', { Filter })).items('snapshotSet');
      if (known) return snapshotFrom(known);
      const Description = `Created by AWS EBS CSI driver for volume ${sourceVolumeId}`;
      const Tag = [
        { Key: 'CSIVolumeSnapshotName', Value: name },
        { Key: 'ebs.csi.aws.com/cluster', Value: 'true' },
      ];
      const TagSpecification = [{ ResourceType: 'snapshot', Tag }];
      return snapshotFrom(await this.#ec2('CreateSnapshot', { VolumeId: sourceVolumeId, Description, TagSpecification }));
    });
  }

  async listSnapshots({ snapshotId }: { readonly snapshotId: string }): Promise<readonly CsiSnapshot[]> {
    try {
      return await refusedAs('Internal', `Could not get snapshot ID "${snapshotId}"`, async () =>
        (await this.#ec2('DescribeSnapshots', { SnapshotId: [snapshotId] })).items('snapshotSet').map(snapshotFrom),
      );
    } catch (error) {
      if (error instanceof Refused && GONE.has(error.awsCode)) return [];
      throw error;
    }
  }

  deleteSnapshot({ snapshotId }: { readonly snapshotId: string }): Promise<void> {
    const what = `Could not delete snapshot ID "${snapshotId}"`;
    return unlessGone(refusedAs('Internal', what, () => this.#ec2('DeleteSnapshot', { SnapshotId: snapshotId })));
  }

  /** pkg/cloud CreateDisk */
  async #create({
    name,
    capacityRange,
    parameters = {},
    accessibilityRequirements,
    volumeContentSource,
  }: CreateVolumeRequest): Promise<CsiVolume> {
    const Tag = [
      { Key: 'CSIVolumeName', Value: name },
      { Key: 'ebs.csi.aws.com/cluster', Value: 'true' },
    ];
    const made = await this.#ec2('CreateVolume', {
      AvailabilityZone: zoneOf(accessibilityRequirements) ?? (await this.#anyZone()),
      Size: gibOf(capacityRange),
      VolumeType: parameters['type'] ?? DEFAULT_TYPE,
      ClientToken: name,
      SnapshotId: volumeContentSource?.snapshot.snapshotId,
      TagSpecification: [{ ResourceType: 'volume', Tag }],
    });
    const volumeId = made.text('volumeId') ?? '';
    await this.#waitFor(volumeId, (volume) => volume?.text('status') !== 'creating');
    const accessibleTopology = [{ segments: { [ZONE_KEYS[0]]: made.text('availabilityZone') ?? '' } }];
    return { volumeId, capacityBytes: String(Number(made.text('size')) * GIB), accessibleTopology };
  }

  /** pkg/cloud AttachDisk */
  async #attach(volumeId: string, nodeId: string): Promise<Readonly<Record<string, string>>> {
    const attachment = attachmentOf(await this.#describe(volumeId));
    let devicePath = attachment?.text('instanceId') === nodeId ? (attachment.text('device') ?? '') : '';
    if (!devicePath) {
      const Filter = [{ Name: 'attachment.instance-id', Value: [nodeId] }];
      const volumes = (await this.#ec2('DescribeVolumes', { Filter })).items('volumeSet');
      devicePath = deviceName(volumes.map((volume) => attachmentOf(volume)?.text('device') ?? ''));
      await this.#ec2('AttachVolume', { VolumeId: volumeId, InstanceId: nodeId, Device: devicePath });
    }
    await this.#waitFor(volumeId, (volume) => attachmentOf(volume)?.text('status') === 'attached');
    return { devicePath };
  }

  /** pkg/cloud waitForVolume, WaitForAttachmentState */
  async #waitFor(volumeId: string, isThere: (volume: XmlElement | undefined) => boolean): Promise<void> {
    while (!isThere(await this.#describe(volumeId))) await this.#actor.sleep(POLL_MS);
  }

  async #describe(VolumeId: string): Promise<XmlElement | undefined> {
    return (await this.#ec2('DescribeVolumes', { VolumeId: [VolumeId] })).get('volumeSet', 'item');
  }

  async #anyZone(): Promise<string> {
    return (await this.#ec2('DescribeAvailabilityZones', {})).text('availabilityZoneInfo', 'item', 'zoneName') ?? '';
  }

  #ec2(action: string, parameters: Parameters<AwsClient['query']>[2]): Promise<XmlElement> {
    return this.#aws.query('ec2', action, parameters);
  }
}

function snapshotFrom(element: XmlElement): CsiSnapshot {
  return {
    snapshotId: element.text('snapshotId') ?? '',
    sourceVolumeId: element.text('volumeId') ?? '',
    sizeBytes: String(Number(element.text('volumeSize')) * GIB),
    creationTime: Date.parse(element.text('startTime') ?? ''),
    readyToUse: element.text('status') === 'completed',
  };
}

function attachmentOf(volume: XmlElement | undefined): XmlElement | undefined {
  return volume?.get('attachmentSet', 'item');
}

/** pkg/driver pickAvailabilityZone: where the pod goes, else one of those that are allowed. */
function zoneOf(requirements: CreateVolumeRequest['accessibilityRequirements']): string | undefined {
  for (const topologies of [requirements?.preferred ?? [], requirements?.requisite ?? []]) {
    for (const { segments } of topologies) {
      const key = ZONE_KEYS.find((each) => segments[each] !== undefined);
      if (key) return segments[key];
    }
  }
  return undefined;
}

function gibOf({ requiredBytes }: CapacityRange): number {
  return Math.max(1, Math.ceil(Number(requiredBytes) / GIB));
}

/** Keeps what AWS said, so that the caller can tell what is gone. */
class Refused extends RpcError {
  readonly awsCode: string;

  constructor(code: RpcCode, description: string, awsCode: string) {
    super(code, description);
    this.awsCode = awsCode;
  }
}

async function refusedAs<T>(code: RpcCode, what: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    const isMissing = error.code === 'InvalidVolume.NotFound' || error.code === 'InvalidInstanceID.NotFound';
    throw new Refused(isMissing ? 'NotFound' : code, `${what}: ${error.message}`, error.code);
  }
}

async function unlessGone(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof Refused && GONE.has(error.awsCode))) throw error;
  }
}

import type { PersistentVolume } from './kinds/core-v1.ts';

/**
 * How Kubernetes and a storage driver talk: the Container Storage Interface, github.com/container-storage-interface/spec. Names of methods and fields are those of the
 * real interface, in camel case; sizes are texts, as in its JSON form. Calls that are refused throw `RpcError`.
 */

/** Where a kubelet looks for plugins that want to register: kubelet pkg/kubelet/config GetPluginRegistrationDir */
export const PLUGINS_REGISTRY_PATH = '/var/lib/kubelet/plugins_registry/';

/** A driver's own directory, with the socket of its node service. */
export const PLUGINS_PATH = '/var/lib/kubelet/plugins/';

/** csi.VolumeCapability */
export interface VolumeCapability {
  readonly accessMode: { readonly mode: AccessMode };
  readonly mount?: { readonly fsType?: string; readonly mountFlags?: readonly string[] };
  readonly block?: Readonly<Record<string, never>>;
}

export type AccessMode =
  | 'SINGLE_NODE_WRITER'
  | 'SINGLE_NODE_READER_ONLY'
  | 'MULTI_NODE_READER_ONLY'
  | 'MULTI_NODE_MULTI_WRITER'
  | 'SINGLE_NODE_SINGLE_WRITER'
  | 'SINGLE_NODE_MULTI_WRITER';

/** csi.CapacityRange, in bytes. */
export interface CapacityRange {
  readonly requiredBytes: string;
}

/** csi.Topology */
export interface Topology {
  readonly segments: Readonly<Record<string, string>>;
}

/** csi.Volume */
export interface CsiVolume {
  readonly volumeId: string;
  readonly capacityBytes: string;
  readonly volumeContext?: Readonly<Record<string, string>>;
  readonly accessibleTopology?: readonly Topology[];
}

/** csi.CreateVolumeRequest */
export interface CreateVolumeRequest {
  readonly name: string;
  readonly capacityRange: CapacityRange;
  readonly volumeCapabilities: readonly VolumeCapability[];
  readonly parameters?: Readonly<Record<string, string>>;
  readonly volumeContentSource?: { readonly snapshot: { readonly snapshotId: string } };
  readonly accessibilityRequirements?: { readonly requisite: readonly Topology[]; readonly preferred: readonly Topology[] };
}

/** csi.ControllerPublishVolumeRequest */
export interface ControllerPublishVolumeRequest {
  readonly volumeId: string;
  readonly nodeId: string;
  readonly volumeCapability: VolumeCapability;
  readonly readonly?: boolean;
  readonly volumeContext?: Readonly<Record<string, string>>;
}

/** csi.Snapshot */
export interface CsiSnapshot {
  readonly snapshotId: string;
  readonly sourceVolumeId: string;
  readonly sizeBytes: string;
  /** Milliseconds since 1970. */
  readonly creationTime: number;
  readonly readyToUse: boolean;
}

/** An answer that may take its time: a driver that asks its storage system first. */
type Answer<T> = T | Promise<T>;

/** csi.ControllerServer */
export interface CsiController {
  /** csi.IdentityServer GetPluginCapabilities: whether volumes can be reached from some places only. */
  readonly pluginCapabilities?: readonly 'VOLUME_ACCESSIBILITY_CONSTRAINTS'[];
  createVolume(request: CreateVolumeRequest): Answer<CsiVolume>;
  deleteVolume(request: { readonly volumeId: string }): Answer<void>;
  /** Answers what the node has to know to find the volume. */
  controllerPublishVolume(request: ControllerPublishVolumeRequest): Answer<Readonly<Record<string, string>>>;
  controllerUnpublishVolume(request: { readonly volumeId: string; readonly nodeId: string }): Answer<void>;
  controllerExpandVolume(request: {
    readonly volumeId: string;
    readonly capacityRange: CapacityRange;
    readonly volumeCapability: VolumeCapability;
  }): Answer<{ readonly capacityBytes: string; readonly nodeExpansionRequired: boolean }>;
  createSnapshot(request: {
    readonly name: string;
    readonly sourceVolumeId: string;
    readonly parameters?: Readonly<Record<string, string>>;
    readonly secrets?: Readonly<Record<string, string>>;
  }): Answer<CsiSnapshot>;
  deleteSnapshot(request: { readonly snapshotId: string; readonly secrets?: Readonly<Record<string, string>> }): Answer<void>;
  /** Answers nothing for a snapshot that is not there. */
  listSnapshots(request: { readonly snapshotId: string }): Answer<readonly CsiSnapshot[]>;
}

/** csi.NodeGetInfoResponse */
export interface NodeInfo {
  readonly nodeId: string;
  readonly maxVolumesPerNode?: number;
  readonly accessibleTopology?: Topology;
}

/** csi.NodeStageVolumeRequest */
export interface NodeStageVolumeRequest {
  readonly volumeId: string;
  readonly publishContext?: Readonly<Record<string, string>>;
  readonly stagingTargetPath: string;
  readonly volumeCapability: VolumeCapability;
  readonly volumeContext?: Readonly<Record<string, string>>;
}

/** csi.NodePublishVolumeRequest */
export interface NodePublishVolumeRequest extends NodeStageVolumeRequest {
  readonly targetPath: string;
  readonly readonly?: boolean;
}

/** csi.NodeServer */
export interface CsiNode {
  nodeGetInfo(): NodeInfo;
  nodeStageVolume(request: NodeStageVolumeRequest): void;
  nodeUnstageVolume(request: { readonly volumeId: string; readonly stagingTargetPath: string }): void;
  nodePublishVolume(request: NodePublishVolumeRequest): void;
  nodeUnpublishVolume(request: { readonly volumeId: string; readonly targetPath: string }): void;
  nodeExpandVolume(request: {
    readonly volumeId: string;
    readonly volumePath: string;
    readonly stagingTargetPath: string;
    readonly capacityRange: CapacityRange;
    readonly volumeCapability: VolumeCapability;
  }): void;
}

/** kubelet pkg/apis/pluginregistration/v1: what node-driver-registrar serves in the registry. */
export interface PluginRegistration {
  getInfo(): { readonly type: 'CSIPlugin'; readonly name: string; readonly endpoint: string };
}

/** The access modes of a claim as the driver knows them: external-provisioner pkg/controller, external-attacher pkg/attacher and kubelet pkg/volume/csi agree. */
export function accessModeOf(modes: readonly string[]): AccessMode {
  if (modes.includes('ReadWriteMany')) return 'MULTI_NODE_MULTI_WRITER';
  if (modes.includes('ReadOnlyMany') && modes.includes('ReadWriteOnce')) return 'SINGLE_NODE_WRITER';
  if (modes.includes('ReadOnlyMany')) return 'MULTI_NODE_READER_ONLY';
  return 'SINGLE_NODE_WRITER';
}

/** @param volume the parts of a PersistentVolumeSpec or of a claim's spec that say how it is used */
export function volumeCapabilityOf(volume: {
  readonly accessModes?: readonly string[];
  readonly volumeMode?: string;
  readonly fsType?: string;
  readonly mountOptions?: readonly string[];
}): VolumeCapability {
  const accessMode = { mode: accessModeOf(volume.accessModes ?? []) };
  if (volume.volumeMode === 'Block') return { accessMode, block: {} };
  const mount = {
    ...(volume.fsType ? { fsType: volume.fsType } : {}),
    ...(volume.mountOptions?.length ? { mountFlags: volume.mountOptions } : {}),
  };
  return { accessMode, mount };
}

/** The same of a volume that is there. */
export function capabilityOfVolume({ spec }: PersistentVolume): VolumeCapability {
  return volumeCapabilityOf({ ...spec, ...(spec?.csi?.fsType ? { fsType: spec.csi.fsType } : {}) });
}

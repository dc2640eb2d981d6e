import type { HostFiles } from '../../src/api/cri.ts';
import type { CapacityRange, CreateVolumeRequest, CsiController, CsiNode, CsiSnapshot, CsiVolume, NodeInfo } from '../../src/api/csi.ts';
import { type RpcCode, RpcError } from '../../src/api/rpc-error.ts';
import type { Actor } from '../../src/sim/actor.ts';

/** A call that the driver got. */
export interface CsiCall {
  /** As in the specification: `CreateVolume`. */
  readonly call: string;
  readonly request: object;
}

export interface CsiDriverOptions {
  readonly name: string;
  /** How the storage system calls a node. */
  readonly nodeIdOf: (node: string) => string;
  /** How many volumes a node can have. */
  readonly maxVolumesPerNode?: number;
  /** Where a node is; with it, volumes are reachable from one place only. */
  readonly topologyOf?: (node: string) => Readonly<Record<string, string>>;
}

interface Disk {
  readonly name: string;
  readonly volumeId: string;
  sizeBytes: number;
  readonly segments?: Readonly<Record<string, string>>;
  attachedTo: string | undefined;
  /** What is on it, by path; while it is mounted, what was on it before. */
  readonly files: Map<string, string>;
  mounted?: { readonly files: HostFiles; readonly path: string };
}

const DEFAULT_LIMIT = 24;

/** A storage system in memory and the driver in front of it: its controller service, and a node service for each node. */
export class CsiDriver {
  readonly options: CsiDriverOptions;
  readonly controller: CsiController;
  /** Methods that are refused, and how. */
  readonly failures = new Map<string, { readonly code: RpcCode; readonly message: string }>();
  maxVolumesPerNode: number;
  readonly #actor: Actor;
  readonly #disks = new Map<string, Disk>();
  readonly #snapshots = new Map<string, CsiSnapshot & { readonly files: ReadonlyMap<string, string> }>();
  readonly #listeners = new Set<(call: CsiCall) => void>();

  constructor(actor: Actor, options: CsiDriverOptions) {
    this.#actor = actor;
    this.options = options;
    this.maxVolumesPerNode = options.maxVolumesPerNode ?? DEFAULT_LIMIT;
    this.controller = {
      pluginCapabilities: options.topologyOf ? ['VOLUME_ACCESSIBILITY_CONSTRAINTS'] : [],
      createVolume: (request) => this.#serve('CreateVolume', request, () => this.#create(request)),
      deleteVolume: (request) => this.#serve('DeleteVolume', request, () => void this.#disks.delete(request.volumeId)),
      controllerPublishVolume: (request) => this.#serve('ControllerPublishVolume', request, () => this.#publish(request)),
      controllerUnpublishVolume: (request) => this.#serve('ControllerUnpublishVolume', request, () => this.#unpublish(request.volumeId)),
      controllerExpandVolume: (request) => this.#serve('ControllerExpandVolume', request, () => this.#expand(request)),
      createSnapshot: (request) => this.#serve('CreateSnapshot', request, () => this.#snapshot(request)),
      deleteSnapshot: (request) => this.#serve('DeleteSnapshot', request, () => void this.#snapshots.delete(request.snapshotId)),
      listSnapshots: (request) => this.#serve('ListSnapshots', request, () => this.#list(request.snapshotId)),
    };
  }

  /** Hears of each call that has to do with a volume. */
  onCall(listener: (call: CsiCall) => void): void {
    this.#listeners.add(listener);
  }

  /** The service that runs on a node: csi.NodeServer. @param files the node's, where volumes are mounted */
  nodeService(node: string, files: HostFiles): CsiNode {
    return {
      nodeGetInfo: () => this.#nodeInfo(node),
      nodeStageVolume: (request) => this.#serve('NodeStageVolume', request, () => this.#stage(request, files)),
      nodeUnstageVolume: (request) => this.#serve('NodeUnstageVolume', request, () => this.#unstage(request, files)),
      nodePublishVolume: (request) => this.#serve('NodePublishVolume', request, () => void this.#disk(request.volumeId)),
      nodeUnpublishVolume: (request) => this.#serve('NodeUnpublishVolume', request, () => {}),
      nodeExpandVolume: (request) => this.#serve('NodeExpandVolume', request, () => void this.#disk(request.volumeId)),
    };
  }

  /** What is on the disk is there while it is mounted. A machine that crashed has the directory still, with what was written last. */
  #stage({ volumeId, stagingTargetPath }: { readonly volumeId: string; readonly stagingTargetPath: string }, files: HostFiles): void {
    const disk = this.#disk(volumeId);
    disk.mounted = { files, path: stagingTargetPath };
    files.makeDirectory(stagingTargetPath);
    for (const [path, text] of disk.files)
      if (files.readFile(`${stagingTargetPath}/${path}`) === undefined) files.writeFile(`${stagingTargetPath}/${path}`, text);
  }

  #unstage({ volumeId, stagingTargetPath }: { readonly volumeId: string; readonly stagingTargetPath: string }, files: HostFiles): void {
    const disk = this.#disks.get(volumeId);
    if (disk) takeOut(disk);
    files.remove(stagingTargetPath);
  }

  #nodeInfo(node: string): NodeInfo {
    const { nodeIdOf, topologyOf } = this.options;
    const segments = topologyOf?.(node);
    return {
      nodeId: nodeIdOf(node),
      maxVolumesPerNode: this.maxVolumesPerNode,
      ...(segments ? { accessibleTopology: { segments } } : {}),
    };
  }

  /** CreateVolume may come again for the same name: it is the same volume then. */
  #create({ name, capacityRange, parameters, accessibilityRequirements, volumeContentSource }: CreateVolumeRequest): CsiVolume {
    const source = volumeContentSource?.snapshot.snapshotId;
    if (source !== undefined && !this.#snapshots.has(source)) throw new RpcError('NotFound', `snapshot ${source} does not exist`);
    const volumeId = `vol-${name.replace(/^pvc-/, '')}`;
    const segments = this.options.topologyOf ? accessibilityRequirements?.preferred[0]?.segments : undefined;
    const disk = this.#disks.get(volumeId) ?? {
      name,
      volumeId,
      sizeBytes: 0,
      attachedTo: undefined,
      files: new Map(this.#snapshots.get(source ?? '')?.files),
      ...(segments ? { segments } : {}),
    };
    disk.sizeBytes = bytesOf(capacityRange);
    this.#disks.set(volumeId, disk);
    return {
      volumeId,
      capacityBytes: String(disk.sizeBytes),
      ...(parameters ? { volumeContext: parameters } : {}),
      ...(segments ? { accessibleTopology: [{ segments }] } : {}),
    };
  }

  #publish({ volumeId, nodeId }: { readonly volumeId: string; readonly nodeId: string }): Readonly<Record<string, string>> {
    const disk = this.#disk(volumeId);
    if (disk.attachedTo !== undefined && disk.attachedTo !== nodeId)
      throw new RpcError('FailedPrecondition', `volume ${volumeId} is attached to ${disk.attachedTo}`);
    disk.attachedTo = nodeId;
    return { devicePath: '/dev/xvdba' };
  }

  #unpublish(volumeId: string): void {
    const disk = this.#disks.get(volumeId);
    if (!disk) return;
    takeOut(disk);
    disk.attachedTo = undefined;
  }

  #expand({ volumeId, capacityRange }: { readonly volumeId: string; readonly capacityRange: CapacityRange }): {
    capacityBytes: string;
    nodeExpansionRequired: boolean;
  } {
    const disk = this.#disk(volumeId);
    disk.sizeBytes = Math.max(disk.sizeBytes, bytesOf(capacityRange));
    return { capacityBytes: String(disk.sizeBytes), nodeExpansionRequired: true };
  }

  /** CreateSnapshot may come again for the same name, as CreateVolume. */
  #snapshot({ name, sourceVolumeId }: { readonly name: string; readonly sourceVolumeId: string }): CsiSnapshot {
    const snapshotId = `snap-${name.replace(/^snapshot-/, '')}`;
    const [known] = this.#list(snapshotId);
    if (known) return known;
    const { sizeBytes, files, mounted } = this.#disk(sourceVolumeId);
    const made = {
      snapshotId,
      sourceVolumeId,
      sizeBytes: String(sizeBytes),
      creationTime: this.#actor.simulation.wallTime,
      readyToUse: true,
    };
    // What is written to a mounted volume is on it.
    this.#snapshots.set(snapshotId, { ...made, files: new Map(mounted ? filesIn(mounted.files, mounted.path, '') : files) });
    return made;
  }

  #list(snapshotId: string): CsiSnapshot[] {
    const found = this.#snapshots.get(snapshotId);
    if (!found) return [];
    const { files: _, ...snapshot } = found;
    return [snapshot];
  }

  #disk(volumeId: string): Disk {
    const disk = this.#disks.get(volumeId);
    if (!disk) throw new RpcError('NotFound', `volume ${volumeId} does not exist`);
    return disk;
  }

  #serve<T>(call: string, request: object, answer: () => T): T {
    this.#actor.simulation.trace.record({
      kind: 'runtime',
      what: 'csi',
      message: `${this.options.name} is asked: ${call}`,
      details: 'secrets' in request ? { ...request, secrets: '***stripped***' } : request,
    });
    for (const listener of this.#listeners) listener({ call, request });
    const failure = this.failures.get(call);
    if (failure) throw new RpcError(failure.code, failure.message);
    return answer();
  }
}

/** What was written while it was mounted goes with it, also when the machine is dead. */
function takeOut(disk: Disk): void {
  if (!disk.mounted) return;
  const { files, path } = disk.mounted;
  disk.files.clear();
  for (const [name, text] of filesIn(files, path, '')) disk.files.set(name, text);
  delete disk.mounted;
}

function* filesIn(files: HostFiles, root: string, prefix: string): Generator<[string, string]> {
  for (const name of files.list(`${root}/${prefix}`)) {
    const path = `${prefix}${name}`;
    const text = files.readFile(`${root}/${path}`);
    if (text === undefined) yield* filesIn(files, root, `${path}/`);
    else yield [path, text];
  }
}

function bytesOf({ requiredBytes }: CapacityRange): number {
  return Number(requiredBytes);
}

import { capabilityOfVolume } from '../../../../src/api/csi.ts';
import { attachmentName, deviceMountPath, uniqueVolumeName } from '../../../../src/api/csi-names.ts';
import type { PersistentVolume, PersistentVolumeClaim, Pod } from '../../../../src/api/kinds/core-v1.ts';
import { RpcError } from '../../../../src/api/rpc-error.ts';
import { callRpc } from '../../../../src/client/rpc.ts';
import type { Actor } from '../../../../src/sim/actor.ts';
import type { ObjectReader } from '../../object-reader.ts';
import type { SetUpResult } from '../set-up-result.ts';
import type { PluginManager } from './plugin-manager.ts';

/** A volume that is staged on the node. */
interface Staged {
  readonly volume: PersistentVolume;
  readonly stagingTargetPath: string;
  /** Where it is published, by the pod's uid. */
  readonly targets: Map<string, string>;
}

interface Parts {
  readonly actor: Actor;
  readonly nodeName: string;
  readonly objects: ObjectReader;
  readonly plugins: PluginManager;
  /** Which volumes are in use here has changed: it is reported with the node's status. */
  readonly onInUse: () => void;
  /** What the node's status said last of the volumes that are in use here. */
  readonly reportedInUse: () => readonly string[];
}

/** Volumes of CSI drivers on a node: pkg/volume/csi csiAttacher (MountDevice, UnmountDevice) and csiMountMgr (SetUpAt, TearDownAt). */
export class CsiVolumes {
  readonly #parts: Parts;
  /** By unique name, as node statuses name volumes. */
  readonly #staged = new Map<string, Staged>();
  /** By unique name: the uids of the pods that use the volume, mounted or not. */
  readonly #wanted = new Map<string, Set<string>>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** status.volumesInUse of the node */
  get volumesInUse(): readonly string[] {
    return [...this.#wanted.keys()].sort();
  }

  /** Stages the volume if it is not, and publishes it for the pod. */
  async setUp(pod: Pod, volume: PersistentVolume): Promise<SetUpResult> {
    const { actor, objects, plugins, nodeName } = this.#parts;
    const { csi } = volume.spec ?? {};
    const driver = csi?.driver ?? '';
    const name = uniqueVolumeName(volume);
    const of = volume.metadata.name ?? '';
    this.#use(name, pod.metadata.uid ?? '');
    const needsAttaching = (await objects.csiDriver(driver))?.spec.attachRequired !== false;
    if (needsAttaching && !(this.#parts.reportedInUse().includes(name) && (await objects.isAttached(name)))) return {};
    const attachment = needsAttaching ? await objects.volumeAttachment(attachmentName(volume, nodeName)) : undefined;
    if (!plugins.isRegistered(driver)) {
      const why = `driver name ${driver} not found in the list of registered CSI drivers`;
      return failed(of, 'MountVolume.MountDevice', `kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: ${why}`);
    }
    const server = this.#server(volume);
    const common = {
      volumeId: csi?.volumeHandle ?? '',
      ...(attachment?.status?.attachmentMetadata ? { publishContext: attachment.status.attachmentMetadata } : {}),
      stagingTargetPath: deviceMountPath(volume),
      volumeCapability: capabilityOfVolume(volume),
      ...(csi?.volumeAttributes ? { volumeContext: csi.volumeAttributes } : {}),
    };
    const staged = this.#staged.get(name) ?? { volume, stagingTargetPath: common.stagingTargetPath, targets: new Map<string, string>() };
    try {
      if (!this.#staged.has(name)) await callRpc(actor, server, (node) => node.nodeStageVolume(common));
      this.#staged.set(name, staged);
    } catch (error) {
      return failed(of, 'MountVolume.MountDevice', messageOf(error));
    }
    const uid = pod.metadata.uid ?? '';
    const targetPath = `/var/lib/kubelet/pods/${uid}/volumes/kubernetes.io~csi/${of}/mount`;
    try {
      await callRpc(actor, server, (node) =>
        node.nodePublishVolume({ ...common, targetPath, ...(csi?.readOnly ? { readonly: true } : {}) }),
      );
    } catch (error) {
      return failed(of, 'MountVolume.SetUp', messageOf(error));
    }
    staged.targets.set(uid, targetPath);
    // What is written stays with the volume: pods that have it one after another find it.
    return { path: deviceMountPath(volume) };
  }

  /** Unpublishes what the pod had, and unstages what nobody else has. */
  async tearDown(uid: string): Promise<void> {
    for (const [name, staged] of [...this.#staged]) {
      const targetPath = staged.targets.get(uid);
      if (targetPath === undefined) continue;
      const volumeId = staged.volume.spec?.csi?.volumeHandle ?? '';
      const server = this.#server(staged.volume);
      await this.#untilDone(() => callRpc(this.#parts.actor, server, (node) => node.nodeUnpublishVolume({ targetPath, volumeId })));
      staged.targets.delete(uid);
      if (staged.targets.size > 0) continue;
      const { stagingTargetPath } = staged;
      await this.#untilDone(() => callRpc(this.#parts.actor, server, (node) => node.nodeUnstageVolume({ stagingTargetPath, volumeId })));
      this.#staged.delete(name);
    }
    for (const [name, uids] of this.#wanted) this.#release(name, uids, uid);
  }

  /** A volume that was never mounted is not in use any more, either. */
  #release(name: string, uids: Set<string>, uid: string): void {
    uids.delete(uid);
    if (uids.size > 0 || this.#staged.has(name)) return;
    this.#wanted.delete(name);
    this.#parts.onInUse();
  }

  /** Has the driver expand what the claim waits for. pkg/volume/util/operationexecutor NodeExpander. Returns whether it did. @throws RpcError */
  async expand(pod: Pod, volume: PersistentVolume, bytes: number): Promise<boolean> {
    const staged = this.#staged.get(uniqueVolumeName(volume));
    const volumePath = staged?.targets.get(pod.metadata.uid ?? '');
    if (!staged || volumePath === undefined) return false;
    const request = {
      volumeId: volume.spec?.csi?.volumeHandle ?? '',
      volumePath,
      stagingTargetPath: staged.stagingTargetPath,
      capacityRange: { requiredBytes: String(bytes) },
      volumeCapability: capabilityOfVolume(volume),
    };
    await callRpc(this.#parts.actor, this.#server(volume), (node) => node.nodeExpandVolume(request));
    return true;
  }

  #server(volume: PersistentVolume): ReturnType<PluginManager['driver']> {
    return this.#parts.plugins.driver(volume.spec?.csi?.driver ?? '');
  }

  #use(name: string, uid: string): void {
    const uids = this.#wanted.get(name);
    if (uids) return void uids.add(uid);
    this.#wanted.set(name, new Set([uid]));
    this.#parts.onInUse();
  }

  /** pkg/util/goroutinemap/exponentialbackoff: 500 ms, doubling up to 2 min 2 s. */
  async #untilDone(work: () => Promise<void>): Promise<void> {
    for (let delayMs = 500; ; delayMs = Math.min(delayMs * 2, 122_000)) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
      }
      await this.#parts.actor.sleep(delayMs, 'background');
    }
  }
}

/** Whether the claim waits for its file system to be expanded on a node. */
export function wantedExpansion(claim: PersistentVolumeClaim, volume: PersistentVolume): string | undefined {
  const { capacity } = volume.spec ?? {};
  const pending = claim.status?.allocatedResourceStatuses?.['storage'];
  const isPending = pending === 'NodeResizePending' || pending === 'NodeResizeInProgress';
  return isPending && capacity?.['storage'] !== claim.status?.capacity?.['storage'] ? capacity?.['storage'] : undefined;
}

function failed(of: string, operation: string, problem: string): SetUpResult {
  return { problem, of, operation };
}

function messageOf(error: unknown): string {
  if (!(error instanceof RpcError)) throw error;
  return error.message;
}

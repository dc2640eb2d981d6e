import { getCondition } from '../../../../src/api/conditions.ts';
import { attachmentName, uniqueVolumeName } from '../../../../src/api/csi-names.ts';
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '../../../../src/api/kinds/core-v1.ts';
import type { CSIDriver, VolumeAttachment } from '../../../../src/api/kinds/storage-v1.ts';
import { keyOf } from '../../../../src/api/object.ts';
import { csidrivers, nodes, persistentvolumeclaims, persistentvolumes, pods, volumeattachments } from '../../../../src/api/resources.ts';
import { isAlreadyExists, isNotFound } from '../../../../src/api/status-error.ts';
import type { Client } from '../../../../src/client/client.ts';
import { runWorkers } from '../../../../src/client/controller.ts';
import type { EventRecorder } from '../../../../src/client/event-recorder.ts';
import type { Indexer } from '../../../../src/client/indexer.ts';
import { ItemExponentialFailureRateLimiter } from '../../../../src/client/rate-limiters.ts';
import { RateLimitingQueue } from '../../../../src/client/workqueue.ts';
import type { ControllerContext } from '../../controller-context.ts';
import { addPodByClaimIndexer, claimsOf, podsOfClaim } from '../pods-by-claim.ts';
import { areBound, isAttachable, isSingleNode, wantsVolumes } from './attachable-volume.ts';

const NAME = 'persistentvolume-attach-detach-controller';
const ACCOUNT = 'attachdetach-controller';
const WORKERS = 10;
const BY_VOLUME = 'persistentVolume';
const BY_NODE = 'node';
const OUT_OF_SERVICE = 'node.kubernetes.io/out-of-service';
/** So long a node that is not ready may keep what it has mounted. */
const MAX_WAIT_FOR_UNMOUNT_MS = 360_000;
/** So long it waits for the sidecar of a driver. pkg/volume/csi/csi_plugin.go csiTimeout */
const CSI_TIMEOUT_MS = 120_000;
const MIN_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 122_000;

/** Tells the drivers of volumes on which nodes they are wanted. pkg/controller/volume/attachdetach/attach_detach_controller.go attachDetachController */
class AttachDetachController {
  readonly #context: ControllerContext;
  readonly #client: Client;
  readonly #recorder: EventRecorder;
  readonly #pods: Indexer<Pod>;
  readonly #nodes: Indexer<Node>;
  readonly #claims: Indexer<PersistentVolumeClaim>;
  readonly #volumes: Indexer<PersistentVolume>;
  readonly #drivers: Indexer<CSIDriver>;
  readonly #attachments: Indexer<VolumeAttachment>;
  readonly #queue: RateLimitingQueue;
  /** Since when nobody wants a volume on a node that has it. */
  readonly #unwantedSince = new Map<string, number>();
  /** What nodes had mounted when they were deleted: their machines may still run. */
  readonly #inUseOfGoneNodes = new Map<string, readonly string[]>();
  /** The attachments that it has asked to go, by UID: they are not asked twice. */
  readonly #detaching = new Set<string>();
  /** What was reported already, so that it is once: volume and node. */
  readonly #reported = new Set<string>();
  /** Until when it waits for a volume to be attached to a node, and how often it has waited in vain. */
  readonly #waits = new Map<string, { readonly deadline: number; readonly failures: number }>();

  constructor(context: ControllerContext) {
    const { actor, informers } = context;
    this.#context = context;
    this.#client = context.clientFor(ACCOUNT);
    this.#recorder = context.recorderFor(ACCOUNT);
    this.#queue = new RateLimitingQueue({ actor, rateLimiter: new ItemExponentialFailureRateLimiter(MIN_BACKOFF_MS, MAX_BACKOFF_MS) });
    const podInformer = informers.forResource(pods);
    const claimInformer = informers.forResource(persistentvolumeclaims);
    const volumeInformer = informers.forResource(persistentvolumes);
    const nodeInformer = informers.forResource(nodes);
    const attachmentInformer = informers.forResource(volumeattachments);
    addPodByClaimIndexer(podInformer);
    attachmentInformer.addIndexers({ [BY_VOLUME]: volumesOf, [BY_NODE]: ({ spec }) => [spec.nodeName] });
    [this.#pods, this.#claims, this.#volumes, this.#nodes] = [
      podInformer.store,
      claimInformer.store,
      volumeInformer.store,
      nodeInformer.store,
    ];
    [this.#attachments, this.#drivers] = [attachmentInformer.store, informers.forResource(csidrivers).store];
    const onPod = (pod: Pod): void => this.#enqueuePod(pod);
    podInformer.addEventHandler({ onAdd: onPod, onUpdate: (_, pod) => onPod(pod), onDelete: onPod });
    const onClaim = (claim: PersistentVolumeClaim): void => {
      for (const pod of podsOfClaim(this.#pods, keyOf(claim))) this.#enqueuePod(pod);
    };
    claimInformer.addEventHandler({ onAdd: onClaim, onUpdate: (_, claim) => onClaim(claim) });
    volumeInformer.addEventHandler({
      onAdd: (volume) => this.#enqueueUsersOf(volume),
      onUpdate: (_, volume) => this.#enqueueUsersOf(volume),
    });
    const onAttachment = (attachment: VolumeAttachment): void => {
      for (const name of volumesOf(attachment)) {
        this.#enqueue(name, attachment.spec.nodeName);
        const volume = this.#volumes.get(name);
        if (volume) this.#enqueueUsersOf(volume);
      }
    };
    attachmentInformer.addEventHandler({
      onAdd: onAttachment,
      onUpdate: (_, attachment) => onAttachment(attachment),
      onDelete: (attachment) => {
        this.#detaching.delete(attachment.metadata.uid ?? '');
        onAttachment(attachment);
      },
    });
    nodeInformer.addEventHandler({
      onAdd: (node) => {
        this.#inUseOfGoneNodes.delete(node.metadata.name ?? '');
        this.#enqueueNode(node);
      },
      onUpdate: (before, node) => this.#updateNode(before, node),
      onDelete: ({ metadata, status }) => this.#inUseOfGoneNodes.set(metadata.name ?? '', status?.volumesInUse ?? []),
    });
  }

  run(): void {
    const reconcile = (key: string): Promise<void> | undefined => this.#sync(key);
    runWorkers({ actor: this.#context.actor, name: NAME, queue: this.#queue, workers: WORKERS, reconcile });
  }

  #enqueue(volume: string, node: string): void {
    this.#queue.add(`${node}/${volume}`);
  }

  #enqueuePod(pod: Pod): void {
    const node = pod.spec?.nodeName;
    if (!node) return;
    for (const key of claimsOf(pod)) {
      const name = this.#claims.get(key)?.spec?.volumeName;
      const volume = name ? this.#volumes.get(name) : undefined;
      if (name && volume && isAttachable(volume, (driver) => this.#drivers.get(driver))) this.#enqueue(name, node);
    }
  }

  #enqueueUsersOf({ spec }: PersistentVolume): void {
    if (!spec?.csi || !spec.claimRef) return;
    for (const pod of podsOfClaim(this.#pods, `${spec.claimRef.namespace}/${spec.claimRef.name}`)) this.#enqueuePod(pod);
  }

  #updateNode(before: Node, node: Node): void {
    const changed =
      before.status?.volumesInUse !== node.status?.volumesInUse ||
      before.spec?.taints !== node.spec?.taints ||
      before.metadata.annotations !== node.metadata.annotations;
    if (changed) this.#enqueueNode(node);
  }

  #enqueueNode({ metadata: { name = '' } }: Node): void {
    for (const attachment of this.#attachments.byIndex(BY_NODE, name))
      for (const volume of volumesOf(attachment)) this.#enqueue(volume, name);
  }

  /** pkg/controller/volume/attachdetach/reconciler/reconciler.go reconcile */
  #sync(key: string): Promise<void> | undefined {
    const [nodeName = '', name = ''] = key.split('/');
    const volume = this.#volumes.get(name);
    if (!volume || !isAttachable(volume, (driver) => this.#drivers.get(driver))) return undefined;
    const attachment = this.#attachments.get(attachmentName(volume, nodeName));
    const users = this.#usersOf(volume, nodeName);
    if (users.length === 0) return attachment ? this.#detach({ key, volume, nodeName, attachment }) : undefined;
    this.#unwantedSince.delete(key);
    return attachment ? this.#follow(attachment, { key, volume, users }) : this.#attach(volume, { key, nodeName, users });
  }

  #usersOf(volume: PersistentVolume, nodeName: string): Pod[] {
    const { claimRef } = volume.spec ?? {};
    const key = `${claimRef?.namespace}/${claimRef?.name}`;
    if (!claimRef || !areBound(this.#claims.get(key), volume)) return [];
    const node = this.#nodes.get(nodeName);
    return podsOfClaim(this.#pods, key).filter((pod) => pod.spec?.nodeName === nodeName && wantsVolumes(pod, node));
  }

  async #attach(
    volume: PersistentVolume,
    { key, nodeName, users }: { key: string; nodeName: string; users: readonly Pod[] },
  ): Promise<void> {
    const { name = '' } = volume.metadata;
    const elsewhere = isSingleNode(volume) ? this.#attachments.byIndex(BY_VOLUME, name) : [];
    if (elsewhere.length > 0) return this.#reportMultiAttach(volume, { key, users, elsewhere });
    const spec = { attacher: volume.spec?.csi?.driver ?? '', nodeName, source: { persistentVolumeName: name } };
    try {
      await this.#client.resource(volumeattachments).create({ metadata: { name: attachmentName(volume, nodeName) }, spec });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }

  /** reconciler.go reportMultiAttachError */
  #reportMultiAttach(
    volume: PersistentVolume,
    { key, users, elsewhere }: { key: string; users: readonly Pod[]; elsewhere: readonly VolumeAttachment[] },
  ): void {
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    const others = elsewhere.flatMap(({ spec }) => this.#usersOf(volume, spec.nodeName)).map(({ metadata }) => metadata.name);
    const why =
      others.length > 0
        ? `Volume is already used by pod(s) ${others.join(', ')}`
        : "Volume is already exclusively attached to one node and can't be attached to another";
    for (const pod of users)
      this.#recorder.event(pod, 'Warning', 'FailedAttachVolume', `Multi-Attach error for volume "${volume.metadata.name}" ${why}`);
  }

  /** The driver has been asked; it says in the attachment what came of it. */
  async #follow(
    { spec, status }: VolumeAttachment,
    { key, volume, users }: { key: string; volume: PersistentVolume; users: readonly Pod[] },
  ): Promise<void> {
    const { name } = volume.metadata;
    if (status?.attached) {
      if (await this.#listOnNode(volume, spec.nodeName, true)) {
        for (const pod of users)
          this.#recorder.event(pod, 'Normal', 'SuccessfulAttachVolume', `AttachVolume.Attach succeeded for volume "${name}" `);
      }
      this.#reported.delete(key);
      this.#waits.delete(key);
      return;
    }
    const error = status?.attachError?.message;
    const why = error ?? this.#timeOut(key, volume);
    if (!why || this.#reported.has(`${key} ${why}`)) return;
    if (error) this.#reported.add(`${key} ${error}`);
    for (const pod of users)
      this.#recorder.event(pod, 'Warning', 'FailedAttachVolume', `AttachVolume.Attach failed for volume "${name}" : ${why}`);
  }

  /** What there is to say when nobody has answered in time; then it waits anew. pkg/volume/csi/csi_attacher.go waitForVolumeAttachment */
  #timeOut(key: string, { spec }: PersistentVolume): string | undefined {
    const { now } = this.#context.actor.simulation;
    const wait = this.#waits.get(key);
    if (wait && now < wait.deadline) return undefined;
    const failures = wait ? wait.failures + 1 : 0;
    const pause = failures ? Math.min(MIN_BACKOFF_MS * 2 ** (failures - 1), MAX_BACKOFF_MS) : 0;
    this.#waits.set(key, { deadline: now + pause + CSI_TIMEOUT_MS, failures });
    this.#queue.addAfter(key, pause + CSI_TIMEOUT_MS, 'background');
    const { driver, volumeHandle } = spec?.csi ?? {};
    return wait && `timed out waiting for external-attacher of ${driver} CSI driver to attach volume ${volumeHandle}`;
  }

  async #detach({
    key,
    volume,
    nodeName,
    attachment,
  }: {
    key: string;
    volume: PersistentVolume;
    nodeName: string;
    attachment: VolumeAttachment;
  }): Promise<void> {
    const { now } = this.#context.actor.simulation;
    const since = this.#unwantedSince.get(key) ?? now;
    this.#unwantedSince.set(key, since);
    this.#waits.delete(key);
    const node = this.#nodes.get(nodeName);
    const inUse = node ? (node.status?.volumesInUse ?? []) : this.#inUseOfGoneNodes.get(nodeName);
    // Of a node that was gone before this process began nobody knows.
    const isMounted = inUse?.includes(uniqueVolumeName(volume)) ?? true;
    const isOut = node?.spec?.taints?.some((taint) => taint.key === OUT_OF_SERVICE) ?? false;
    const isReady = getCondition(node?.status?.conditions, 'Ready')?.status === 'True';
    const left = since + MAX_WAIT_FOR_UNMOUNT_MS - now;
    if (isMounted && !isOut && (isReady || left > 0)) return void (isReady || this.#queue.addAfter(key, left, 'background'));
    const { name = '', uid = '', deletionTimestamp } = attachment.metadata;
    if (deletionTimestamp || this.#detaching.has(uid)) return;
    this.#detaching.add(uid);
    try {
      await this.#listOnNode(volume, nodeName, false);
      await this.#client.resource(volumeattachments).delete({ name });
    } catch (error) {
      this.#detaching.delete(uid);
      if (!isNotFound(error)) throw error;
    }
    this.#unwantedSince.delete(key);
  }

  /** Says in the node's status whether it has the volume; false when it says so already. pkg/controller/volume/attachdetach/statusupdater */
  async #listOnNode(volume: PersistentVolume, nodeName: string, attached: boolean): Promise<boolean> {
    const node = this.#nodes.get(nodeName);
    const name = uniqueVolumeName(volume);
    const before = node?.status?.volumesAttached ?? [];
    if (!node || before.some((entry) => entry.name === name) === attached) return false;
    const volumesAttached = attached ? [...before, { name, devicePath: '' }] : before.filter((entry) => entry.name !== name);
    const patch = { status: { volumesAttached: volumesAttached.length > 0 ? volumesAttached : null } };
    await this.#client.resource(nodes).patch({ name: nodeName }, patch, { type: 'strategic', subresource: 'status' });
    return true;
  }
}

function volumesOf({ spec }: VolumeAttachment): string[] {
  return spec.source.persistentVolumeName ? [spec.source.persistentVolumeName] : [];
}

/** cmd/kube-controller-manager/app/core.go startPersistentVolumeAttachDetachController */
export function startPersistentVolumeAttachDetachController(context: ControllerContext): void {
  const controller = new AttachDetachController(context);
  context.onceSynced(() => controller.run());
}

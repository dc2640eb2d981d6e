import type { PersistentVolumeClaim, Pod } from '../../../src/api/kinds/core-v1.ts';
import type { CSINode } from '../../../src/api/kinds/storage-v1.ts';
import type { CycleState } from '../framework/cycle-state.ts';
import { ActionType, type ClusterEventWithHint } from '../framework/events.ts';
import type { Handle, Plugin } from '../framework/interface.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { podInfoOf } from '../framework/pod-info.ts';
import { Status } from '../framework/status.ts';
import { claimOfVolume, classOfClaim, notFound } from './helper/claims.ts';

const NAME = 'NodeVolumeLimits';
const SKIP = { status: new Status('Skip') };
const EXCEEDED = new Status('Unschedulable', ['node(s) exceed max volume count'], NAME);

/** Volumes by their unique name, each with the driver that attaches it. */
type Volumes = Map<string, string>;

/** Only so many volumes of a driver fit on a node: pkg/scheduler/framework/plugins/nodevolumelimits CSILimits. */
export class NodeVolumeLimits implements Plugin {
  readonly name = NAME;
  readonly #handle: Pick<Handle, 'listers'>;

  constructor(handle: Pick<Handle, 'listers'>) {
    this.#handle = handle;
  }

  preFilter(_state: CycleState, pod: Pod): { status?: Status } {
    return pod.spec?.volumes?.some((volume) => claimOfVolume(pod, volume)) ? {} : SKIP;
  }

  filter(_state: CycleState, pod: Pod, nodeInfo: NodeInfo): Status | undefined {
    const wanted = this.#attachableVolumes(pod, true);
    if (wanted instanceof Status) return wanted;
    const limits = limitsOf(this.#handle.listers.csiNodes.get(nodeInfo.name));
    if (wanted.size === 0 || limits.size === 0) return undefined;
    const attached: Volumes = new Map();
    for (const { pod: existing } of nodeInfo.pods) {
      const volumes = this.#attachableVolumes(existing, false);
      if (volumes instanceof Map) for (const [name, driver] of volumes) attached.set(name, driver);
    }
    for (const [name, driver] of this.#volumeAttachments(nodeInfo.name)) attached.set(name, driver);
    for (const name of attached.keys()) wanted.delete(name);
    const counts = countByDriver(attached);
    for (const [driver, count] of countByDriver(wanted)) {
      const limit = limits.get(driver);
      if (limit !== undefined && (counts.get(driver) ?? 0) + count > limit) return EXCEEDED;
    }
    return undefined;
  }

  #volumeAttachments(nodeName: string): Volumes {
    const { volumeAttachments, persistentVolumes } = this.#handle.listers;
    const volumes: Volumes = new Map();
    for (const { spec } of volumeAttachments.list()) {
      const csi = spec.nodeName === nodeName ? persistentVolumes.get(spec.source.persistentVolumeName ?? '')?.spec?.csi : undefined;
      if (csi) volumes.set(`${csi.driver}/${csi.volumeHandle}`, csi.driver);
    }
    return volumes;
  }

  /** CSILimits.filterAttachableVolumes. A claim that does not exist matters for the incoming pod only. */
  #attachableVolumes(pod: Pod, isNew: boolean): Volumes | Status {
    const volumes: Volumes = new Map();
    for (const volume of pod.spec?.volumes ?? []) {
      const claimed = claimOfVolume(pod, volume);
      if (!claimed) continue;
      const claim = this.#handle.listers.persistentVolumeClaims.get(`${pod.metadata.namespace}/${claimed.name}`);
      if (claim) this.#addClaim(volumes, claim);
      else if (isNew) return new Status('UnschedulableAndUnresolvable', [notFound(claimed.name)], NAME);
    }
    return volumes;
  }

  /** CSILimits.getCSIDriverInfo: of the volume, or while there is none, of what its class would make. */
  #addClaim(volumes: Volumes, claim: PersistentVolumeClaim): void {
    const { persistentVolumes, storageClasses } = this.#handle.listers;
    const volume = persistentVolumes.get(claim.spec?.volumeName ?? '');
    if (volume) {
      const { csi } = volume.spec ?? {};
      if (csi) volumes.set(`${csi.driver}/${csi.volumeHandle}`, csi.driver);
      return;
    }
    const provisioner = storageClasses.get(classOfClaim(claim))?.provisioner;
    if (provisioner) volumes.set(`${provisioner}/${provisioner}-${claim.metadata.namespace}/${claim.metadata.name}`, provisioner);
  }

  eventsToRegister(): readonly ClusterEventWithHint[] {
    const usesClaims = (pod: Pod | undefined): boolean => pod !== undefined && podInfoOf(pod).claims.length > 0;
    return [
      {
        event: { resource: 'CSINode', actionType: ActionType.Add | ActionType.Update },
        hint: (_pod, before, after) => !before || someLimitGrew(before as CSINode, after as CSINode),
      },
      {
        event: { resource: 'Pod', actionType: ActionType.Delete },
        hint: (_pod, before) => Boolean((before as Pod | undefined)?.spec?.nodeName) && usesClaims(before as Pod | undefined),
      },
      {
        event: { resource: 'PersistentVolumeClaim', actionType: ActionType.Add },
        hint: (pod, _before, after) => podInfoOf(pod).claims.includes(`${after?.metadata.namespace}/${after?.metadata.name}`),
      },
      { event: { resource: 'VolumeAttachment', actionType: ActionType.Delete }, hint: (pod) => usesClaims(pod) },
    ];
  }
}

function limitsOf(csiNode: CSINode | undefined): ReadonlyMap<string, number> {
  const limits = new Map<string, number>();
  for (const { name, allocatable } of csiNode?.spec.drivers ?? [])
    if (allocatable?.count !== undefined) limits.set(name, allocatable.count);
  return limits;
}

function someLimitGrew(before: CSINode, after: CSINode): boolean {
  const old = limitsOf(before);
  return [...limitsOf(after)].some(([driver, limit]) => limit > (old.get(driver) ?? 0));
}

function countByDriver(volumes: Volumes): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const driver of volumes.values()) counts.set(driver, (counts.get(driver) ?? 0) + 1);
  return counts;
}

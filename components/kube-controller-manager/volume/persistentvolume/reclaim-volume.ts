import type { PersistentVolume } from '../../../../src/api/kinds/core-v1.ts';
import { isNotFound } from '../../../../src/api/status-error.ts';
import { SyncError } from '../../controller/sync-error.ts';
import { unbindVolume, updateVolume, updateVolumePhase } from './bind.ts';
import type { BinderServices } from './binder-services.ts';
import { ANN_DYNAMICALLY_PROVISIONED, ANN_MIGRATED_TO, claimKeyOf } from './binding-facts.ts';
import { IN_TREE_FINALIZER } from './migration.ts';

const IN_TREE = 'kubernetes.io/';
/** Drivers of the tree that can neither make nor delete volumes, and such as no driver claims. */
const NOT_DELETABLE = ['nfs', 'fc', 'iscsi'] as const;

/** What becomes of a volume whose claim is gone: pv_controller.go reclaimVolume */
export async function reclaimVolume(services: BinderServices, volume: PersistentVolume): Promise<void> {
  const { metadata, spec } = volume;
  if (metadata.annotations?.[ANN_MIGRATED_TO]) return;
  const start = (what: string, run: () => Promise<void>): void =>
    services.operations.start(`${what}-${metadata.name}[${metadata.uid}]`, run);
  switch (spec?.persistentVolumeReclaimPolicy) {
    case 'Retain':
      return;
    case 'Recycle':
      return start('recycle', () => recycleVolumeOperation(services, volume));
    case 'Delete':
      return start('delete', () => deleteVolumeOperation(services, volume));
    default: {
      const message = 'Volume has unrecognized PersistentVolumeReclaimPolicy';
      await updateVolumePhase(services, volume, {
        phase: 'Failed',
        report: { type: 'Warning', reason: 'VolumeUnknownReclaimPolicy', message },
      });
    }
  }
}

/** pv_controller.go deleteVolumeOperation */
async function deleteVolumeOperation(services: BinderServices, volume: PersistentVolume): Promise<void> {
  const live = await stillReleased(services, volume);
  if (!live) return;
  const deleter = findDeleter(live);
  if (deleter.kind === 'external') return;
  if (deleter.kind === 'none') return fail(services, live, { reason: 'VolumeFailedDelete', message: deleter.message });
  const finalizers = live.metadata.finalizers ?? [];
  if (finalizers.includes(IN_TREE_FINALIZER)) {
    const kept = finalizers.filter((name) => name !== IN_TREE_FINALIZER);
    await updateVolume(services, { ...live, metadata: { ...live.metadata, finalizers: kept } });
  }
  await services.volumeClient.delete({ name: live.metadata.name ?? '' });
}

type Deleter = { readonly kind: 'external' | 'in-tree' } | { readonly kind: 'none'; readonly message: string };

/** Who deletes what a volume stands for: pv_controller.go findDeletablePlugin, and the drivers' own say. */
function findDeleter({ metadata, spec }: PersistentVolume): Deleter {
  const provisioner = metadata.annotations?.[ANN_DYNAMICALLY_PROVISIONED];
  if ((provisioner && !provisioner.startsWith(IN_TREE)) || spec?.csi) return { kind: 'external' };
  if (provisioner) return { kind: 'none', message: `no volume plugin matched name: ${provisioner}` };
  const path = spec?.hostPath?.path;
  if (path !== undefined) {
    if (/^\/tmp\/.+$/.test(path)) return { kind: 'in-tree' };
    return { kind: 'none', message: `host_path deleter only supports /tmp/.+ but received provided ${path}` };
  }
  const why = NOT_DELETABLE.some((source) => spec?.[source]) ? 'no deletable volume plugin matched' : 'no volume plugin matched';
  return { kind: 'none', message: `error getting deleter volume plugin for volume "${metadata.name}": ${why}` };
}

/** pv_controller.go recycleVolumeOperation. Differs: what is on the volume is gone at once, without a pod that scrubs it. */
async function recycleVolumeOperation(services: BinderServices, volume: PersistentVolume): Promise<void> {
  const live = await stillReleased(services, volume);
  if (!live) return;
  if (!live.spec?.hostPath && !live.spec?.nfs)
    return fail(services, live, { reason: 'VolumeFailedRecycle', message: 'No recycler plugin found for the volume!' });
  services.recorder.event(live, 'Normal', 'VolumeRecycled', 'Volume recycled');
  await unbindVolume(services, live);
}

/** The volume as the API has it, if nobody uses it: pv_controller.go isVolumeReleased */
async function stillReleased(services: BinderServices, { metadata }: PersistentVolume): Promise<PersistentVolume | undefined> {
  let live: PersistentVolume;
  try {
    live = await services.volumeClient.get({ name: metadata.name ?? '' });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
  const uid = live.spec?.claimRef?.uid;
  if (!uid || live.metadata.uid !== metadata.uid) return undefined;
  return services.claims.get(claimKeyOf(live))?.metadata.uid === uid ? undefined : live;
}

async function fail(services: BinderServices, volume: PersistentVolume, what: { reason: string; message: string }): Promise<void> {
  await updateVolumePhase(services, volume, { phase: 'Failed', report: { type: 'Warning', ...what } });
  throw new SyncError(what.message);
}

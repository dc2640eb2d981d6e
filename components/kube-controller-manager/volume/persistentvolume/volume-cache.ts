import type { PersistentVolume, PersistentVolumeClaim } from '../../../../src/api/kinds/core-v1.ts';
import { ObjectCache } from '../../../../src/client/object-cache.ts';

const BY_MODES = 'accessmodes';
const MODE_NAMES: readonly (readonly [mode: string, short: string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

export type ClaimCache = ObjectCache<PersistentVolumeClaim>;

/** Volumes by the modes in which they can be accessed: pkg/controller/volume/persistentvolume/index.go persistentVolumeOrderedIndex */
export class VolumeCache extends ObjectCache<PersistentVolume> {
  /** How many volumes there are (or were) of each list of modes. */
  readonly #modes = new Set<string>();

  constructor() {
    super({ [BY_MODES]: (volume) => [modesOf(volume)] });
  }

  override store(volume: PersistentVolume): boolean {
    this.#modes.add(modesOf(volume));
    return super.store(volume);
  }

  /** Groups of volumes that can be accessed in all the ways the claim wants, those first that can little else: index.go allPossibleMatchingAccessModes */
  groupsFor(claim: PersistentVolumeClaim): (readonly PersistentVolume[])[] {
    const wanted = modesOf(claim).split(',').filter(Boolean);
    const groups = [...this.#modes].map((modes) => ({ modes, list: modes.split(',') }));
    return groups
      .filter(({ list }) => wanted.every((mode) => list.includes(mode)))
      .sort((a, b) => a.list.length - b.list.length)
      .map(({ modes }) => this.objects.byIndex(BY_MODES, modes));
  }
}

/** pkg/apis/core/v1/helper GetAccessModesAsString */
function modesOf({ spec }: PersistentVolume | PersistentVolumeClaim): string {
  const modes = spec?.accessModes ?? [];
  return MODE_NAMES.filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

import type { PersistentVolume, PersistentVolumeClaim } from '../../../../src/api/kinds/core-v1.ts';
import { type KubernetesObject, keyOf } from '../../../../src/api/object.ts';
import { type IndexFunction, ObjectIndexer } from '../../../../src/client/indexer.ts';

const BY_MODES = 'accessmodes';
const MODE_NAMES: readonly (readonly [mode: string, short: string])[] = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
];

/** A cache that also knows what was written but has not come back by a watch; old versions are not taken. pv_controller_base.go storeObjectUpdate */
export class ObjectCache<T extends KubernetesObject> {
  protected readonly objects: ObjectIndexer<T>;

  constructor(indexers: Readonly<Record<string, IndexFunction<T>>> = {}) {
    this.objects = new ObjectIndexer(indexers);
  }

  get(key: string): T | undefined {
    return this.objects.get(key);
  }

  delete(key: string): void {
    this.objects.delete(key);
  }

  /** Returns false when a newer version is there. */
  store(object: T): boolean {
    const known = this.objects.get(keyOf(object));
    if (known && versionOf(known) > versionOf(object)) return false;
    this.objects.put(object);
    return true;
  }
}

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

function versionOf({ metadata }: KubernetesObject): number {
  return Number(metadata.resourceVersion ?? 0);
}

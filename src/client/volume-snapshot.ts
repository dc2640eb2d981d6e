import type { ObjectReference } from '../api/kinds/core-v1.ts';
import type { KubernetesObject } from '../api/object.ts';
import { customResource } from './custom-resource.ts';

/** The group of snapshots of volumes: github.com/kubernetes-csi/external-snapshotter client/apis/volumesnapshot/v1 */
export const SNAPSHOT_GROUP = 'snapshot.storage.k8s.io';

/** The last thing that went wrong. */
export interface VolumeSnapshotError {
  readonly time?: string;
  readonly message?: string;
}

/** Somebody's wish for a snapshot of a claim's volume, or for one that is there already. */
export interface VolumeSnapshot extends KubernetesObject {
  spec: {
    /** One of both. */
    source: { persistentVolumeClaimName?: string; volumeSnapshotContentName?: string };
    /** The default class of the volume's driver if absent. */
    volumeSnapshotClassName?: string;
  };
  status?: {
    boundVolumeSnapshotContentName?: string;
    creationTime?: string;
    readyToUse?: boolean;
    /** A quantity: how big a volume that is made of it has to be. */
    restoreSize?: string;
    error?: VolumeSnapshotError | undefined;
  };
}

/** A snapshot in the storage system. */
export interface VolumeSnapshotContent extends KubernetesObject {
  spec: {
    driver: string;
    deletionPolicy: 'Delete' | 'Retain';
    /** The volume that it is to be taken of, or the handle of one that is there. */
    source: { volumeHandle?: string; snapshotHandle?: string };
    sourceVolumeMode?: string;
    volumeSnapshotClassName?: string;
    volumeSnapshotRef: ObjectReference;
  };
  status?: {
    snapshotHandle?: string;
    /** Nanoseconds since 1970. */
    creationTime?: number;
    readyToUse?: boolean;
    /** In bytes. */
    restoreSize?: number;
    error?: VolumeSnapshotError | undefined;
  };
}

/** How snapshots are taken, and what becomes of them: what StorageClasses are to volumes. */
export interface VolumeSnapshotClass extends KubernetesObject {
  driver: string;
  deletionPolicy: 'Delete' | 'Retain';
  parameters?: Readonly<Record<string, string>>;
}

export const volumesnapshots = customResource<VolumeSnapshot>({
  group: SNAPSHOT_GROUP,
  version: 'v1',
  resource: 'volumesnapshots',
  kind: 'VolumeSnapshot',
  shortNames: ['vs'],
});

export const volumesnapshotcontents = customResource<VolumeSnapshotContent>({
  group: SNAPSHOT_GROUP,
  version: 'v1',
  resource: 'volumesnapshotcontents',
  kind: 'VolumeSnapshotContent',
  namespaced: false,
  shortNames: ['vsc', 'vscs'],
});

export const volumesnapshotclasses = customResource<VolumeSnapshotClass>({
  group: SNAPSHOT_GROUP,
  version: 'v1',
  resource: 'volumesnapshotclasses',
  kind: 'VolumeSnapshotClass',
  namespaced: false,
  shortNames: ['vsclass', 'vsclasses'],
});

import type { ContainerStats, HostFiles } from '../../../src/api/cri.ts';
import type { Pod } from '../../../src/api/kinds/core-v1.ts';

/** What one pod uses of its node. */
export interface PodUsage {
  readonly memory: number;
  /** Writable layers, logs and emptyDirs. */
  readonly disk: number;
  readonly processes: number;
  readonly containers: readonly ContainerStats[];
}

/** By pod uid; pods without statistics are not in it. */
export type UsageOfPods = ReadonlyMap<string, PodUsage>;

/** pkg/kubelet/eviction podMemoryUsage, podDiskUsage, podProcessUsage */
export function usageOfPods(stats: readonly ContainerStats[], files: HostFiles): UsageOfPods {
  const byPod = new Map<string, ContainerStats[]>();
  for (const one of stats) {
    const known = byPod.get(one.podUid);
    if (known) known.push(one);
    else byPod.set(one.podUid, [one]);
  }
  const usage = new Map<string, PodUsage>();
  for (const [uid, containers] of byPod) {
    const sum = (of: (one: ContainerStats) => number): number => containers.reduce((total, one) => total + of(one), 0);
    usage.set(uid, {
      memory: sum(({ memoryBytes }) => memoryBytes),
      disk: sum(diskOf) + files.size(emptyDirsOf(uid)),
      processes: sum(({ processes }) => processes),
      containers,
    });
  }
  return usage;
}

/** Writable layer and logs of a container. */
export function diskOf({ rootfsBytes, logBytes }: ContainerStats): number {
  return rootfsBytes + logBytes;
}

/** An emptyDir that lies on the disk. */
export function emptyDirBytes(files: HostFiles, pod: Pod, volume: string): number {
  return files.size(`${emptyDirsOf(pod.metadata.uid ?? '')}/${volume}`);
}

function emptyDirsOf(uid: string): string {
  return `/var/lib/kubelet/pods/${uid}/volumes/kubernetes.io~empty-dir`;
}

import { Cluster } from '../cluster/cluster.ts';
import type { ObservationConfig } from '../cluster/config.ts';
import type { Recording } from './recording.ts';

export interface ReplayOptions extends ObservationConfig {
  /** Stop at this virtual time (milliseconds) instead of the end. */
  readonly at?: number;
  readonly onCluster?: (cluster: Cluster) => void;
}

export interface Replay {
  readonly cluster: Cluster;
  /** The whole recording was run again. */
  readonly complete: boolean;
  /** Its digest is the recorded one. Only meaningful when complete. */
  readonly same: boolean;
}

/**
 * Runs a recording again, as far as `at`: the inputs enter at the moments at which they entered. The cluster that comes out goes on from there as any other, which is
 * what a branch is.
 */
export async function replay(recording: Recording, options: ReplayOptions = {}): Promise<Replay> {
  const { at, onCluster, ...observation } = options;
  const cluster = new Cluster({ ...recording.config, ...observation, digest: true });
  onCluster?.(cluster);
  const { simulation } = cluster;
  for (const { events, time, input, payload } of recording.inputs) {
    if (at !== undefined && time > at) break;
    await simulation.runTo({ events, time });
    cluster.repeat(input, payload);
  }
  if (at !== undefined && at < recording.end.time) {
    await simulation.advance(at - simulation.now);
    return { cluster, complete: false, same: false };
  }
  await simulation.runTo(recording.end);
  return { cluster, complete: true, same: simulation.trace.digest() === recording.digest };
}
